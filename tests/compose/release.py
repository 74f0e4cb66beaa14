"""A next release, made of this checkout, to which people who play are upgraded.

Until the first release is public there is one migration for all tables, so no two commits have a migration between
them. This release has one more in each app, as the rules for tables that people play on allow
(tests/biblios_site/test_migrations.py), the models to it, and other addresses of a script and a style sheet.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = "next_release"
"""What its migrations are called, after their number."""
SCRIPT, SHEET = "js/table.js", "css/base.css"
"""What has other bytes, below static/: a page of a table names both."""

MIGRATION = """from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("{app}", "{last}")]

    operations = [
        {operations},
    ]
"""
COLUMN = "models.IntegerField(null=True)"
OPERATIONS = {
    "accounts": f'migrations.AddField("user", "trial", {COLUMN})',
    "games": f"""migrations.AddField("logentry", "trial", {COLUMN}),
        migrations.CreateModel("Trial", [("id", models.BigAutoField(auto_created=True, primary_key=True,
            serialize=False, verbose_name="ID")), ("note", models.CharField(max_length=20))])""",
}
CHANGES = [
    ("accounts/models.py", "    folded = models.", f"    trial = {COLUMN}\n"),
    ("games/matches/models.py", "    link = models.BinaryField(max_length=8, null=True)\n", f"    trial = {COLUMN}\n"),
    (
        "games/matches/models.py",
        "class LogEntry(",
        "class Trial(models.Model):\n    note = models.CharField(max_length=20)\n\n\n",
    ),
    (f"static/{SHEET}", "", "/* The next release. */\n"),
    (f"static/{SCRIPT}", "", "// The next release.\n"),
]
"""Files, what a line begins with (nothing: the end of the file), and what is put before it."""


def make(folder: Path) -> dict[str, str]:
    """Put the files of this checkout and what is new into a folder; the last migration of this release by app."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    last = {}
    for app, operations in OPERATIONS.items():
        migrations = folder / app / "migrations"
        last[app] = max(file.stem for file in migrations.glob("0*.py"))
        new = MIGRATION.format(app=app, last=last[app], operations=operations)
        (migrations / f"{int(last[app][:4]) + 1:04}_{NAME}.py").write_text(new)
    for name, before, added in CHANGES:
        text = (folder / name).read_text()
        if text.count(before) != 1 and before:
            raise RuntimeError(f"{name}: “{before.strip()}” stands there {text.count(before)} times, and not once.")
        (folder / name).write_text(text.replace(before, added + before) if before else text + added)
    return last
