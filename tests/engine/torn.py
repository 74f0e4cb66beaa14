"""Records spoiled and torn at random: whatever is done to one, it replays or is refused."""

from copy import deepcopy

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from games.engine import record
from games.engine.core import BadRecord

JUNK = [
    None, True, False, 0, 1, -1, 2.0, 10**50, float("nan"), "", "\ud800", "M2A", "G1", "C++", "pass", "bid 3",
    "steal", [], [[]], {}, {"seat": 0, "move": "pass"}, {"chance": "steal", "from": 0, "to": 1, "card": "G1"},
]  # fmt: skip
KEYS = ["seat", "move", "forced", "chance", "from", "to", "card", "ended", "first", "\ud800", ""]


def spoil(document, draw):
    """Delete, replace, repeat, exchange or insert one thing somewhere in a document."""
    holder = document
    while True:
        places = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not places:
            return
        place = draw(st.sampled_from(places))
        if not isinstance(holder[place], (dict, list)) or draw(st.integers(0, 3)) == 0:
            break
        holder = holder[place]
    action = draw(st.sampled_from(["delete", "replace", "repeat", "exchange", "insert"]))
    if action == "delete":
        del holder[place]
    elif action == "replace":
        holder[place] = deepcopy(draw(st.sampled_from(JUNK)))
    elif action == "exchange":
        other = draw(st.sampled_from(places))
        holder[place], holder[other] = holder[other], holder[place]
    elif isinstance(holder, dict):
        value = holder[place] if action == "repeat" else draw(st.sampled_from(JUNK))
        holder[draw(st.sampled_from(KEYS))] = deepcopy(value)
    else:
        value = holder[place] if action == "repeat" else draw(st.sampled_from(JUNK))
        holder.insert(place, deepcopy(value))


def tear(text, draw):
    """Cut off, flip or double some bytes of a text."""
    data = bytearray(text.encode())
    spot = draw(st.integers(0, len(data) - 1))
    action = draw(st.sampled_from(["cut", "flip", "set", "double"]))
    if action == "cut":
        del data[spot:]
    elif action == "flip":
        data[spot] ^= 1 << draw(st.integers(0, 7))
    elif action == "set":
        data[spot] = draw(st.sampled_from(b'{}[]",:0123456789eE-+.\\\x00\xff\xed'))
    else:
        data[spot:spot] = data[spot : spot + draw(st.integers(1, 40))]
    return bytes(data)


def replays_or_is_refused(text):
    try:
        read = record.read(text)
        end, moves = read.replay()
    except BadRecord as error:
        assert str(error).encode()
    else:
        assert len(moves) == sum("move" in entry and "chance" not in entry for entry in read.document["moves"])
        assert end.over or "ended" in read.document["result"]


STEADY = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=100,
    suppress_health_check=list(HealthCheck),
)
