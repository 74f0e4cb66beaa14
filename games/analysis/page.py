"""The panel “The decisions” of a review: how far it is, what mattered, and how the shares went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.text.numbers import number
from accounts.web.requests import Visitor
from games.analysis import services
from games.analysis.models import Analysis, JudgedDecision
from games.engine.luck import favoured
from games.engine.verdicts import WHOLE, Band, DecisionVerdict, Measured
from games.faces.face import Face
from games.faces.registry import face_of
from games.matches import history
from games.matches.models import Match
from games.matches.scene import Step

NAMED = 4
"""So many decisions are named first."""
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 640, 190, 44, 12, 172
"""The chart of the shares."""


class DecisionLine(NamedTuple):
    """A decision as the page tells it."""

    number: int
    """Of the row of the log, from 1."""
    address: str
    """Of the position in which it was made, as its player saw it."""
    made: str
    made_share: str
    better: str
    """Empty if nothing was clearly better."""
    better_share: str
    gain: str
    """By how much, as a band too: the difference is known better than either share."""
    reason: str
    check: str
    """The command that gives the same numbers."""


class SeatChoice(NamedTuple):
    """A player whose decisions there are to see."""

    seat: int
    name: str
    here: bool


class Curve(NamedTuple):
    """A band of the chart."""

    kind: str
    """`own` or `public`."""
    points: str


class SharesChart(NamedTuple):
    """The shares of a seat as numbers for an SVG."""

    label: str
    curves: list[Curve]
    levels: list[tuple[int, str]]
    """Horizontal lines: y, and the text beside each."""


def said(match: Match, ply: int, text: str, me: int | None = None) -> str:
    """What an answer to the question at a ply does, given or not, as whoever was asked would have seen it; only of a
    match that has ended."""
    state, move = history.replay(match).state(ply), match.rules.move(text)
    seat = state.seat
    assert seat is not None
    after = state.after(move)
    step = Step(ply, seat, text, False, False, 0, state.view(seat), after.view(seat))
    return face_of(match.rules).answer(step, [it.shown_name for it in match.sitting], me)


def share_text(band: Band) -> str:
    """A share of the win as a band."""
    low, high = round(100 * band.low / WHOLE), round(100 * band.high / WHOLE)
    if low == high:
        return _("%(share)s in 100") % {"share": number(low)}
    return _("%(low)s to %(high)s in 100") % {"low": number(low), "high": number(high)}


def gain_text(band: Band) -> str:
    """By how much an answer is better, as a band."""
    low, high = max(1, round(100 * band.low / WHOLE)), round(100 * band.high / WHOLE)
    if low >= high:
        return _("better by about %(gain)s") % {"gain": number(low)}
    return _("better by %(low)s to %(high)s") % {"low": number(low), "high": number(high)}


@dataclass
class DecisionsPanel:
    """What one visitor sees of the decisions of a match that has ended."""

    match: Match
    user: Visitor
    wanted: int | None = None
    """The seat whose decisions they want to see."""
    every: bool = False
    """Whether all of them, not only those that mattered."""
    says: str = ""
    """Why something was refused."""

    @cached_property
    def _reviews(self) -> list[Analysis]:
        return services.newest(self.match)

    @property
    def analysis(self) -> Analysis | None:
        """The review that is shown."""
        return services.shown(self._reviews)

    @property
    def newest(self) -> Analysis | None:
        """The review that was asked for last: another one, while a newer judge has not judged yet, or could not."""
        return next(iter(self._reviews), None)

    @cached_property
    def refusal(self) -> str:
        """Why nobody can ask for it; empty if they can."""
        return services.refusal(self.match)

    @property
    def shown(self) -> bool:
        """Whether there is anything to say."""
        return self.analysis is not None or not self.refusal

    @property
    def late(self) -> bool:
        """Whether one is asked for, and not there yet."""
        return self.newest is not None and self.newest.status in Analysis.LATE

    @property
    def done(self) -> bool:
        return self.analysis is not None and self.analysis.status == Analysis.Status.DONE

    @property
    def failed(self) -> bool:
        return self.newest is not None and self.newest.status == Analysis.Status.FAILED

    @property
    def older(self) -> bool:
        """Whether another judge would be asked now."""
        if self.analysis is None or not self.done or self.refusal:
            return False
        return self.analysis.version != services.version_of(self.match)

    @property
    def taken_out(self) -> bool:
        """Whether there were decisions, of accounts that are closed by now."""
        total = self.analysis.total if self.analysis else 0
        return bool(total) or any(seat.user and seat.user.closed for seat in self.match.sitting)

    @property
    def path(self) -> str:
        """The address of the panel."""
        return f"{self.match.get_absolute_url()}/decisions"

    @property
    def here(self) -> str:
        """The address of the panel as it is now."""
        if not self.done or self.seat is None:
            return self.path
        return f"{self.path}?seat={self.seat}" + ("&decisions=all" if self.every else "")

    @property
    def page(self) -> str:
        """The address of the review, for a browser without scripts."""
        return f"{self.match.get_absolute_url()}/{self.match.ply}?decisions="

    @property
    def face(self) -> Face[Any]:
        return face_of(self.match.rules)

    @cached_property
    def own(self) -> int | None:
        """The seat of the visitor."""
        pk = self.user.pk if self.user.is_authenticated else None
        return next((seat.index for seat in self.match.sitting if pk and seat.user_id == pk), None)

    @cached_property
    def decisions(self) -> list[JudgedDecision]:
        """All that were judged, in order."""
        assert self.analysis is not None
        return list(self.analysis.decisions.order_by("ply"))

    @cached_property
    def seat(self) -> int | None:
        """Whose decisions are shown: wanted, else the visitor's, else the first that there are."""
        judged = [choice.seat for choice in self._seats(None)]
        return next((seat for seat in (self.wanted, self.own, *judged) if seat in judged), None)

    @property
    def seats(self) -> list[SeatChoice]:
        """The players whose decisions were judged."""
        return self._seats(self.seat)

    def _seats(self, here: int | None) -> list[SeatChoice]:
        judged = {row.seat for row in self.decisions}
        return [
            SeatChoice(seat.index, seat.shown_name, seat.index == here)
            for seat in self.match.sitting
            if seat.index in judged
        ]

    @property
    def me(self) -> int | None:
        """The seat that is addressed as “you”."""
        return self.own if self.seat == self.own else None

    @cached_property
    def _theirs(self) -> list[JudgedDecision]:
        return [row for row in self.decisions if row.seat == self.seat]

    @property
    def count(self) -> int:
        """The number of decisions of the seat."""
        return len(self._theirs)

    @property
    def mattering(self) -> list[JudgedDecision]:
        """The decisions of the seat that cost most, the most costly first."""
        return sorted((row for row in self._theirs if row.clear), key=lambda row: -row.loss)[:NAMED]

    @property
    def listed(self) -> list[DecisionLine]:
        """The decisions that mattered; or all, in order."""
        return [self._told(row) for row in (self._theirs if self.every else self.mattering)]

    def _told(self, row: JudgedDecision) -> DecisionLine:
        match, verdict = self.match, DecisionVerdict.read(row.figures)
        made, better = [Band.of([it[which] for it in verdict.worths]) for which in (0, 1)]
        return DecisionLine(
            number=row.ply + 1,
            address=f"{match.get_absolute_url()}/{row.ply}?as={row.seat}",
            made=said(match, row.ply, verdict.made, self.me),
            made_share=share_text(made),
            better=said(match, row.ply, verdict.better, self.me) if row.clear else "",
            better_share=share_text(better),
            gain=gain_text(Band.of([worth.loss for worth in verdict.worths])),
            reason=self.face.reason(verdict.reason) if row.clear and verdict.reason else "",
            check=f"manage.py judge {match.key} {row.ply}",
        )

    @property
    def luck(self) -> str:
        """Whom chance has favoured, in a sentence; empty where nothing says it."""
        luck = [Measured(*it) for it in self.analysis.courses.get("luck", [])] if self.analysis else []
        if not luck:
            return ""
        seat = favoured(luck)
        if seat is None:
            return _("The cards favoured nobody that one could tell.")
        wins, error = max(1, round(100 * luck[seat].mean / WHOLE)), max(1, round(200 * luck[seat].error / WHOLE))
        text = ngettext(
            "The cards favoured %(name)s by about %(wins)s win in 100 games (± %(error)s).",
            "The cards favoured %(name)s by about %(wins)s wins in 100 games (± %(error)s).",
            wins,
        )
        return text % {"name": self.match.sitting[seat].shown_name, "wins": number(wins), "error": number(error)}

    @property
    def luck_check(self) -> str:
        """The command that prints what is behind that sentence."""
        return f"manage.py judge {self.match.key}"

    @property
    def chart(self) -> SharesChart | None:
        """How the share of the seat went: by what its player knew, and by what everybody did."""
        courses = self.analysis.courses if self.analysis else {}
        if self.seat is None or str(self.seat) not in courses:
            return None
        plies: list[int] = courses["plies"]
        own = [Band(*it) for it in courses[str(self.seat)]]
        public = [Band(*bands[self.seat]) for bands in courses["public"]]
        label = _("The share of the win by the player’s own view: %(first)s at the start, %(last)s at the end.")
        return SharesChart(
            label % {"first": share_text(own[0]), "last": share_text(own[-1])},
            [Curve("public", outline(plies, public)), Curve("own", outline(plies, own))],
            [(y_of(part * WHOLE // 2), number(50 * part)) for part in range(3)],
        )


def y_of(share: int) -> int:
    return round(BOTTOM - (BOTTOM - TOP) * share / WHOLE)


def outline(plies: Sequence[int], bands: Sequence[Band]) -> str:
    """The points of a polygon around these bands, as SVG writes them: a band is never thinner than a line."""
    last = max(1, plies[-1])
    xs = [round(LEFT + (WIDTH - 6 - LEFT) * ply / last) for ply in plies]
    above = [(x, y_of(band.high) - 1) for x, band in zip(xs, bands, strict=True)]
    below = [(x, y_of(band.low) + 1) for x, band in zip(xs, bands, strict=True)]
    return written([*above, *reversed(below)])


def written(points: Iterable[tuple[int, int]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)
