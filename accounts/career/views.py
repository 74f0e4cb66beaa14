"""The players: profiles, archives of games, the leader board. All of it is public."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from django.contrib import messages
from django.db import connection
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.career import alone as solo
from accounts.career import charts, lines, ratings, together
from accounts.career.filters import ArchiveFilter
from accounts.career.titles import TITLES
from accounts.clubs import clubs
from accounts.database import keyset
from accounts.models import ArchivedMatch, Block, Rating, User
from accounts.people import following
from accounts.shown import PlayerShown
from accounts.text.names import folded
from accounts.web import datetimes, throttle
from accounts.web.requests import Visitor

LATEST = 10
"""The number of games on a profile."""
PAGE = 50
"""The number of games on a page of the archive."""
LEADERS = 100
COMPANY = {"people": lines.PEOPLE, "bots": lines.BOTS, "alone": lines.ALONE}
"""With whom games were played whose figures are shown."""
SPANS = {"month": 30, "half": 182, "all": None}
"""The number of days that the chart goes back."""


class Leader(NamedTuple):
    """A line of the leader board."""

    rank: int | None
    person: PlayerShown
    games: int
    mine: bool
    """Whether it is the visitor's."""


def in_short(held: Rating | None) -> tuple[str, int | None]:
    """A rating as a profile shows it, `1500?` from the first rated game on, and the best once it is settled."""
    if held is None:
        return "", None
    best = round(held.best) if held.games >= ratings.PROVISIONAL else None
    return ratings.shown(held.value, held.games), best


@require_safe
def profile(request: HttpRequest, username: str) -> HttpResponse:
    """A person's profile: ratings, statistics, chart, latest games."""
    person = person_or_404(username)
    if person.closed:
        return closed(request)
    careers = lines.careers(person)
    played = max(TITLES.values(), key=lambda each: sum(careers[each.slug, kind].games for kind in COMPANY.values()))
    title = TITLES.get(request.GET.get("game", ""), played)
    of = {name: careers[title.slug, kind] for name, kind in COMPANY.items()}
    company = request.GET.get("with", "")
    if company not in COMPANY:
        company = next((name for name in COMPANY if of[name].games), "people")
    sums, people = of[company], of["people"]
    bots, alone = COMPANY[company]
    feats = dict(person.feats.filter(game=title.slug, bots=bots, alone=alone).values_list("code", "times"))
    held = {rating.pool: rating for rating in person.ratings.filter(game=title.slug)}
    pool, span = request.GET.get("pool", ""), request.GET.get("span", "")
    if pool not in title.pools:
        pool = max(held, key=lambda each: held[each].games, default=title.first_pool)
    span = span if span in SPANS else "half"
    # index accounts_archive_page
    latest = ArchivedMatch.objects.filter(user=person).order_by("-ended_at", "-id")[:LATEST]
    user = request.user
    between = about(user, person, title.slug) if user.is_authenticated and not user.guest and user != person else {}
    return render(
        request,
        "accounts/career/profile.html",
        {
            "person": person,
            "address": person.get_absolute_url(),
            "ratings": [(name, *in_short(held.get(key))) for key, name in title.pools.items()],
            "titles": TITLES.values(),
            "title": title,
            **of,
            "company": company,
            "reached": solo.reached(person, title.slug) if of["alone"].games else [],
            "career": sums,
            "statistics": title.statistics(sums.categories, feats, sums.whole),
            "by_seats": [
                (seats, sums.by_seats[seats], percent(sums.won_by_seats[seats], sums.by_seats[seats]))
                for seats in title.seats
                if seats > 1
            ],
            "won": percent(people.won, people.games),
            "even": percent(sums.even, 1),
            "points": people.points / people.whole if people.whole else None,
            "pool": pool,
            "span": span,
            "clubs": clubs.shared(person, request.user),
            "chart": rating_chart(person, title.slug, pool, SPANS[span]),
            "lines": lines.lines(latest, request.user),
            **between,
        },
    )


def about(user: User, person: User, game: str) -> dict[str, object]:
    """What a profile says of its person and the visitor, who is somebody else with an account."""
    scores = together.scores(user, person, game)
    return {
        "stranger": True,
        # Whether they block the visitor is not shown: only an attempt is refused.
        "blocked": Block.objects.filter(user=user, blocked=person).exists(),
        "follows": user.follows.filter(followed=person).exists(),
        "online": person.pk in following.online(user, [person]),
        "scores": scores,
        "together": lines.lines(together.latest(user, person, game), user) if scores else [],
    }


