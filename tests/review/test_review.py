"""Looking back at matches: who may see which positions, from which viewpoints, and what is on the page then."""

import json
import re
from dataclasses import replace
from html import unescape
from random import Random

import pytest
from django.urls import reverse

from accounts.shown import PlayerShown
from games.engine.biblios.cards import TEXTS
from games.engine.registry import game_of
from games.faces.biblios import review as face
from games.faces.biblios.art import card_name
from games.matches import access, history, play
from games.matches.models import Match, Seat
from games.matches.scene import Scene, Sitter
from games.review import page
from tests.engine.biblios.twins import twins
from tests.engine.promises import check_blind, random_game, viewers
from tests.faces.scenes import moves_between, steps_of
from tests.matches.matches import answer, rushed, seated
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.once]
CATEGORY_CARDS = range(45)


def bought(match, lots=3):
    """The match after this many lots."""
    return rushed(match, lambda state: len(state.pile) and state.sold >= lots)


def shown(client, match, ply, viewpoint=None, fragment=True, part="position"):
    query = {} if viewpoint is None else {"as": viewpoint}
    return client.get(f"/m/{match.key}/{ply}", query | ({"part": part} if fragment else {}))


def listed(client, match, ply, viewpoint=None):
    """The list of moves, as the script asks for it."""
    return shown(client, match, ply, viewpoint, part="moves").content.decode()


def names_of(cards):
    return {card_name(TEXTS[kind]) for kind in cards}


# Who may see what


def test_while_a_match_runs_its_players_look_back_from_their_own_seats_only(client, ann):
    match = rushed(seated("ann", "bob"), lambda state: state.placed > 10)
    client.force_login(ann)
    assert shown(client, match, 3).status_code == 200
    assert shown(client, match, 3, "0").status_code == 200
    for viewpoint in ("1", "public", "all", "2", "-1", "²", "x"):
        assert shown(client, match, 3, viewpoint).status_code == 404, viewpoint


def test_while_a_match_runs_watchers_look_back_at_what_is_public_only(client):
    match = rushed(seated("ann", "bob"), lambda state: state.placed > 10)
    client.force_login(person("cho"))
    assert shown(client, match, 3).status_code == 200
    for viewpoint in ("0", "1", "all"):
        assert shown(client, match, 3, viewpoint).status_code == 404


def test_whoever_has_left_a_running_match_is_a_watcher(client, ann):
    match = rushed(seated("ann", "bob", "dan"), lambda state: state.placed > 10)
    play.leave(match, 0, Seat.Left.RESIGN)
    client.force_login(ann)
    assert shown(client, match, 3, "public").status_code == 200
    assert shown(client, match, 3, "0").status_code == 404


def test_nothing_comes_after_the_newest_move(client):
    match = rushed(seated("ann", "bob"), lambda state: state.placed > 10)
    assert shown(client, match, match.ply).status_code == 200
    assert shown(client, match, match.ply + 1).status_code == 404
    assert client.get(f"/m/{match.key}/{'9' * 60}").status_code == 404
    assert client.get(f"/m/{match.key}/-1").status_code == 404


def test_a_table_that_nobody_may_watch_is_not_there_for_others_until_it_is_over(client, ann):
    match = rushed(seated("ann", "bob", watch="none", listed=False), lambda state: state.placed > 10)
    client.force_login(person("cho"))
    assert shown(client, match, 3).status_code == 404
    client.force_login(ann)
    assert shown(client, match, 3).status_code == 200
    match = rushed(match)
    client.force_login(person("cho"))
    assert shown(client, match, 3).status_code == 200


def test_a_game_that_was_called_off_lies_open_to_those_who_may_see_it(client):
    match = rushed(seated("ann", "bob", watch="none"), lambda state: state.placed > 5)
    for seat in (0, 1):
        play.vote(access.find(match.key), seat, "abort")
    match = access.find(match.key)
    assert match.status == Match.Status.ABORTED
    assert shown(client, match, 3).status_code == 404
    client.force_login(person("bob"))
    for viewpoint in ("all", "0", "public"):
        assert shown(client, match, match.ply, viewpoint, fragment=False).status_code == 200


def test_a_table_at_which_nobody_plays_yet_has_no_positions(client, ann):
    from games.lobby import open_matches

    match = open_matches.open_match(ann, places=2, options={})
    client.force_login(ann)
    assert shown(client, match, 0).status_code == 404


