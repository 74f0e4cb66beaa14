from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0004_outage")]

    operations = [
        migrations.AddIndex(
            "match",
            models.Index(
                fields=["-ended_at", "-id"],
                condition=models.Q(status="finished", listed=True, watch="all", guided=False),
                name="games_match_shown",
            ),
        ),
    ]