@require_safe
def archive(request: HttpRequest, username: str) -> HttpResponse:
    """All games of a person, newest first."""
    person = person_or_404(username)
    if person.closed:
        return closed(request)
    throttle.count("searches", throttle.visitor(request))
    form = ArchiveFilter(request.GET)
    page: keyset.Page[ArchivedMatch] = keyset.Page([])
    if form.is_valid():
        rows = form.of(ArchivedMatch.objects.filter(user=person))  # index accounts_archive_page
        try:
            older, newer = request.GET.get("older", ""), request.GET.get("newer", "")
            page = keyset.page(rows, PAGE, "ended_at", "id", older=older, newer=newer)
        except keyset.BadCursor as error:
            raise Http404 from error
    wanted = {name: request.GET[name] for name in form.fields if request.GET.get(name)}
    return render(
        request,
        "accounts/career/archive.html",
        {
            "person": person,
            "address": person.get_absolute_url(),
            "form": form,
            "filtered": bool(wanted),
            "titles": TITLES.values(),
            "lines": lines.lines(page.rows, request.user),
            "newer": page.newer and urlencode({**wanted, "newer": page.newer}),
            "older": page.older and urlencode({**wanted, "older": page.older}),
            "turned": "older" in request.GET or "newer" in request.GET,
            "newest": urlencode(wanted),
        },
        status=200 if form.is_valid() else 422,
    )


@require_safe
def leaders(request: HttpRequest) -> HttpResponse:
    """The best of a pool; below them, players with too few games, or opponents, for a rank."""
    rated = [title for title in TITLES.values() if title.pools]
    title = TITLES.get(request.GET.get("game", rated[0].slug if rated else ""))
    pool = request.GET.get("pool", title.first_pool if title else "")
    if title is None or pool not in title.pools:
        raise Http404
    # index accounts_rating_board
    rows = (
        Rating.objects.filter(game=title.slug, pool=pool, games__gt=0, user__closed=False, user__is_active=True)
        .select_related("user")
        .only("game", "pool", "value", "games", "user__username", "user__avatar", "user__guest")
        .order_by("-value", "id")
    )
    ranked = list(rows.filter(ranked=True)[:LEADERS])
    others = list(rows.filter(ranked=False)[: LEADERS - len(ranked)])
    entries = [entry(request.user, rating, rank) for rank, rating in enumerate(ranked, start=1)]
    if request.user.is_authenticated and not any(each.mine for each in entries):
        entries += own_entry(request.user, rows)
    return render(
        request,
        "accounts/career/leaders.html",
        {
            "titles": rated,
            "title": title,
            "pool": pool,
            "ranked": entries,
            "others": [entry(request.user, rating) for rating in others],
            "enough": ratings.PROVISIONAL,
            "opponents": ratings.OPPONENTS,
        },
    )


@require_safe
def alone(request: HttpRequest) -> HttpResponse:
    """The best wins in games of one player, by difficulty."""
    played = [title for title in TITLES.values() if title.levels]
    title = TITLES.get(request.GET.get("game", played[0].slug if played else ""))
    if title is None or not title.levels:
        raise Http404
    levels = {str(level): level for level in title.levels}
    level = levels.get(request.GET.get("level", str(title.usual_level)))
    if level is None:
        raise Http404
    return render(
        request,
        "accounts/career/alone.html",
        {
            "titles": played,
            "title": title,
            "pool": "",
            "level": level,
            "meaning": title.levels_in_words.get(level, ""),
            "records": solo.records(title.slug, level, request.user),
        },
    )


@require_safe
def find(request: HttpRequest) -> HttpResponse:
    """Lead to the profile of the person with this `name`, or back to the page that asked (`at`)."""
    throttle.count("searches", throttle.visitor(request))
    name = request.GET.get("name", "").strip().removeprefix("@")
    person = named(name)
    if person and not person.closed:
        return redirect(person.get_absolute_url())
    messages.info(request, _("There is no player with the name “%(name)s”. Check the spelling.") % {"name": name[:60]})
    return redirect("following" if request.GET.get("at") == "following" else "leaders")


