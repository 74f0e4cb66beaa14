"""`simulate` writes records that `checkrecords` replays."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.engine.registry import GAMES

pytestmark = pytest.mark.once


def run(*arguments):
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def simulate(path, *more):
    return run("simulate", "--games", "3", "--players", "3", "--seed", "s", "--output", str(path), *more)


def test_simulated_records_replay(tmp_path):
    summary = simulate(tmp_path / "a.jsonl", "--bots", "random,greedy", "--preset", "german", "--option", "start_die=2")
    assert "3 games" in summary
    assert "seat 1, greedy:" in summary
    documents = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert [document["players"] for document in documents] == [["random", "greedy", "random"]] * 3
    assert documents[0]["options"] == {
        "start_die": 2,
        "dual_church": "both",
        "default_on_purpose": False,
        "penalty": "transfer",
        "final_tie": "first_won",
    }
    assert run("checkrecords", str(tmp_path / "a.jsonl")) == (
        "3 records replayed, no fault\nnot checked: all but deal, moves and result of 3 records, which have no proof\n"
    )


def test_the_same_seed_plays_the_same_games(tmp_path):
    assert simulate(tmp_path / "a") == simulate(tmp_path / "b")
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text()
    run("simulate", "--games", "3", "--players", "3", "--seed", "t", "--output", str(tmp_path / "c"))
    assert (tmp_path / "a").read_text() != (tmp_path / "c").read_text()


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_options_that_vary_are_those_of_the_game_but_for_the_given_ones(tmp_path, game):
    path, (option, values) = tmp_path / "a", next(iter(game.choices.items()))
    more = ("--vary", "--option", f"{option}={values[-1]}", "--game", game.slug, "--games", "6", "--players", "2")
    run("simulate", "--seed", "vary", "--output", str(path), *more)
    found = [json.loads(line) for line in path.read_text().splitlines()]
    assert {each["format"] for each in found} == {game.format}
    assert {each["options"][option] for each in found} == {values[-1]}
    assert all(len({each["options"].get(name) for each in found}) > 1 for name in game.choices if name != option)
    assert run("checkrecords", str(path)).startswith("6 records replayed, no fault\n")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--option", "penalty=prison"], "penalty cannot be “prison”; expected one of: transfer, discard, honest"),
        (["--option", "jokers=2"], "unknown option “jokers”"),
        (["--option", "penalty"], "penalty cannot be “”"),
        (["--preset", "spanish"], "unknown preset “spanish”; expected one of: rulebook, persian, german, russian"),
        (["--bots", "clever"], "unknown bot “clever”; expected one of: greedy, random"),
        (["--bots", "random,random,random,random"], "4 bots cannot sit at a table of 3"),
        (["--players", "5"], "biblios cannot be played by 5; expected 2 to 4 players"),
        (["--games", "0"], "--games is 0; expected 1 or more"),
        (["--game", "biblios/9"], "unknown game biblios/9; expected one of: biblios/1"),
        (["--game", "chess"], "unknown title chess; expected one of: biblios, exlibris"),
        (["--vary", "--preset", "german"], "expected only one of them"),
        (["--output", "/"], "cannot write /"),
    ],
)
def test_simulate_says_what_was_wrong_and_writes_nothing(tmp_path, more, message):
    with pytest.raises(CommandError, match=message.replace("(", r"\(")):
        simulate(tmp_path / "a.jsonl", *more)
    assert not (tmp_path / "a.jsonl").exists()


def test_checkrecords_names_the_first_fault_of_each_record(tmp_path):
    path = tmp_path / "a.jsonl"
    simulate(path)
    good, bad, cut = path.read_text().splitlines()
    document = json.loads(bad)
    document["moves"][0]["move"] = "bid 3"
    path.write_text(f"{good}\n{json.dumps(document)}\n{cut[:-20]}\n")
    out = StringIO()
    with pytest.raises(CommandError, match="2 of 3 records are wrong"):
        call_command("checkrecords", str(path), stdout=out)
    faults = out.getvalue().splitlines()
    assert len(faults) == 2
    assert faults[0].startswith(f"{path}:2: move 1 (seat")
    assert "“bid 3” is not possible now; expected one of: keep, public, auction" in faults[0]
    assert faults[1].startswith(f"{path}:3: this is no JSON")


def test_checkrecords_says_when_there_is_nothing_to_check(tmp_path):
    (tmp_path / "empty").write_text("")
    with pytest.raises(CommandError, match="there is no record"):
        run("checkrecords", str(tmp_path / "empty"))
    with pytest.raises(CommandError, match="cannot read"):
        run("checkrecords", str(tmp_path / "missing"))
