"""What a browser sends of the forms for events."""

NIGHT = {"kind": "night", "name_": "Night", "played": "here", "seats": "2", "time": "5+10", "preset": "rulebook"}
NIGHT |= {"begins": "now", "hours": "3", "weeks": "1", "pause": "5"}
SWISS = NIGHT | {
    "kind": "swiss",
    "name_": "Cup",
    "time": "10+15",
    "rounds": "3",
    "halves": "1",
    "days": "28",
    "seeds": "rung",
}
SAME_DEAL = NIGHT | {"kind": "duplicate", "name_": "Pairs", "rounds": "3"}
DEAL = {"kind": "deal", "name_": "Deal", "seats": "2", "time": "5+10", "preset": "rulebook"}
MEETING = {"kind": "meet", "name_": "Saturday", "hours": "3", "weeks": "1"}
