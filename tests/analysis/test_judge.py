"""`judge` prints the numbers of a review again: from the site, and from a record that was taken elsewhere."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.analysis.models import Analysis, JudgedDecision
from games.engine.core import Expert
from games.matches import access, history, play
from games.matches.models import Match
from games.review import records
from tests.analysis.analyses import over, reviewed
from tests.matches.matches import played, seated
from tests.toy.expert import ToyExpert

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def judge(game, *ply):
    out = StringIO()
    call_command("judge", str(game), *map(str, ply), stdout=out)
    return out.getvalue()


@pytest.fixture
def match(toy):
    return over(toy)


def record_of(match, tmp_path, **changed):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(records.document(match, history.replay(match)) | changed))
    return path


def test_site_record_and_review_say_the_same(match, tmp_path):
    review = reviewed(match)
    row = review.decisions.first()
    said = judge(match.key, row.ply)
    assert said.endswith("the review has the same numbers\n")
    first = row.figures["worths"][0]["made"]
    assert f"played {first[0] / 10000:.4f} ± {first[1] / 10000:.4f}" in said
    assert f"by {review.version}" in said
    assert judge(record_of(match, tmp_path), row.ply) == said
    JudgedDecision.objects.filter(pk=row.pk).update(figures=row.figures | {"better": "agree"})
    assert judge(match.key, row.ply).endswith("THE REVIEW HAS OTHER NUMBERS\n")


def test_without_a_ply_it_tells_what_chance_brought_each_seat(match, tmp_path, monkeypatch):
    review = reviewed(match)
    said = judge(match.key)
    assert said.endswith("the review has the same numbers\n") and f"by {review.version}" in said
    for seat, (mean, error) in enumerate(review.courses["luck"]):
        assert f"seat {seat}: {mean / 10000:.4f} ± {error / 10000:.4f}" in said
    assert judge(record_of(match, tmp_path)) == said
    Analysis.objects.update(courses=review.courses | {"luck": []})  # somebody has closed their account
    assert "the review" not in judge(match.key).lower()
    Analysis.objects.update(courses=review.courses | {"luck": [[1, 1], [1, 1]]})
    assert judge(match.key).endswith("THE REVIEW HAS OTHER NUMBERS\n")
    monkeypatch.setattr(ToyExpert, "chances", Expert.chances)
    assert "nothing says it of this game" in judge(match.key)


def test_a_record_has_the_same_plies_where_the_log_has_events(toy, tmp_path):
    match = played(seated("ann", "bob", "dan", game=toy), lambda state: state.round == 1)
    play.leave(match, 2, "resign")
    match = played(access.find(match.key))
    ply = reviewed(match).decisions.order_by("ply").last().ply
    assert ply > match.sitting[2].left_ply
    assert judge(record_of(match, tmp_path), ply) == judge(match.key, ply)


@pytest.mark.parametrize("ply, says", [(999, "is no move; it has"), (-1, "row -1 of the log is no move")])
def test_a_ply_that_is_no_decision_has_its_sentence(match, ply, says):
    with pytest.raises(CommandError, match=says):
        judge(match.key, ply)


def test_a_question_with_one_answer_has_its_sentence(toy):
    match = seated("ann", "bob", game=toy)
    play.play(match, 0, 0, ["offer 300"])
    match = played(access.find(match.key), lambda state: state.round > 1 or state.over)
    ply = match.log.filter(by=1).first().ply
    match = played(match)
    with pytest.raises(CommandError, match="only one answer was possible"):
        judge(match.key, ply)


def test_a_running_or_hidden_game_is_refused(toy, match):
    with pytest.raises(CommandError, match="finished, not before"):
        judge(seated("ann", "bob", game=toy).key, 0)
    Match.objects.filter(pk=match.pk).update(hidden=True)
    with pytest.raises(CommandError, match="Others still play"):
        judge(match.key, 0)
    with pytest.raises(CommandError, match="there is no match nobody"):
        judge("nobody", 0)


def test_a_bad_record_has_its_sentence(toy, match, tmp_path):
    path = record_of(match, tmp_path)
    whole = path.read_text()
    for text, says in (
        (whole[:200], "this is no JSON"),
        (whole.replace("toy-record/1", "toy-record/7"), "unknown format"),
        (json.dumps(json.loads(whole) | {"moves": json.loads(whole)["moves"][:2]}), "before the end of the game"),
        (json.dumps(json.loads(whole) | {"events": [{"ply": "x"}]}), "no plies"),
        (json.dumps(json.loads(whole) | {"events": 7}), "no plies"),
    ):
        path.write_text(text)
        with pytest.raises(CommandError, match=says):
            judge(path, 0)
    with pytest.raises(CommandError, match="cannot read"):
        judge(tmp_path / "none.json", 0)
    short = over(toy, options={"rounds": 1})
    with pytest.raises(CommandError, match="nothing that could judge"):
        judge(record_of(short, tmp_path), 0)
