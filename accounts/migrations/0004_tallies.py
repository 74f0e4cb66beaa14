import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

COUNT = """
INSERT INTO accounts_tally (user_id, seats, pool, categories, games, won, points)
SELECT user_id, seats, pool, categories, COUNT(*), SUM(CASE WHEN place = 1 THEN 1 ELSE 0 END), SUM(points)
FROM accounts_archivedmatch GROUP BY user_id, seats, pool, categories
"""

BEST = """
UPDATE accounts_rating SET best = (
    SELECT MAX(CASE WHEN old.before > old.after THEN old.before ELSE old.after END)
    FROM accounts_archivedmatch AS old WHERE old.user_id = accounts_rating.user_id AND old.pool = accounts_rating.pool
) WHERE games > 0 AND EXISTS (
    SELECT 1 FROM accounts_archivedmatch AS old
    WHERE old.user_id = accounts_rating.user_id AND old.pool = accounts_rating.pool
)
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_sessions")]

    operations = [
        migrations.AddField("rating", "best", models.FloatField(default=1500)),
        migrations.CreateModel(
            name="Tally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seats", models.PositiveSmallIntegerField()),
                ("pool", models.CharField(blank=True, max_length=3)),
                ("categories", models.CharField(blank=True, max_length=16)),
                ("games", models.PositiveIntegerField()),
                ("won", models.PositiveIntegerField()),
                ("points", models.IntegerField()),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tallies",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"verbose_name_plural": "tallies"},
        ),
        migrations.AddConstraint(
            "tally",
            models.UniqueConstraint(fields=("user", "seats", "pool", "categories"), name="accounts_tally_once"),
        ),
        migrations.RemoveIndex("archivedmatch", "accounts_archive_page"),
        migrations.AddIndex(
            "archivedmatch",
            models.Index(fields=["user", "-ended_at", "-id", "seats", "place", "pool"], name="accounts_archive_page"),
        ),
        migrations.AddIndex(
            "archivedmatch",
            models.Index(fields=["user", "pool", "ended_at", "id", "after"], name="accounts_archive_chart"),
        ),
        # What was archived before; the sums go on from there.
        migrations.RunSQL(COUNT, migrations.RunSQL.noop),
        migrations.RunSQL(BEST, migrations.RunSQL.noop),
    ]
