from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_how_somebody_plays"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="archivedmatch", name="accounts_archive_levels"),
        migrations.AddIndex(
            model_name="archivedmatch",
            index=models.Index(
                condition=models.Q(("seats", 1)),
                fields=["user", "game", "level", "ended", "won", "points"],
                name="accounts_archive_levels",
            ),
        ),
    ]
