"""How Ex Libris is asked, told and scored on its pages."""

import re
from random import Random

import pytest

from games.engine.exlibris.cards import LABELS, cards_of
from games.engine.exlibris.game import ExLibris
from games.engine.exlibris.rows import advised
from games.engine.exlibris.shelf import cells_in, filled, free_cells
from games.faces.exlibris import review
from games.faces.exlibris.art import card_name
from games.faces.exlibris.log import ended, lines_of, told
from games.faces.exlibris.result import ending_of, headline
from games.faces.exlibris.shelf import grid, mini, reasons, worth_of_seat
from games.faces.exlibris.words import LINES, where_text
from games.faces.language import number
from games.faces.registry import face_of, preset_of, terms_of
from tests.engine.exlibris.sitting import Sitting, cards, cell, shelf
from tests.faces.scenes import Tags, Tale, offered, page_of, scene_of, words

pytestmark = pytest.mark.usefixtures("static_files")
GAME = ExLibris()
NAMES = ["Ann", "Bob", "Dan", "Eve"]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_every_answer_has_a_control_on_the_page_and_only_of_whoever_is_asked(seats):
    tale = Tale(f"answers {seats}", seats, GAME)
    last = len(tale.states) - 1
    for ply in (*Random(seats).sample(range(last), min(9, last)), last):
        state = tale.states[ply]
        for me in tale.viewers:
            html = "".join(page_of(tale.scene(ply, me)).roots.values())
            assert not Tags(html).errors
            wanted = sorted(map(GAME.text, state.legal())) if me is not None and me == state.seat else []
            assert sorted(offered(html)) == wanted


def test_a_card_is_named_with_what_is_marked_on_it():
    assert card_name(cards("C5")[0]) == "C5: Historic Volumes; Reference Texts; Spells & Potions"
    assert "Reference Texts (prominent)" in card_name(cards("C5")[0], (4, 2, 5))
    assert "Historic Volumes (banned)" in card_name(cards("C5")[0], (4, 2, 5))
    assert "Spells & Potions (your focus)" in card_name(cards("C5")[0], (4, 2, 5))


def test_a_cell_is_named_by_the_cards_beside_it():
    here = shelf({(0, 0): "A2 C5", (1, 1): "G1"})
    named = {place: where_text(here, cell(*place)) for place in ((0, 2), (0, -1), (-1, 0), (1, 0), (1, 2), (0, 1))}
    assert named == {
        (0, 2): "to the right of C5",
        (0, -1): "to the left of A2",
        (-1, 0): "above A2",
        (1, 0): "to the left of G1",
        (1, 2): "to the right of G1",
        (0, 1): "over C5",
    }
    assert where_text(shelf({(0, 0): "A2", (0, 2): "C5"}), cell(0, 1)) == "between A2 and C5"
    assert where_text(shelf({(0, 0): "A2"}), cell(1, 0)) == "below A2"
    assert where_text((), cell(0, 0)) == "as the first card"


def boards(html):
    """Of a bookcase the class of each board, and its cells: a label, in brackets if it is in the largest full block,
    the number of that block behind the last; or nothing."""
    return [
        (kind, [_cell(cell) for cell in re.split(r'(?=<span class="ex-(?:card|empty))', inside)[1:]])
        for kind, inside in re.findall(r'<span class="(ex-row[^"]*)">(.*?)(?=<span class="ex-row|$)', html)
    ]


def _cell(html):
    if "ex-empty" in html:
        return ""
    label, size = words(re.search(r'class="ex-label">(.*?)</span>', html)[1]).replace(" ", ""), ""
    if number := re.search(r'class="ex-block number">(\d+)<', html):
        size = number[1]
    return f"[{label}]{size}" if " gold" in html[: html.index(">")] else label


