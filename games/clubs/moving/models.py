from django.db import models

from games.tournaments.models import Tournament

LONGEST_SITE = 200
"""The most characters of the address of a site."""


class ClubHistory(models.Model):
    """What a club that moved here had at its former site. Written by `games.clubs.moving.intake` only."""

    club = models.ForeignKey("accounts.Club", on_delete=models.PROTECT, related_name="histories")
    site = models.CharField(max_length=LONGEST_SITE)
    """The address of that site."""
    at = models.DateTimeField()
    """When the club left there."""
    document = models.BinaryField()
    """The file that it came in, compressed by gzip: see `games.clubs.moving.document`."""

    class Meta:
        ordering = ["at", "id"]

    def __str__(self) -> str:
        return f"{self.club} at {self.site}"


class FormerTournament(models.Model):
    """A night or a tournament that a club played at a site where it was before, as members read it here. Written by
    `games.clubs.moving.intake` only."""

    club = models.ForeignKey("accounts.Club", on_delete=models.CASCADE, related_name="former_tournaments")
    site = models.CharField(max_length=LONGEST_SITE)
    name = models.CharField(max_length=60)
    kind = models.CharField(max_length=11, choices=Tournament.Kind)
    at = models.DateTimeField()
    """When it was opened."""
    closed = models.BooleanField()
    """Whether it was over before the club moved."""
    table = models.JSONField()
    """Its final table: group, place, name at that site and points of each line."""

    def __str__(self) -> str:
        return f"{self.name} at {self.site}"

    @property
    def grouped(self) -> bool:
        """Whether it has several tables."""
        return any(group > 1 for group, *_others in self.table)
