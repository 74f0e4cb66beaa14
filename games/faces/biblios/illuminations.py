"""What the illuminations on the 45 cards of the categories show (static/biblios/cards.svg), in words."""

from django.utils.translation import gettext_lazy

from games.engine.biblios.cards import TEXTS

_SHOWN = (
    # Monks
    *(gettext_lazy("The Scribe"), gettext_lazy("The Gardener"), gettext_lazy("The Cellarer")),
    *(gettext_lazy("The Beekeeper"), gettext_lazy("The Singer"), gettext_lazy("The Baker")),
    *(gettext_lazy("The Porter"), gettext_lazy("The Shepherd"), gettext_lazy("The Novice")),
    # Pigments
    *(gettext_lazy("Gold Leaf"), gettext_lazy("Lapis Lazuli"), gettext_lazy("Tyrian Purple")),
    *(gettext_lazy("Vermilion"), gettext_lazy("Verdigris"), gettext_lazy("Saffron")),
    *(gettext_lazy("Madder"), gettext_lazy("Ochre"), gettext_lazy("Lampblack")),
    # Holy Books
    *(gettext_lazy("The Gospels"), gettext_lazy("The Psalter"), gettext_lazy("The Book of Hours")),
    *(gettext_lazy("The Apocalypse"), gettext_lazy("The Antiphonary"), gettext_lazy("The Missal")),
    *(gettext_lazy("Genesis"), gettext_lazy("Jonah"), gettext_lazy("The Breviary")),
    # Manuscripts
    *(gettext_lazy("The World Map"), gettext_lazy("The Herbal"), gettext_lazy("The Bestiary")),
    *(gettext_lazy("The Chronicle"), gettext_lazy("The Charter"), gettext_lazy("The Romance")),
    *(gettext_lazy("The Recipes"), gettext_lazy("The Letter"), gettext_lazy("The Accounts")),
    # Forbidden Tomes
    *(gettext_lazy("The Grimoire"), gettext_lazy("Of Alchemy"), gettext_lazy("Of Necromancy")),
    *(gettext_lazy("Of the Stars"), gettext_lazy("Of Poisons"), gettext_lazy("Of Dragons")),
    *(gettext_lazy("Of Jests"), gettext_lazy("The Art of Love"), gettext_lazy("The Chained Book")),
)
ILLUMINATIONS = dict(zip(TEXTS, _SHOWN, strict=False))
"""What the picture on each card of a category shows, by its code."""