def own_entry(user: User, rows: QuerySet[Rating]) -> list[Leader]:
    """The visitor's line with their rank, if they have one below the first hundred."""
    mine = rows.filter(ranked=True, user=user).first()
    if mine is None:
        return []
    # index accounts_rating_board alone, except for the few people who are not shown
    hidden = User.objects.filter(Q(closed=True) | Q(is_active=False))
    ranked = Rating.objects.filter(game=mine.game, pool=mine.pool, ranked=True)
    above = ranked.filter(value__gt=mine.value)
    return [entry(user, mine, above.exclude(user__in=hidden).count() + 1)]


def entry(visitor: Visitor, rating: Rating, rank: int | None = None) -> Leader:
    person = PlayerShown.of(rating.user, ratings.shown(rating.value, rating.games))
    return Leader(rank, person, rating.games, rating.user == visitor)


def person_or_404(username: str, guests: bool = False) -> User:
    """The person with this name, in whatever case; guests have no page, and are found only if `guests`."""
    person = named(username, guests)
    if person is None:
        raise Http404
    return person


def named(username: str, guests: bool = False) -> User | None:
    # PostgreSQL refuses to look up a text with a NUL.
    found = User.objects.none() if "\0" in username else User.objects.filter(folded=folded(username))
    return (found if guests else found.filter(guest=False)).first()


def closed(request: HttpRequest) -> HttpResponse:
    """The page shown in place of those of a closed account."""
    return render(request, "accounts/career/closed.html", status=410)


def rating_chart(person: User, game: str, pool: str, days: int | None) -> charts.Chart | None:
    """The rating in a pool over the last `days`, or since the first game; None without a game."""
    if not pool:
        return None
    end = datetimes.local(timezone.now())
    # index accounts_archive_chart, which holds every column read here
    rows = ArchivedMatch.objects.filter(user=person, game=game, pool=pool).order_by("ended_at", "id")
    first = None
    if days:
        start = end - timedelta(days=days)
        first = rows.filter(ended_at__lt=start).values_list("after", flat=True).last()
        rows = rows.filter(ended_at__gte=start)
    games = points(rows.values_list("ended_at", "after")[: charts.DOTS + 1])
    if not games:
        return None
    if first is None:
        start = games[0][0]
        first = rows.values_list("before", flat=True).first()
    assert first is not None
    if len(games) > charts.DOTS:
        games = thinned(person, game, pool, start, end)
    return charts.rating_chart(start, end, first, games)


def thinned(person: User, game: str, pool: str, start: datetime, end: datetime) -> list[charts.Point]:
    """The last game of each of `charts.DOTS` stretches of time, and the best of all, without reading the others."""
    step = (end - start) / charts.DOTS
    edges = [start + step * number for number in range(charts.DOTS)] + [end + step]
    stretches = ", ".join(["(%s, %s)"] * charts.DOTS)
    given = [connection.ops.adapt_datetimefield_value(at) for pair in pairwise(edges) for at in pair]
    with connection.cursor() as cursor:
        # index accounts_archive_chart
        cursor.execute(
            f"WITH stretch (begins, ends) AS (VALUES {stretches}) SELECT (SELECT id FROM accounts_archivedmatch "
            "WHERE user_id = %s AND game = %s AND pool = %s AND ended_at >= begins AND ended_at < ends "
            "ORDER BY ended_at DESC, id DESC LIMIT 1) FROM stretch",
            [*given, person.pk, game, pool],
        )
        last = [pk for (pk,) in cursor.fetchall() if pk]
    rows = ArchivedMatch.objects.filter(user=person, game=game, pool=pool, ended_at__gte=start)
    best = rows.order_by("-after", "ended_at", "id").values_list("ended_at", "after")[:1]
    return sorted({*points(ArchivedMatch.objects.filter(pk__in=last).values_list("ended_at", "after")), *points(best)})


def points(rows: Iterable[tuple[datetime, float | None]]) -> list[charts.Point]:
    """When matches ended, and the ratings after them, of those that were rated."""
    return [(ended_at, after) for ended_at, after in rows if after is not None]


def percent(part: float, whole: float) -> int | None:
    """A share in whole percent; None of nothing."""
    return round(100 * part / whole) if whole else None