def test_whoever_steps_through_a_game_is_counted_once_a_viewpoint(client, at_most):
    match = rushed(seated("ann", "bob"))
    at_most("reviews", 2)
    for viewpoint in ("all", "0"):
        for ply in range(10):
            assert shown(client, match, ply, viewpoint).status_code == 200
    answer = shown(client, match, 0, "1")
    assert answer.status_code == 429
    assert shown(client, match, 11, "all").status_code == 200


def test_what_is_not_there_is_not_found(client):
    assert client.get("/m/nothinghere1/3").status_code == 404


# What is on the page


@pytest.mark.slow
@pytest.mark.parametrize("names", [("ann", "bob"), ("ann", "bob", "dan")])
def test_each_seat_is_shown_what_it_knew_and_no_other_card(client, names):
    """Cards of a category are one of a kind: whatever is named must be in the seat's view of that ply."""
    match = rushed(seated(*names), seed=5)
    replay = history.replay(match)
    for ply in [*range(0, match.ply, 11), match.ply - 1]:
        for viewer in (*range(match.places), None):
            view = replay.view(ply, viewer)
            known = {kind for hand in view.hands if hand for kind in hand}
            known |= {*view.space, *view.lots, *view.discard, view.drawn, view.kept, view.card}
            known |= {kind for *_zones, kind in view.flow}
            html = shown(client, match, ply, "public" if viewer is None else viewer).content.decode()
            text = unescape(html).replace(match.key, "")
            for kind in set(CATEGORY_CARDS) - known:
                code, name = TEXTS[kind], card_name(TEXTS[kind])
                label = f"{name[:-2]}, tie letter {name[-1]}"
                assert code not in text and label not in text and name not in text, (ply, viewer, code)


def test_during_play_the_page_of_a_seat_names_no_card_that_the_seat_has_not_seen(client, ann):
    match = bought(seated("ann", "bob"))
    client.force_login(ann)
    view = history.replay(match).view(match.ply, 0)
    known = {kind for hand in view.hands if hand for kind in hand} | {kind for *_zones, kind in view.flow}
    known |= {*view.space, *view.lots, *view.discard, view.drawn, view.kept}
    # What was seen in the public space and went on in the open is in the flow; so every card ever seen is known.
    for ply in range(0, match.ply + 1, 5):
        text = unescape(shown(client, match, ply, fragment=False).content.decode())
        for name in names_of(set(CATEGORY_CARDS) - known):
            assert name not in text


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_what_a_viewer_is_shown_does_not_depend_on_what_they_cannot_see(seed):
    rng = Random(seed)
    drawn_at = rng.randrange(9)

    def look(state, me):
        seats = len(state.scores())
        sitters = [Sitter(i, PlayerShown(f"p{i}"), "", True, None) for i in range(seats)]
        scene = Scene(
            key="k",
            game=game_of("biblios", 1),
            options=state.options,
            rated=False,
            pace="none",
            control=(0, 0, 0),
            status="running",
            sitters=sitters,
            me=me,
            playing=False,
            ply=0,
            view=state.view(me),
            steps=[],
            since=0,
            now=0,
        )
        return face.position(scene, face.BibliosChronicle())

    game = game_of("biblios", 1)
    for at, state in enumerate(random_game(game, rng).positions()):
        if at % 9 == drawn_at and not state.over:
            for me in viewers(state):
                check_blind(game, state, me, rng, look)


@pytest.mark.slow
def test_the_list_of_moves_does_not_depend_on_what_its_reader_cannot_see(static_files):
    compared = 0
    for pair in twins(Random(3), 4, penalty="transfer"):
        lists = []
        for states in (pair.states, pair.others):
            chronicle = face.BibliosChronicle()
            for step in steps_of(states, moves_between(states), pair.me):
                chronicle.add(step)
            names = [f"p{seat}" for seat in range(len(states[0].hands))]
            lists.append((face.listed(chronicle, names, pair.me, "/m/k/{ply}"), face.plain(chronicle, names)))
        assert lists[0] == lists[1], f"seat {pair.me} reads what it may not know ({pair.kind})"
        compared += 1
    assert compared > 20


def test_with_all_open_every_card_in_hand_lies_there_and_so_does_what_is_drawn(client):
    match = rushed(seated("ann", "bob"), seed=5)
    replay = history.replay(match)
    for ply in range(1, match.ply, 17):
        state = replay.state(ply)
        text = unescape(shown(client, match, ply, "all").content.decode())
        cards = [kind for seat in range(2) for kind in state.view(seat).hand]
        mover = state.view(state.seat)
        cards += [kind for kind in (mover.drawn,) if kind is not None]
        for kind in cards:
            if kind in CATEGORY_CARDS:
                name = card_name(TEXTS[kind])
                assert f"{name[:-2]}, tie letter {name[-1]}" in text
        assert "Face-down card" not in text


