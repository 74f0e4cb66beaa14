"""A season with evenings and tournaments, played by bots through the services; and what a round must not be."""

import re
from io import StringIO

import pytest
from django.core.management import call_command

from accounts.models import Club
from games.tournaments.models import Tournament, TournamentEvent
from games.tournaments.payloads import PastEvent, payload_of
from tools.pairing_promises import BrokenPromise
from tools.simulated_club import WAYS
from tools.tournament_promises import check

Kind = Tournament.Kind


@pytest.mark.once
@pytest.mark.slow
@pytest.mark.django_db
def test_a_season_has_evenings_and_tournaments_of_all_kinds_that_hold_what_they_promise():
    out = StringIO()
    call_command(
        "simulateseason", "--seed=x", "--members=5", "--weeks=2", "--challenges=1", "--game=exlibris", stdout=out
    )
    said = out.getvalue()
    assert "2 evenings and 15 tournaments" in said
    assert "nobody was at two live tables of events at once; all rounds hold what their kinds promise" in said
    assert said.count("replayed: no fault") == 3
    club = Club.objects.get()
    assert set(club.tournaments.values_list("kind", flat=True)) == set(Kind)
    assert set(club.tournaments.filter(at_table=True).values_list("kind", flat=True)) == {Kind.EVENING, Kind.SWISS}
    assert all(f"  {label}: " in said for label in Kind.labels)
    assert "Club night with real cards: 1 played, 3 rounds" in said
    for way in WAYS:
        assert re.search(rf"\d {way}", said), way
    assert not club.tournaments.filter(closed_at=None).exists()
    kinds = set(TournamentEvent.objects.values_list("kind", flat=True))
    assert {"open", "enter", "begin", "round", "result", "close"} <= kinds


def played(kind, groups, *rounds, seats=2, until=None):
    """The events of a tournament of these groups, with these rounds: tables, and who has a bye. The first at each table
    wins."""
    told = [("open", {"tournament": kind, "seats": seats, "settings": {"rounds": 9}})]
    people = [player for group in groups for player in group]
    told += [("enter", {"player": player, "guest": False, "ticked": False}) for player in people]
    if kind != Kind.EVENING:
        told.append(("begin", {"groups": groups, "seed": ""}))
    for number, (tables, byes) in enumerate(rounds):
        deadline = {"until": until} if until else {}
        seated = [{"players": table, "bots": 0, "match": f"{number} {table}"} for table in tables]
        told.append(("round", {"tables": seated, "byes": byes, "how": "", "seed": "", **deadline}))
        for index, table in enumerate(tables):
            places = [*range(1, len(table) + 1)]
            told.append(("result", {"round": number, "table": index, "places": places, "points": places}))
    return [PastEvent(number, number, payload_of(kind, data)) for number, (kind, data) in enumerate(told)]


FOUR = [[1, 2, 3, 4]]


@pytest.mark.parametrize(
    ("kind", "groups", "rounds", "why"),
    [
        (Kind.EVENING, FOUR, [([[1, 2], [2, 3]], [])], "two seats of a round"),
        (Kind.EVENING, [[1, 2, 3]], [([[1, 2]], [3]), ([[1, 2]], [3])], "a bye more than others"),
        (Kind.SWISS, [[1, 2, 3]], [([[1, 2]], [3]), ([[1, 2]], [3])], "a bye more than others"),
        (Kind.SWISS, FOUR, [([[1, 2], [3, 4]], []), ([[1, 2], [3, 4]], [])], "repeats and differences"),
        (Kind.ARENA, FOUR, [([[1, 2], [3, 4]], []), ([[1, 2]], [])], "have just met"),
        (Kind.KNOCKOUT, FOUR, [([[1, 4], [2, 3]], []), ([[1, 3]], [])], "go on, and have lost"),
        (Kind.ROUND_ROBIN, FOUR, [([[1, 2], [3, 4]], []), ([[1, 2], [3, 4]], [])], "everybody meets everybody once"),
    ],
)
def test_a_round_that_breaks_a_promise_is_found(kind, groups, rounds, why):
    with pytest.raises(BrokenPromise, match=why):
        check(played(kind, groups, *rounds))


@pytest.mark.parametrize(
    ("boxes", "why"),
    [
        ([[1, 2, 5, 6], [3, 4, 7, 8]], None),
        ([[1, 2, 3, 5], [4, 6, 7, 8]], "from box to box"),
        ([[1, 2, 5, 6, 3], [4, 7, 8]], "boxes of"),
    ],
)
def test_from_each_box_two_go_up_and_two_down(boxes, why):
    pairs = [[[0, 3], [1, 2]], [[0, 2], [3, 1]], [[0, 1], [2, 3]]]
    turn = [([[box[a], box[b]] for box in ([1, 2, 3, 4], [5, 6, 7, 8]) for a, b in each], []) for each in pairs]
    events = played(Kind.BOXES, [[1, 2, 3, 4], [5, 6, 7, 8]], *turn, until=2**40)
    events.append(PastEvent(len(events), 2**40, payload_of("begin", {"groups": boxes, "seed": ""})))
    if why is None:
        check(events)
        return
    with pytest.raises(BrokenPromise, match=why):
        check(events)
