import pytest
from django.core.management import call_command


@pytest.mark.django_db
@pytest.mark.once
def test_every_change_of_a_model_has_its_migration():
    call_command("makemigrations", check=True, dry_run=True)
