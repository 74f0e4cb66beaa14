from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0008_ladder_append_only")]

    operations = [
        migrations.RemoveConstraint(model_name="standingorder", name="games_order_one_a_lot"),
        migrations.RemoveField(model_name="standingorder", name="lot"),
        migrations.RemoveField(model_name="standingorder", name="limit"),
        migrations.AddField(
            model_name="standingorder",
            name="kind",
            field=models.CharField(max_length=10, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="standingorder", name="value", field=models.CharField(max_length=20, blank=True)
        ),
        migrations.AddConstraint(
            model_name="standingorder",
            constraint=models.UniqueConstraint(fields=["seat", "kind"], name="games_order_one_a_kind"),
        ),
    ]