def test_all_open_is_made_of_what_the_seats_knew_and_shows_no_card_to_come():
    match = rushed(seated("ann", "bob", "dan"), seed=2)
    replay = history.replay(match)
    for ply in range(match.ply + 1):
        public, views = replay.view(ply, None), [replay.view(ply, seat) for seat in range(3)]
        mover = public if public.over else views[public.seat]
        together = replace(
            public,
            drawn=mover.drawn,
            bound=mover.bound,
            kept=views[public.active].kept,
            hands=tuple(view.hands[seat] for seat, view in enumerate(views)),
            flow=tuple(max(seen) for seen in zip(*[view.flow for view in views], strict=True)),
        )
        assert replay.state(ply).opened() == together


def test_whoever_looks_from_their_own_seat_is_addressed_and_others_are_named(client, ann):
    match = rushed(seated("ann", "bob"), seed=5)
    ply = next(ply for ply, row in enumerate(history.replay(match).rows) if row.seat == 0 and row.move == "keep")
    client.force_login(ann)
    assert "You keep" in shown(client, match, ply + 1, "0").content.decode()
    for viewpoint in ("1", "all", "public"):
        html = shown(client, match, ply + 1, viewpoint).content.decode()
        assert "<bdi>ann</bdi> keeps" in html and "You keep" not in html


def test_the_usual_viewpoint_is_ones_own_seat_and_all_when_the_game_is_over(client, ann):
    match = rushed(seated("ann", "bob"), lambda state: state.placed > 10)
    assert page.viewpoints(match, ann) == ["0"]
    assert page.viewpoints(match, person("cho")) == ["public"]
    match = rushed(match)
    assert page.viewpoints(match, ann)[0] == "all"
    assert page.viewpoints(match, person("cho")) == ["all", "0", "1", "public"]


def test_the_list_has_every_move_and_marks_the_one_that_led_here(client):
    match = rushed(seated("ann", "bob"), seed=5)
    html = listed(client, match, 7)
    assert [int(ply) for ply in re.findall(r' data-ply="(\d+)"', html)] == [*range(1, match.ply + 1)]
    assert html.count('aria-current="step"') == 1
    assert ' data-ply="7" aria-current="step"' in html
    assert 'aria-current="step"' not in listed(client, match, 0)


def test_a_page_without_a_script_has_the_list_when_it_is_asked_for_and_keeps_it(client):
    match = rushed(seated("ann", "bob"), seed=5)
    html = shown(client, match, 7, fragment=False).content.decode()
    assert " data-ply=" not in html[html.index("moves-list") :]
    html = client.get(re.search(r'href="([^"]+)">All moves<', html)[1].replace("&amp;", "&")).content.decode()
    rows = html[html.index("moves-list") :]
    assert rows.count(" data-ply=") == match.ply and f'href="/m/{match.key}/8?as=all&amp;list=1"' in rows
    moved = client.get(f"/m/{match.key}/7", {"as": "1", "ply": "12", "list": "1"})
    assert moved["Location"] == f"/m/{match.key}/12?as=1&list=1"


def test_a_position_is_the_same_whether_or_not_the_rest_has_been_read(client):
    match = rushed(seated("ann", "bob", "dan"), seed=3)
    plies = [*range(40, 60), *range(180, 200), match.ply - 1, match.ply]
    for viewpoint in ("all", "1"):
        page._readings.clear()
        alone = [shown(client, match, ply, viewpoint).content for ply in plies]
        listed(client, match, 0, viewpoint)
        assert alone == [shown(client, match, ply, viewpoint).content for ply in plies], viewpoint


def test_while_a_match_runs_the_list_ends_now(client):
    match = rushed(seated("ann", "bob"), lambda state: state.placed > 10)
    assert listed(client, match, 0).count(" data-ply=") == match.ply
    match = answer(match, Random(4))
    assert listed(client, match, 0).count(" data-ply=") == match.ply


def test_events_stand_in_the_list_among_the_moves(client):
    match = rushed(seated("ann", "bob", "dan"), lambda state: state.placed > 5)
    play.leave(match, 1, Seat.Left.RESIGN)
    match = rushed(access.find(match.key))
    html = listed(client, match, 0)
    assert "<bdi>bob</bdi> resigned." in html
    assert html.count(" data-ply=") == match.ply


