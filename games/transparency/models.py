from typing import Any, NoReturn

from django.db import models

from games.ladders.models import Ladder
from games.matches.models import Match


class Appended(models.Model):
    """A row that is never changed or deleted: the database itself refuses."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("a row of the public log is never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("a row of the public log is never deleted")


class TreeLeaf(Appended):
    """An entry of the public log: the head of a match that has ended, or of a ladder as it stood then."""

    index = models.PositiveIntegerField(primary_key=True)
    match = models.OneToOneField(Match, null=True, on_delete=models.PROTECT, related_name="leaf")
    ladder = models.ForeignKey(Ladder, null=True, on_delete=models.PROTECT, related_name="leaves")
    events = models.PositiveIntegerField(null=True)
    """The number of events of the ladder then."""
    text = models.TextField()
    """What is hashed: see `games.transparency.heads`."""

    class Meta(Appended.Meta):
        ordering = ["index"]
        constraints = [models.UniqueConstraint(fields=["ladder", "events"], name="games_treeleaf_once")]

    def __str__(self) -> str:
        return str(self.index)


class TreeNode(Appended):
    """A perfect tree over leaves: see `games.transparency.tree`. Those of level 0 are the hashes of the leaves."""

    pk = models.CompositePrimaryKey("level", "number")
    level = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    digest = models.BinaryField(max_length=32)

    class Meta(Appended.Meta):
        ordering = ["level", "number"]

    def __str__(self) -> str:
        return f"{self.level}/{self.number}"


class TreeHead(Appended):
    """The signed checkpoint of a day."""

    day = models.DateField(primary_key=True)
    size = models.PositiveIntegerField()
    """The number of leaves."""
    note = models.TextField()
    """The signed note: see `games.transparency.checkpoint`."""
    consistency = models.BinaryField()
    """The proof that the tree of the head before begins this one: hashes of 32 bytes, one after the other."""

    class Meta(Appended.Meta):
        ordering = ["day"]

    def __str__(self) -> str:
        return self.day.isoformat()
