"""The files of docs/monitoring, and the numbers that they ask for."""

import json
import logging
import re
import shutil
import subprocess
from datetime import timedelta
from itertools import combinations

import pytest
import yaml
from asgiref.testing import ApplicationCommunicator
from django.test import override_settings
from django.utils import timezone
from prometheus_client import REGISTRY

from accounts.models import Enquiry, Notice
from biblios_site.logs import Counting
from biblios_site.timed import timed
from games import vitals
from games.matches.models import Match
from games.transparency.models import TreeHead
from tests.components import do_without
from tests.matches.matches import seated
from tests.test_import_rules import ROOT

MONITORING = ROOT / "docs" / "monitoring"
ALERTS = [
    rule for group in yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"] for rule in group["rules"]
]
DASHBOARD = json.loads((MONITORING / "dashboard.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
ELSEWHERE = {"up", "biblios_backup_timestamp_seconds"}
"""What Prometheus knows by itself, and what the backup leaves to the node exporter."""
ENDINGS = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}


def shown():
    """The names of the series of each number that a process of the site shows."""
    return {
        metric.name: {metric.name + ending for ending in ENDINGS[metric.type]}
        for metric in REGISTRY.collect()
        if metric.type in ENDINGS
    }


def asked(expression):
    """The names of the series that an expression asks for."""
    return set(re.findall(r"\b(?:biblios_\w+|process_\w+|up\b)", re.sub(r'"[^"]*"', "", expression)))


def told(name, **labels):
    return REGISTRY.get_sample_value(name, labels)


@pytest.mark.parametrize(
    "command", [["check", "rules", "alerts.yml"], ["test", "rules", "alerts_test.yml"]], ids=" ".join
)
def test_the_alerts_do_what_their_tests_say(command):
    do_without("" if shutil.which("promtool") else "Not installed here (Debian's package): prometheus.")
    done = subprocess.run(["promtool", *command], cwd=MONITORING, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_whatever_alerts_and_dashboard_ask_for_is_shown_and_nothing_is_shown_in_vain():
    alerts = set().union(*(asked(alert["expr"]) for alert in ALERTS))
    panels = set().union(*(asked(target["expr"]) for panel in PANELS for target in panel["targets"]))
    numbers = shown()
    assert alerts | panels <= set().union(*numbers.values()) | ELSEWHERE
    assert {name for name, series in numbers.items() if name.startswith("biblios_") and not series & panels} == set()


def test_every_alert_says_what_to_do_and_is_tested():
    tests = yaml.safe_load((MONITORING / "alerts_test.yml").read_text())["tests"]
    samples = [sample for test in tests for asks in test["promql_expr_test"] for sample in asks.get("exp_samples", ())]
    assert {alert["alert"] for alert in ALERTS} == {
        re.search(r'alertname="(\w+)"', each["labels"])[1] for each in samples
    }
    for alert in ALERTS:
        assert alert["labels"]["severity"] in ("page", "ticket")
        assert alert["annotations"].keys() == {"summary", "action"}


def test_the_panels_lie_beside_each_other_and_read_the_chosen_prometheus():
    def covers(panel):
        at = panel["gridPos"]
        return {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}

    every = DASHBOARD["panels"]
    assert len({panel["id"] for panel in every}) == len(every)
    assert all(max(x for x, _y in covers(panel)) < 24 for panel in every)
    assert not [(one["title"], two["title"]) for one, two in combinations(every, 2) if covers(one) & covers(two)]
    [variable] = DASHBOARD["templating"]["list"]
    for panel in PANELS:
        for asks in (panel, *panel["targets"]):
            assert asks["datasource"] == {"type": "prometheus", "uid": f"${{{variable['name']}}}"}


def test_prometheus_finds_every_process_of_the_site():
    found = yaml.safe_load((MONITORING / "prometheus.yml").read_text())
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    assert found["rule_files"] == ["alerts.yml"]
    for job in found["scrape_configs"]:
        [names] = job["dns_sd_configs"]
        assert names["names"] == [job["job_name"]]
        assert services[job["job_name"]]["environment"]["BIBLIOS_METRICS"] == f"0.0.0.0:{names['port']}"
    assert {job["job_name"] for job in found["scrape_configs"]} == {"web", "worker"}


@pytest.mark.parametrize("status", [200, 503, None])
async def test_requests_are_counted_by_the_status_of_their_answer(status):
    async def site(scope, receive, send):
        if status:
            await send({"type": "http.response.start", "status": status, "headers": []})
            await send({"type": "http.response.body", "body": b""})

    code = str(status) if status else "none"
    before = told("biblios_http_requests_total", code=code) or 0, told("biblios_http_request_seconds_count")
    asks = ApplicationCommunicator(timed(site), {"type": "http", "path": "/", "method": "GET", "headers": []})
    await asks.send_input({"type": "http.request"})
    await asks.wait()
    after = told("biblios_http_requests_total", code=code), told("biblios_http_request_seconds_count")
    assert after == (before[0] + 1, before[1] + 1)


def test_errors_in_the_log_are_counted():
    before = told("biblios_log_lines_total", level="error") or 0
    log = logging.Logger("a test")
    log.addHandler(Counting())
    log.error("Something is wrong.")
    assert told("biblios_log_lines_total", level="error") == before + 1


@pytest.mark.django_db
def test_the_worker_tells_what_is_due(ann, bob):
    now = timezone.now()
    match = seated("ann", "bob")
    Match.objects.update(wake_at=now - timedelta(seconds=40))
    Notice.objects.create(user=ann, at=now, mail_at=now - timedelta(seconds=70))
    Enquiry.objects.create(user=bob, address="bob@example.org", language="en", mail_at=now - timedelta(seconds=90))
    TreeHead.objects.create(day=(now - timedelta(days=3)).date(), size=1, note="", consistency=b"")
    with override_settings(METRICS="127.0.0.1:1"):
        vitals.tell(now)
    assert told("biblios_due_matches", by="clock") == told("biblios_running_matches") == 1
    assert told("biblios_due_matches", by="bot") == 0
    assert told("biblios_due_oldest_seconds") == 40
    assert (told("biblios_mails_due"), told("biblios_mails_oldest_seconds")) == (2, 90)
    assert 2 * 86_400 <= now.timestamp() - told("biblios_log_head_timestamp_seconds") < 3 * 86_400
    with_bot = seated("ann", bots=1)
    Match.objects.filter(pk=match.pk).update(wake_at=None)
    Match.objects.filter(pk=with_bot.pk).update(wake_at=now, mover=with_bot.seats.exclude(bot="").get().index)
    vitals.measure(now)
    assert (told("biblios_due_matches", by="bot"), told("biblios_due_matches", by="clock")) == (1, 0)