def test_the_ways_lead_on_without_a_script(client):
    match = rushed(seated("ann", "bob"), seed=5)
    html = shown(client, match, 7, "1", fragment=False).content.decode()
    for way, ply in {"first": 0, "prev": 6, "next": 8, "last": match.ply}.items():
        assert f'href="/m/{match.key}/{ply}?as=1" data-go="{way}"' in html
    moved = client.get(f"/m/{match.key}/7", {"as": "1", "ply": "12"})
    assert moved["Location"] == f"/m/{match.key}/12?as=1"
    assert client.get(f"/m/{match.key}/7", {"ply": "99999"})["Location"] == f"/m/{match.key}/{match.ply}?as=all"


def test_the_turns_and_lots_are_places_to_jump_to(client):
    match = rushed(seated("ann", "bob"), seed=5)
    html = shown(client, match, 7, fragment=False).content.decode()
    data = json.loads(re.search(r'<script id="review" type="application/json">(.*?)</script>', html)[1])
    replay = history.replay(match)
    stops = [*map(int, re.search(r' data-stops="([\d ]+)"', listed(client, match, 7))[1].split())]
    assert stops[0] == 0 and stops[-1] == data["last"] == match.ply
    lots = [replay.view(ply, None).lots for ply in stops[1:-1]]
    assert sum(map(bool, lots)) == 20
    assert data["viewpoints"] == ["all", "0", "1", "public"]


def test_the_secret_of_the_shuffle_is_shown_after_the_end_only(client, ann):
    match = rushed(seated("ann", "bob"), lambda state: state.placed > 10)
    client.force_login(ann)
    secret = bytes(match.secret).hex()
    html = shown(client, match, 3, fragment=False).content.decode()
    assert match.commitment in html and secret not in html and bytes(match.link).hex() not in html
    match = rushed(match)
    html = shown(client, match, 3, fragment=False).content.decode()
    assert match.commitment in html and secret in html


def test_the_end_tells_places_reasons_and_ratings_pair_by_pair(client):
    match = rushed(seated("ann", "bob", rated=True, pace="daily", days=1), lambda state: not state.early)
    play.leave(match, 0, Seat.Left.LEAVE)
    match = access.find(match.key)
    html = shown(client, match, match.ply, fragment=False).content.decode()
    assert match.result["places"] == [2, 1]
    assert '<span class="place number">1</span>' in html
    assert "The game ended before its last card" in html
    assert "+30.0" in html and "−30.0" in html
    assert "60 × 1 × (result" in html


def test_it_tells_why_a_game_counted_less(client):
    for number in range(4):
        match = rushed(seated("ann", "bob", rated=True, pace="daily", days=1), seed=number)
        html = shown(client, match, match.ply, fragment=False).content.decode()
        told = [part for part in ("second rated game", "third rated game", "so it doesn’t count") if part in html]
        assert told == [[], ["second rated game"], ["third rated game"], ["so it doesn’t count"]][number]
    match = seated("ann", "dan", rated=True, pace="daily", days=1)
    play.leave(match, 1, Seat.Left.RESIGN)
    match = rushed(access.find(match.key))
    html = shown(client, match, match.ply, fragment=False).content.decode()
    assert "The opponent left when the game had barely started, so no one gains from it." in html


# Cost and caches


def test_a_position_costs_the_same_few_queries_at_every_ply(client, ann, django_assert_max_num_queries):
    match = rushed(seated("ann", "bob", rated=True, pace="daily", days=1), seed=5)
    client.force_login(ann)
    shown(client, match, 0)
    for ply in (0, 50, match.ply):
        with django_assert_max_num_queries(8):
            assert shown(client, match, ply).status_code == 200
    with django_assert_max_num_queries(12):
        assert shown(client, match, 20, fragment=False).status_code == 200


def test_positions_of_finished_matches_are_kept_by_the_browser_alone(client):
    match = rushed(seated("ann", "bob"), lambda state: state.placed > 10)
    assert "no-store" in shown(client, match, 3)["Cache-Control"]
    match = rushed(match)
    answer_ = shown(client, match, 3)
    assert "private" in answer_["Cache-Control"] and "max-age" in answer_["Cache-Control"]
    assert "Cookie" in answer_["Vary"]
    headers = {"If-None-Match": answer_["ETag"]}
    assert client.get(f"/m/{match.key}/3?part=position", headers=headers).status_code == 304
    assert "max-age=0" in shown(client, match, 3, part="other")["Cache-Control"], "that is the page, with one's name"


def test_a_position_is_only_looked_at(client):
    match = rushed(seated("ann", "bob"), lambda state: state.placed > 3)
    assert client.post(f"/m/{match.key}/1").status_code == 405
    assert reverse("review", args=[match.key, 1]) == f"/m/{match.key}/1"
