"""A guest, who has no profile, insults people at their table: nobody can tell the stewards."""

import re


def test_a_guest_is_reported_from_the_table(attacked):
    host, guest = attacked.player("insulted"), attacked.visitor()
    table = host.table()
    guest.post(f"{table}/join", by="guest")
    report = re.search(r'href="(/@/[^"]+/report\?match=[^"]+)"', host.get(table).text)
    assert report, "the table of the host leads to the report"
    name = report[1].split("/")[2]
    sent = host.post(report[1], text="Shouts at people.", match=table.rpartition("/")[2])
    assert (sent.status, sent.path) == (200, table)
    assert name in attacked.manage(
        "shell", "-c", "from accounts.models import Report; print(Report.objects.get().about)"
    )
