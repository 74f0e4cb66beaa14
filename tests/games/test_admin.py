import re

import pytest

from accounts.models import User
from games.engine.biblios.cards import BURIED
from games.matches import play
from games.matches.models import ChatLine, LogEntry, Match, Seat, Seek, StandingOrder
from tests.matches.matches import played, seated

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def steward(client):
    client.force_login(User.objects.create_superuser("abbess"))
    return client


def paid_face_down(state):
    return any(target == BURIED for _, target, _ in state.view(None).flow)


@pytest.fixture
def running():
    """A match of ann and bob in which cards have been paid face down, and an order stands."""
    matches = (played(seated("ann", "bob"), until=paid_face_down, seed=seed) for seed in range(50))
    match = next(match for match in matches if match.status == "running")
    play.set_order(match, match.seats.get(index=1 - match.mover), "gold")
    return match


def page(client, address):
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def secrets(match):
    raw = [match.secret, match.link, *(seat.share for seat in match.seats.all())]
    return [form for each in raw for form in (bytes(each).hex(), repr(bytes(each)), str(each)) if any(bytes(each))]


def test_the_admin_tells_nothing_hidden_of_a_running_match(steward, running):
    pages = (
        f"/admin/games/match/{running.pk}/change/",
        "/admin/games/match/",
        f"/admin/games/match/{running.pk}/history/",
        "/admin/games/match/?q=ann",
    )
    for html in map(lambda address: page(steward, address), pages):
        assert not [secret for secret in secrets(running) if secret in html]
        text = re.sub(r"<[^>]+>", " ", html)
        moves = set(running.log.values_list("move", flat=True))
        assert not [move for move in moves if re.search(rf"(?<!\w){re.escape(move)}(?!\w)", text)]
        assert "wake" not in html and "order" not in text.replace("Ordering", "").replace("ordering", "")
    assert "Shown when the match is finished." in page(steward, pages[0])


def test_the_log_is_shown_when_the_match_is_finished(steward):
    match = played(seated("ann", bots=1))
    html = page(steward, f"/admin/games/match/{match.pk}/change/")
    first = match.log.first()
    assert f"0 {first.seat} {first.move} (" in html
    assert not [secret for secret in secrets(match) if secret in html]


def test_the_header_and_the_seats_are_shown(steward, running):
    html = page(steward, f"/admin/games/match/{running.pk}/change/")
    for shown in (running.key, running.commitment, "0: ann", "1: bob"):
        assert shown in html
    assert running.key in page(steward, "/admin/games/match/?q=bob")
    assert running.key not in page(steward, "/admin/games/match/?q=cho").split("change-list-form")[-1]


def test_nothing_of_a_match_is_made_changed_or_deleted_here(steward, running):
    before = Match.objects.filter(pk=running.pk).values().get()
    assert steward.get("/admin/games/match/add/").status_code == 403
    assert steward.post("/admin/games/match/add/", {"places": 2}).status_code == 403
    assert steward.post(f"/admin/games/match/{running.pk}/change/", {"status": "finished"}).status_code == 403
    assert steward.post(f"/admin/games/match/{running.pk}/delete/", {"post": "yes"}).status_code == 403
    steward.post("/admin/games/match/", {"action": "delete_selected", "_selected_action": [running.pk], "post": "yes"})
    assert Match.objects.filter(pk=running.pk).values().get() == before
    assert LogEntry.objects.filter(match=running).count() == running.ply


@pytest.mark.parametrize("model", [Seat, LogEntry, StandingOrder, Seek])
def test_seats_logs_orders_and_seeks_have_no_pages(steward, model):
    for what in ("", "add/", "1/change/", "1/delete/"):
        assert steward.get(f"/admin/games/{model._meta.model_name}/{what}").status_code == 404


def test_a_line_of_chat_can_be_taken_away_but_not_written_or_changed(steward, running):
    line = ChatLine.objects.create(match=running, user=running.host, text="You smell of ink.")
    assert "You smell of ink." in page(steward, "/admin/games/chatline/")
    html = page(steward, f"/admin/games/chatline/{line.pk}/change/")
    assert not [secret for secret in secrets(running) if secret in html]
    assert steward.get("/admin/games/chatline/add/").status_code == 403
    assert steward.post(f"/admin/games/chatline/{line.pk}/change/", {"text": "Hello."}).status_code == 403
    steward.post(f"/admin/games/chatline/{line.pk}/delete/", {"post": "yes"})
    assert not ChatLine.objects.exists()


@pytest.mark.parametrize("who", ["nobody", "cho"])
def test_those_who_are_no_stewards_are_asked_to_sign_in(client, running, who):
    if who == "cho":
        client.force_login(User.objects.create_user("cho"))
    for address in ("/admin/", "/admin/games/match/", f"/admin/games/match/{running.pk}/change/"):
        response = client.get(address)
        assert response.status_code == 302
        assert response["Location"].startswith("/admin/login/")


def test_the_admin_tells_nothing_of_a_game_whose_deal_others_have_yet_to_play(steward):
    match = played(seated("ann", "bob"))
    Match.objects.filter(pk=match.pk).update(hidden=True)
    line = ChatLine.objects.create(match=match, user=User.objects.get(username="ann"), text="The mitre is mine")
    html = page(steward, f"/admin/games/match/{match.pk}/change/")
    assert "Shown when its event is over." in html
    assert "category_winners" not in html and match.log.filter(ply=0).values_list("move", flat=True)[0] not in html
    assert not [secret for secret in secrets(match) if secret in html]
    assert line.text not in page(steward, "/admin/games/chatline/")
    Match.objects.filter(pk=match.pk).update(hidden=False)
    assert "category_winners" in page(steward, f"/admin/games/match/{match.pk}/change/")
    assert line.text in page(steward, "/admin/games/chatline/")
