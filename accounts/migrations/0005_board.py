from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_tallies")]

    operations = [
        migrations.RemoveIndex("rating", "accounts_rating_board"),
        migrations.AddIndex("rating", models.Index(fields=["pool", "-value", "games"], name="accounts_rating_board")),
    ]