def test_a_bookcase_has_three_boards_and_a_gold_ledge_under_the_largest_full_block():
    case = boards(grid(shelf({(0, 0): "A2 B4 C2", (1, 1): "G2 H3 K1", (2, 3): "M5"}), (None,) * 3, {}, {}, ()))
    assert case == [
        ("ex-row", ["", "A2", "[B4]", "[C2]", "", ""]),
        ("ex-row", ["", "", "[G2]", "[H3]4", "K1", ""]),
        ("ex-row", ["", "", "", "", "M5", ""]),
    ]
    small = boards(mini(shelf({(0, 0): "A2 B4"}), (None,) * 3))
    assert small == [("ex-row", ["", ""]), ("ex-row", ["", ""]), ("ex-row", ["A2", "B4"])]


def test_a_bookcase_has_room_for_the_next_card_before_anybody_is_asked():
    """So nothing moves when a question comes. Two boards in use are three high: those above and below them are low."""
    for rows, kinds in (
        ({}, ["ex-row"] * 3),
        ({(0, 0): "A2 B4"}, ["ex-row"] * 3),
        ({(0, 0): "A2", (1, 0): "B4 C2"}, ["ex-row low", "ex-row", "ex-row", "ex-row low"]),
        ({(1, 0): "A2", (2, 0): "B4"}, ["ex-row"] * 3),
        ({(-2, 0): "A2", (-1, 0): "B4", (0, 0): "C2"}, ["ex-row"] * 3),
    ):
        here = shelf(rows)
        ghosts = dict.fromkeys(cells_in(free_cells(filled(here))), '<span class="ex-empty free"></span>')
        before, asked = (grid(here, (None,) * 3, them, {}, ()) for them in ({}, ghosts))
        assert [kind for kind, _cells in boards(before)] == kinds
        assert boards(before) == boards(asked) and asked.count(" free") == len(ghosts)


def test_the_preview_gives_the_five_lines_with_reasons():
    view = Sitting(2, libraries="basic").state.view(0)
    worth = worth_of_seat(view, 0, shelf({(0, 0): "A2 C5 P4", (1, 0): "G1 M4 L1", (2, 0): "T1"}))
    assert worth is not None and len(worth.lines) == 5
    why = reasons(worth, (view.prominent, view.banned, view.focus[0]))
    assert why[0] == "a full block of 6 cells"
    assert all(why)


def test_the_end_names_the_winner_and_the_log_ends_with_no_secret_left():
    tale = Tale("the end", 2, GAME)
    last = len(tale.states) - 1
    scene = tale.scene(last, None)
    end = ending_of(scene)
    assert end is not None and end.scores[0].points == scene.result["points"][0]
    assert any(name in headline(end) for name in NAMES)
    assert told(lines_of(scene.steps)[:4], NAMES, None)


def test_what_others_answered_at_the_end_is_not_told_before_the_game_is_over():
    tale = Tale("turned", 2, GAME)
    ply = next(
        ply for ply, state in enumerate(tale.states) if ply and tale.moves[ply - 1 : ply] and _turning(tale, ply)
    )
    other = 1 - tale.states[ply - 1].seat
    scene = scene_of(tale.states[: ply + 1], tale.moves[:ply], other, GAME)
    assert "answers for 1 card." in told(ended(lines_of(scene.steps), scene.view, ())[-1:], NAMES, other)


def test_a_game_that_is_over_says_which_cards_each_player_turned_down():
    tale = Tale("turned", 2, GAME)
    last = len(tale.states) - 1
    scene = tale.scene(last, 0)
    said = told(ended(lines_of(scene.steps), scene.view, ())[-2:], NAMES, 0)
    for seat, who in enumerate(("You turn down", "Bob turns down")):
        down = [LABELS[card] for card in cards_of(scene.view.turned[seat])]
        assert down and f"{who} {', '.join(down)}." in said


