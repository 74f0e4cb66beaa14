"""The page of the site's own bots: how each plays, and how strong it is."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import ngettext

from accounts.actions import page
from accounts.text.numbers import number
from games.engine.core import Game
from games.engine.registry import titles
from games.faces import levels
from games.faces.face import Face
from games.faces.registry import face_of
from games.lobby.chosen import chosen_game
from games.lobby.forms import sizes
from games.matches import house


class HouseBot(NamedTuple):
    """A bot that people can choose."""

    level: str
    plays: str
    """How it plays, in a sentence or two."""
    shares: list[tuple[str, str, str]]
    """For each number of players at which it was measured: that number in words, what part of the games it wins against
    the usual bot, and half the width of the interval, both in per cent."""
    ratings: list[tuple[str, str, str, int]]
    """For each pool with a rating: its name, the rating and half the width of the interval, and the number of games
    with people that it rests on."""
    usual: bool
    """Whether it sits down if nobody chooses, and plays on for those who leave."""


@page()
def bots(request: HttpRequest) -> HttpResponse:
    """How the bots of a title play, and how strong they are."""
    game = chosen_game(request)
    faces = [face_of(each) for each in titles()]
    return render(
        request,
        "lobby/bots.html",
        {"face": face_of(game), "faces": faces, "bots": bots_of(game), "only": levels.only(game)},
    )


def rate(now: datetime) -> None:
    """Rate the bots of all titles, once a day."""
    for game in titles():
        house.renew(game, face_of(game).bot_shares, now.date())


def bots_of(game: Game) -> list[HouseBot]:
    """The bots of a title, weakest first."""
    face = face_of(game)
    ratings = house.ratings_of(game)
    return [
        HouseBot(
            level,
            str(face.how_bots_play.get(name, "")),
            shares_of(game, face, name),
            [
                (str(face.pools[pool]), number(round(it.rating.value)), number(round(it.rating.either_side)), it.games)
                for pool, found in ratings.items()
                if (it := found.get(name))
            ],
            name == game.bot,
        )
        for name, level in levels.offered(game).items()
    ]


def shares_of(game: Game, face: Face[Any], name: str) -> list[tuple[str, str, str]]:
    measured = face.bot_shares.get(name, {})
    return [
        (
            ngettext("%(count)s player", "%(count)s players", places) % {"count": number(places)},
            number(round(100 * measured[places][0])),
            number(round(100 * measured[places][1])),
        )
        for places in sizes(game)
        if places in measured
    ]
