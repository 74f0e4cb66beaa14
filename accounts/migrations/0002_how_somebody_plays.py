from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="confirms",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="user",
            name="letters",
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name="user",
            name="patterns",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="user",
            name="text",
            field=models.CharField(
                choices=[("normal", "Normal"), ("large", "Large"), ("larger", "Larger")], default="normal", max_length=6
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="volume",
            field=models.PositiveSmallIntegerField(default=25),
        ),
        migrations.AddField(
            model_name="user",
            name="written",
            field=models.CharField(
                choices=[("words", "Words"), ("notation", "Notation")], default="words", max_length=8
            ),
        ),
    ]
