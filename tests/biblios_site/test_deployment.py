"""What the files for deployment say, as far as that shows without starting them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from prometheus_client import REGISTRY

from games.hub import metrics  # noqa: F401  (it brings the numbers)

pytestmark = pytest.mark.once

ROOT = Path(__file__).parent.parent.parent
COMPOSE = (ROOT / "docker-compose.yml").read_text()
SERVICES = yaml.safe_load(COMPOSE)["services"]
MANUAL = (ROOT / "docs" / "operations.md").read_text()
GIVEN = {
    "BIBLIOS_HOST": "play.example.org",
    "POSTGRES_PASSWORD": "p" * 48,
    "POSTGRES_SITE_PASSWORD": "s" * 48,
    "BIBLIOS_SECRET_KEY": "0123456789ab" * 5,
}
"""What one has to set."""


def environment(service):
    """The environment that compose gives to a service where only the necessary is set."""

    def value(found):
        name, default = found.groups()
        return GIVEN.get(name) or (default[2:] if default.startswith(":-") else "")

    given = SERVICES[service].get("environment", {})
    return {name: re.sub(r"\$\{(\w+)([^}]*)\}", value, text) for name, text in given.items()}


def documented():
    """The variables in the tables of the manual."""
    return set(re.findall(r"^\| `([A-Z_]+)`", MANUAL, re.MULTILINE))


def test_every_variable_that_anything_reads_is_documented_and_no_other():
    settings = (ROOT / "biblios_site" / "settings.py").read_text()
    read = set(re.findall(r"(?:environ(?:\.get\(|\[)|\b(?:number|address|secret)\()\"([A-Z_]+)\"", settings))
    assert "DATABASE_URL" in read
    given = set(re.findall(r"\$\{(\w+)", COMPOSE))
    assert documented() == read | given
    assert set(re.findall(r"^([A-Z_]{5,})  ", settings, re.MULTILINE)) == read


def test_every_number_that_is_shown_is_documented_and_no_other():
    shown = {metric.name for metric in REGISTRY.collect() if metric.name.startswith("biblios_")}
    assert shown == set(re.findall(r"^\| `(biblios_\w+?)(?:_total)?[`{]", MANUAL, re.MULTILINE))


def test_compose_passes_on_what_the_settings_read():
    settings = (ROOT / "biblios_site" / "settings.py").read_text()
    read = set(re.findall(r"(?:environ(?:\.get\(|\[)|\b(?:number|address|secret)\()\"([A-Z_]+)\"", settings))
    never = {"BIBLIOS_DEBUG", "BIBLIOS_DATA"}
    for service in ("web", "worker"):
        assert environment(service).keys() == read - never - {"MIGRATE_DATABASE_URL"}
    assert environment("prepare").keys() == read - never


def test_only_who_prepares_knows_the_owner_of_the_tables():
    knows = {name for name, service in SERVICES.items() if "${POSTGRES_PASSWORD:" in str(service)}
    assert knows == {"prepare", "postgres"}


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_watched_started_again_and_may_do_little(name):
    service = SERVICES[name]
    assert service["restart"] in ("unless-stopped", "on-failure:3")
    assert service["healthcheck"].get("test") or name == "prepare"
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["read_only"]


def test_no_secret_stands_in_the_file_and_none_has_a_default():
    for name in ("POSTGRES_PASSWORD", "POSTGRES_SITE_PASSWORD", "BIBLIOS_SECRET_KEY"):
        assert set(re.findall(rf"\$\{{{name}\b[^}}]*\}}", COMPOSE)) == {f"${{{name}:?}}"}


def test_only_the_proxy_is_reached_from_outside():
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    assert SERVICES["postgres"]["networks"] == SERVICES["redis"]["networks"] == ["data"]


def test_what_waits_for_what():
    assert SERVICES["web"]["depends_on"]["prepare"] == {"condition": "service_completed_successfully"}
    assert SERVICES["worker"]["depends_on"] == SERVICES["web"]["depends_on"]
    assert "prepare" not in SERVICES["prepare"]["depends_on"]


@pytest.mark.slow
def test_the_deployed_site_passes_the_checks_of_django(tmp_path):
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "DEBUG"],
        cwd=ROOT,
        # The browser tests set this for themselves.
        env={**os.environ, **environment("web"), "BIBLIOS_DATA": str(tmp_path), "DJANGO_ALLOW_ASYNC_UNSAFE": ""},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("System check identified no issues")


def test_images_are_pinned_to_a_version():
    first = re.search(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)[1]
    assert re.fullmatch(r"python:\d+\.\d+\.\d+-slim-\w+(@sha256:[0-9a-f]{64})?", first)
    images = {service["image"] for service in SERVICES.values() if "build" not in service}
    assert all(re.fullmatch(r"\w+:\d[\w.-]*", image) for image in images)
