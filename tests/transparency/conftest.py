import pytest


@pytest.fixture(autouse=True)
def log_key(settings, tmp_path):
    """The file of the key that signs the public log."""
    settings.LOG_KEY = tmp_path / "log_key.pem"
    return settings.LOG_KEY
