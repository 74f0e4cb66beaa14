"""The reader of the compose file: it knows every key of it, and passes over none."""

from pathlib import Path

import pytest

from tests.compose.reader import Compose, Unknown

ROOT = Path(__file__).resolve().parents[2]
GIVEN = {
    "BIBLIOS_HOST": "localhost",
    "POSTGRES_PASSWORD": "p",
    "POSTGRES_SITE_PASSWORD": "s",
    "BIBLIOS_SECRET_KEY": "k" * 32,
}


def read(tmp_path, **changes):
    file = tmp_path / "docker-compose.yml"
    text = (ROOT / "docker-compose.yml").read_text()
    for old, new in changes.values():
        assert old in text
        text = text.replace(old, new, 1)
    file.write_text(text)
    return Compose(file, "here", GIVEN)


def test_the_file_is_understood_and_each_service_waits_for_others(tmp_path):
    compose = read(tmp_path)
    order = [service.name for service in compose.order()]
    assert order.index("postgres") < order.index("prepare") < order.index("web") < order.index("proxy")
    web = compose.services["web"]
    assert web.replicas == 2 and web.check[0] == "python" and web.command[-1] == "::"
    assert {"--cap-drop=all", "--read-only", "--env=BIBLIOS_HOSTS=localhost"} <= set(web.arguments)
    assert compose.network_options("data") == ["--internal"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    user: redis", "    users: redis"),
        ("    internal: true", "    isolated: true"),
        ("  postgres:\n  static:", "  postgres: {external: true}\n  static:"),
        ("shm_size: 256m", "pids_limit: 100"),
        ("static:/srv/static:ro", "statics:/srv/static:ro"),
        ("condition: service_healthy", "condition: service_started"),
    ],
)
def test_what_it_does_not_know_is_an_error(tmp_path, old, new):
    with pytest.raises(Unknown):
        read(tmp_path, one=(old, new))


@pytest.mark.parametrize("name", GIVEN)
def test_a_variable_that_must_be_set(name):
    with pytest.raises(Unknown, match=f"{name} must be set"):
        Compose(ROOT / "docker-compose.yml", "here", GIVEN | {name: ""})
