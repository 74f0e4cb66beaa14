from django.db import models

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
