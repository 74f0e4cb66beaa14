from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0005_shown")]

    operations = [
        migrations.RemoveIndex("match", "games_match_shown"),
        migrations.AddIndex("match", models.Index(fields=["status", "-ended_at", "-id"], name="games_match_ended")),
    ]
