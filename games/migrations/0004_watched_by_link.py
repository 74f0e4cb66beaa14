from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0003_hand_of_the_day")]

    operations = [
        migrations.AlterField(
            model_name="match",
            name="watch",
            field=models.CharField(
                choices=[
                    ("all", "Anyone"),
                    ("link", "People with the link"),
                    ("none", "No one"),
                    ("club", "Members of the club"),
                ],
                default="all",
                max_length=4,
            ),
        ),
    ]