def test_the_review_shows_five_lines_of_score_at_a_ply_and_what_each_seat_knew_of_the_hands_of_others():
    tale, ply, told = Tale("known 265", 3, GAME, libraries="special", conflict=True), 40, set()
    for me in tale.viewers:
        scene = scene_of(tale.states[: ply + 1], tale.moves[:ply], me, GAME)
        view, chronicle = scene.view, review.ExLibrisChronicle()
        for step in scene.steps:
            chronicle.add(step)
        html = review.position(scene, chronicle)
        table = re.findall(r"<tr>(.*?)</tr>", html[html.index("<tbody>") : html.index("</table>")], re.DOTALL)
        rows = [[words(cell).split(" ", 1) for cell in re.findall(r"<td>(.*?)</td>", row, re.DOTALL)] for row in table]
        assert [words(re.findall(r"<th.*?</th>", row)[0]) for row in table] == [*LINES, "Sum"]
        for seat in range(3):
            score = advised(view, seat)[1]
            assert [row[seat][0] for row in rows] == [number(points) for points in (*score.lines, score.points)]
            assert all(row[seat][1] for row in rows[:5]), "points without their reason"
        for seat, part in enumerate(html.split('id="hand-')[1:]):
            held = part[part.index('class="ex-held"') :].partition("</section>")[0]
            unknown = view.counts[seat] - len(view.hands[seat])
            named = set(re.findall(r'aria-label="([A-Z]\d+):', held))
            assert named == {LABELS[card] for card in view.hands[seat]}
            assert (f"×{unknown}" in held) == (unknown > 0)
            told |= {(me, seat)} if me != seat and named else set()
    assert told == {(2, 1)}, "seat 2 knows a card of seat 1 then, watchers do not"


RUSSIAN = GAME.preset("russian")


def test_with_the_russian_rules_tiles_bids_and_discards_say_that_the_shelf_will_do():
    sitting = Sitting(2, "WIT", "GOL", tiles=[3], **RUSSIAN).set_shelf(0, {(0, 0): "A1 A2"}).set_hand(0, "T1")
    placing = page_of(scene_of([sitting.state], [], 0, GAME)).roots
    assert "discard that many cards, from hand or shelf" in words("".join(placing.values()))
    sitting.play("0 send 3:2").to_the_resolution()
    html = "".join(page_of(scene_of([sitting.state], [], 0, GAME)).roots.values())
    assert "you bid 2. Discard as many cards" in words(html) and 'data-answer="pick"' in html
    assert sorted(offered(html)) == sorted(sitting.answers()) == ["discard A1", "discard A2", "discard T1", "pass"]


def test_with_the_russian_rules_the_page_counts_cards_and_knows_how_the_check_goes():
    sitting = Sitting(2, "MUM", "GOL", **RUSSIAN).set_shelf(1, {(0, 0): "A1/B1 A2"})
    html = "".join(page_of(scene_of([sitting.state], [], 0, GAME)).roots.values())
    assert "3 of 16 cards" in words(html) and 'data-placed="1" data-ascending="1"' in html
    plain = Sitting(2, "MUM", "GOL").set_shelf(1, {(0, 0): "A1/B1 A2"})
    html = "".join(page_of(scene_of([plain.state], [], 0, GAME)).roots.values())
    assert "2 of 16 cells" in words(html) and 'data-placed="0" data-ascending="0"' in html


def test_an_option_that_came_later_is_told_where_it_differs():
    assert terms_of(GAME, 2, GAME.preset("russian"))[:-4] == terms_of(GAME, 2, GAME.options())
    assert [str(preset_of(GAME, of).label) for of in (GAME.options(), RUSSIAN)] == ["Rulebook", "Russian"]
    beginner = {"libraries": "basic", "end_count": "cards"}
    assert terms_of(GAME, 2, GAME.options(beginner)) == terms_of(GAME, 2, GAME.options({"libraries": "basic"}))


def test_the_progress_of_a_game_counts_its_cards():
    face = face_of(GAME)
    assert face.progress(2, {}, ["shelve A1", "draw"]) == "1 card shelved"
    assert face.progress(2, {}, ["shelve A1", "shelve B1"]) == "2 cards shelved"


def _turning(tale, ply):
    return GAME.text(tale.moves[ply - 1]) in ("up", "down") and not tale.states[ply].over
