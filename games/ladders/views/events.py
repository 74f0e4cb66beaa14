"""The history of a ladder: all events, one player's page, the seasons."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import urlencode

from accounts.actions import page
from accounts.career import ratings
from accounts.clubs import clubs
from accounts.database.keyset import BadCursor, Page
from accounts.models import Right, User
from accounts.text.names import folded
from games.ladders.models import Ladder, LadderEvent
from games.ladders.pages import awards, rivals, story, tallies
from games.ladders.pages import ladder as ladder_page
from games.ladders.pages import player as player_page
from games.ladders.pages import seasons as ladder_seasons
from games.ladders.views.access import ladder_or_404
from games.ladders.words import events as event_words
from games.matches.clocks import instant, ms_of


def turned(request: HttpRequest, rows: QuerySet[LadderEvent]) -> Page[LadderEvent]:
    """The page of a ladder's events that the address asks for."""
    try:
        return story.page(rows, request.GET.get("older", ""), request.GET.get("newer", ""))
    except BadCursor as error:
        raise Http404 from error


@page(ladder_or_404)
def history(request: HttpRequest, ladder: Ladder) -> HttpResponse:
    """Every change of the ladder, newest first."""
    kind = request.GET.get("kind", "")
    if kind and kind not in event_words.WORDS:
        raise Http404
    name, of_season = request.GET.get("player", "").replace("\0", "").strip(), request.GET.get("season", "")
    all_seasons = ladder_seasons.seasons(ladder)
    season = next((each for each in all_seasons if str(each.number) == of_season), None)
    if of_season and season is None:
        raise Http404
    rows = ladder.log.filter(kind=kind) if kind else ladder.log.all()
    if season:
        rows = ladder_seasons.within(rows, season)
    person = User.objects.filter(folded=folded(name)).first() if name else None
    if name:
        rows = player_page.events(ladder, rows, person) if person else rows.none()
    filtered = {key: text for key, text in (("kind", kind), ("player", name), ("season", of_season)) if text}
    wanted = request.GET.get("event", "")
    if wanted and not filtered:
        try:
            shown = story.around(rows, wanted)
        except BadCursor as error:
            raise Http404 from error
    else:
        shown = turned(request, rows)
    return render(
        request,
        "ladders/history.html",
        {
            "club": ladder.club,
            "ladder": ladder,
            "steward": clubs.may(ladder.club, request.user, Right.LADDER),
            "kind": kind,
            "kinds": {name: words.heading for name, words in event_words.WORDS.items()},
            "filtered": bool(filtered),
            "name": name,
            "stranger": bool(name) and person is None,
            "names": sorted(story.PlayerLinks(ladder, ladder.now_standing().players).plain.values(), key=folded),
            "season": season,
            "seasons": all_seasons,
            "told": story.narrate(ladder, shown.rows),
            "wanted": shown.rows[0].number if wanted and not filtered else None,
            "turned": "older" in request.GET or "newer" in request.GET,
            "newest": urlencode(filtered),
            "newer": shown.newer and urlencode({**filtered, "newer": shown.newer}),
            "older": shown.older and urlencode({**filtered, "older": shown.older}),
        },
    )


@page(ladder_or_404)
def player(request: HttpRequest, ladder: Ladder, username: str) -> HttpResponse:
    """One player: their positions over time, and the events behind them."""
    standing = ladder.now_standing()
    # PostgreSQL refuses to look up a text with a NUL.
    user = None if "\0" in username else User.objects.filter(folded=folded(username)).first()
    if user is None:
        raise Http404
    known = standing.players.get(user.pk)
    moves = player_page.moves(ladder, user)
    if not known and not moves.exists():
        raise Http404
    now = timezone.now()
    season = ladder_seasons.running_season(ladder, standing)
    span = request.GET.get("span", "")
    if span not in ("season", "all"):
        span = "season" if season else "all"
    stands = player_page.stands(ladder, user, season if span == "season" else None)
    days_off = known and known.days_off(ms_of(now))
    shown, games = turned(request, moves), player_page.games(ladder, user)
    tally, against = tallies.of_player(ladder, user.pk)
    both = {event.number: event for event in (*shown.rows, *games)}
    told = {one.number: one for one in story.narrate(ladder, list(both.values()), user.pk)}
    return render(
        request,
        "ladders/player.html",
        {
            "club": ladder.club,
            "ladder": ladder,
            "person": user,
            "known": known,
            "position": standing.position(user.pk),
            "of": len(standing.order),
            "best": player_page.best(ladder, user),
            "rating": ratings.shown(known.rating, known.games) if known else "",
            "tally": tally,
            "rivals": rivals.rivals(ladder, user, against),
            "form": [(code, ladder_page.letter(code), ladder_page.word(code)) for code in known.form] if known else [],
            "away": known and known.away(ms_of(now)),
            "days_off": days_off and [instant(moment) for moment in days_off],
            "season": season,
            "span": span,
            "chart": player_page.chart(stands, now),
            "why": [told[event.number] for event in shown.rows],
            "games": [told[event.number] for event in games],
            "newer": shown.newer and urlencode({"span": span, "newer": shown.newer}),
            "older": shown.older and urlencode({"span": span, "older": shown.older}),
        },
    )


@page(ladder_or_404)
def seasons(request: HttpRequest, ladder: Ladder) -> HttpResponse:
    """All seasons, newest first."""
    found = ladder_seasons.seasons(ladder)
    names = story.PlayerLinks(ladder, (season.final[0][0] for season in found if season.final))
    best = awards.best_of_all(ladder, tallies.best_of_all(ladder, found))
    return render(
        request,
        "ladders/seasons.html",
        {
            "club": ladder.club,
            "ladder": ladder,
            "seasons": [(season, names[season.final[0][0]] if season.final else None) for season in found],
            "best": best,
        },
    )


@page(ladder_or_404)
def season(request: HttpRequest, ladder: Ladder, season: int) -> HttpResponse:
    """One season: its final table, or the present standing, and its games."""
    found = ladder_seasons.season(ladder, season)
    if found is None:
        raise Http404
    ranking = ladder_seasons.ranking(ladder, found)
    counted, won = tallies.of_season(ladder, found, (row.player for row in ranking))
    shown = turned(request, ladder_seasons.results(ladder, found))
    return render(
        request,
        "ladders/season.html",
        {
            "club": ladder.club,
            "ladder": ladder,
            "season": found,
            "ranking": [(row, counted[row.player]) for row in ranking],
            "awards": awards.of_season(ladder, won),
            "games": story.narrate(ladder, shown.rows),
            "number": ladder_seasons.results(ladder, found).count(),
            "newer": shown.newer and urlencode({"newer": shown.newer}),
            "older": shown.older and urlencode({"older": shown.older}),
        },
    )
