"""Events of a club that play Ex Libris, though its ladder does not: whole games, from the form to the final table."""

import re
from html import unescape

import pytest
from django.utils import timezone

from accounts.models import Notice
from games.clubs.calendar.kinds import KINDS
from games.engine.registry import game_of
from games.faces.registry import face_of
from games.matches.models import Match
from games.tournaments import audit, due, events
from games.tournaments.models import Tournament
from tests.clubs.clubs import club_of
from tests.clubs.event_forms import DEAL, SWISS
from tests.matches.matches import rushed
from tests.people import person
from tests.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.once]
GAME = game_of("exlibris", 1)
Kind = Tournament.Kind
FIELDS = SWISS | {"rounds": "1", "preset": "peaceful", "box": "4", "group": "4", "through": "2", "boards": "2"}
FIELDS |= {"minutes": "60", "halves": "0", "game": "exlibris"}
FOUR = "ann", "bob", "dan", "eve"


def play_all():
    """All games that have begun are played to their end."""
    due.work(timezone.now())
    for number, match in enumerate(Match.objects.seated().filter(status="running")):
        rushed(match, seed=number)


@pytest.mark.parametrize("kind", Kind)
def test_whole_games_are_played_in_events_of_every_kind(at, kind):
    club = club_of(*FOUR, season=False, now=timezone.now()).club
    slug = next(slug for slug, each in KINDS.items() if each.tournament == kind)
    own = {"kind": slug, "seats": "3" if kind == Kind.EVENING else "2", "time": "1d" if kind == Kind.BOXES else "10+15"}
    fields = DEAL | {"preset": "peaceful", "game": "exlibris"} if kind == Kind.DEAL else FIELDS | own
    opened = at("ann").post(f"/c/{club.slug}/calendar/new", fields)
    made = Tournament.objects.get()
    assert opened.url == made.get_absolute_url()
    assert (made.game, made.options) == ("exlibris", GAME.preset("peaceful"))
    address = made.get_absolute_url()
    for name in FOUR:
        at(name).post(f"{address}/enter")
        if kind == Kind.DEAL:
            play_all()
    if kind == Kind.TEAMS:
        for number, team in enumerate(("Choir", "Kitchen")):
            at("ann").post(f"{address}/teams/make", {"name": team})
            for name in FOUR[number::2]:
                at(name).post(f"{address}/teams/choose", {"team": str(number)})
    if kind == Kind.EVENING:
        at("ann").post(f"{address}/seat", {"how": "unmet", "size": "3", "fill": "on", "rounds": "0"})
    elif kind == Kind.DUPLICATE:
        at("ann").post(f"{address}/next", {"rounds": "0"})
    elif kind != Kind.DEAL:
        at("ann").post(f"{address}/begin")
    play_all()
    if kind in (Kind.ROUND_ROBIN, Kind.SWISS, Kind.KNOCKOUT):
        at("ann").post(f"{address}/next", {"rounds": "1"})
        play_all()
    at("ann").post(f"{address}/close")
    made.refresh_from_db()
    assert made.closed_at is not None
    tables = [table for each in events.standing(made).rounds for table in each.tables]
    assert tables and all(table.over and table.places and table.points for table in tables)
    assert set(Match.objects.values_list("game", "status")) == {("exlibris", "finished")}
    for name in ("", "ann", "bob"):
        for path in (address, f"{address}/wall", f"/c/{club.slug}/tournaments", f"/c/{club.slug}"):
            answer = at(name).get(path)
            assert answer.status_code == 200 and ("Ex Libris" in text(answer) or path == f"/c/{club.slug}")
    audit.check(made)
    assert Notice.objects.filter(user=person("bob")).exists()


@pytest.mark.parametrize("kind", ["swiss", "night"])
def test_an_event_plays_any_game_whatever_the_ladders_of_the_club_play(at, kind, game):
    club, other = club_of("ann", season=False).club, club_of("ann", season=False, slug="reichenau", game=game).club
    presets = [str(preset.label) for preset in face_of(game).presets.values()]

    def offered(query, of=club):
        html = at("ann").get(f"/c/{of.slug}/calendar/new?kind={kind}{query}").content.decode()
        form = html.partition('name="preset"')[2].partition("</select>")[0]
        return [unescape(label) for label in re.findall(r"<option[^>]*>(.*?)</option>", form)]

    assert offered(f"&game={game.slug}") == presets
    assert offered("", other) == offered(f"&game={game.slug}")
    assert at("ann").get(f"/c/{club.slug}/calendar/new?kind={kind}&game=chess").status_code == 404
