"""Checks the public log of an Armarium site: python3 checklog.py FILE ...

It says what the files prove, in any order, and what it did not check; it ends with 1 if something is wrong. Any
Python 3.8 or later will do.

    heads.json        /log/heads.json of the site (older ones: ?before=DAY), and what you kept of it on an earlier day
    consistency.json  /log/consistency/OLD/NEW.json, if the heads between two that you kept are not at hand
    proof.json        /m/MATCH/proof.json: the match is in the log
    record.json       /m/MATCH/record.json: with its proof.json, everything in it is as it was logged, but for the
                      names of closed accounts. Alone, only that moves, times and names fit its header and last link.
                      That the rules allow it all, the review of the match and `manage.py checkrecords` compute.
    receipt.json      /m/MATCH/receipt.json: the site signed it. With the record, or a later receipt: the game went on
                      from it
    --key KEY         the public key that you know the site by; without it the first head says which it is
"""

import base64
import hashlib
import hmac
import json
import re
import sys
from datetime import date

WRONG, UNCHECKED = [], []


def tell(mark, text):
    """Print one line, whatever is in the file that it quotes."""
    print(mark.ljust(7) + "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text))


def say(holds, text):
    tell("ok" if holds else "WRONG", text)
    holds or WRONG.append(text)


def leave(text):
    tell("?", "not checked: " + text)
    UNCHECKED.append(text)


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


# Ed25519, RFC 8032 section 6: only what verifies.
P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def point_add(a, b):
    e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    return (f - e) * (h - g) % P, (h + g) * (f + e) % P, (h - g) * (h + g) % P, (f - e) * (f + e) % P


def point_times(s, point):
    total = (0, 1, 1, 0)
    while s:
        total = point_add(total, point) if s & 1 else total
        point, s = point_add(point, point), s >> 1
    return total


def point_read(text):
    sign, y = divmod(int.from_bytes(text, "little"), 1 << 255)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x * pow(2, (P - 1) // 4, P) % P if (x * x - square) % P else x
    if len(text) != 32 or y >= P or (x * x - square) % P or (x == 0 and sign):
        raise ValueError("no point of the curve")
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


BASE = point_read((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def verifies(key, message, signature):
    a, r, s = point_read(key), point_read(signature[:32]), int.from_bytes(signature[32:], "little")
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % Q
    left, right = point_times(s, BASE), point_add(r, point_times(h, a))
    return s < Q and all((left[i] * right[2] - right[i] * left[2]) % P == 0 for i in (0, 1))


# Merkle trees, RFC 9162 sections 2.1.3 and 2.1.4. A proof is used up from its end, which is next to the root.
def root_by(index, size, leaf, path):
    """The root of a tree by the proof that this leaf is in it."""
    if size == 1:
        return leaf
    other, half = path.pop(), 1 << (size - 1).bit_length() - 1
    if index < half:
        return sha256(b"\1", root_by(index, half, leaf, path), other)
    return sha256(b"\1", other, root_by(index - half, size - half, leaf, path))


def roots_by(old, size, path, root):
    """The roots of the trees of both sizes by the proof that one begins the other; `root`: the old one, if whole."""
    if old == size:
        root = root or path.pop()
        return root, root
    other, half = path.pop(), 1 << (size - 1).bit_length() - 1
    if old <= half:
        first, second = roots_by(old, half, path, root)
        return first, sha256(b"\1", second, other)
    first, second = roots_by(old - half, size - half, path, None)
    return sha256(b"\1", other, first), sha256(b"\1", other, second)


class Head:
    """The signed head of a day."""

    def __init__(self, document):
        if set(document) != HEAD:
            raise ValueError(f"a head has the keys {', '.join(sorted(HEAD))}")
        text, self.signatures = document["note"].split("\n\n")
        self.text = text + "\n"
        if not self.signatures.endswith("\n"):
            raise ValueError("the last line of a note is not complete")
        self.origin, size, root, day, previous, key, *more = self.text.split("\n")
        self.size, self.root = int(size), base64.b64decode(root)
        self.day = date.fromisoformat(day.split("day ")[1])
        self.previous, self.key = (base64.b64decode(line.split(" ")[1]) for line in (previous, key))
        self.receipts = next((base64.b64decode(line[9:]) for line in more if line.startswith("receipts ")), None)
        self.path = [bytes.fromhex(digest) for digest in document["consistency"]]
        if document["day"] != self.day.isoformat():
            say(False, f"the head of {self.day} is given as that of {document['day']}")

    def signed_by(self, key):
        for line in self.signatures.splitlines():
            name, value = line.split(" ")[1], base64.b64decode(line.split(" ")[2], validate=True)
            if value[:4] == sha256(name.encode(), b"\n\1", key)[:4]:
                return verifies(key, self.text.encode(), value[4:])
        return False

    def extends(self, old, path):
        path = list(path)
        proved = 0 < old.size <= self.size and roots_by(old.size, self.size, path, old.root) == (old.root, self.root)
        return (proved or old.size == 0) and not path


def check_heads(heads, proofs, known):
    """Every head is signed, and extends the one before."""
    old = None
    for day, new in sorted(heads.items()):
        say(new.signed_by(new.key), f"the head of {day} is signed by the key that it names: {new.size} entries")
        if known and new.key != known:
            say(new.signed_by(known), f"another key signs from {day} on, and the one before has signed that")
        known = new.key
        follows = old and new.previous == sha256(old.text.encode())
        path = new.path if follows else old and proofs.get((old.size, new.size))
        if old and not follows and (day - old.day).days == 1:
            say(False, f"the head of {day} does not follow the one of the day before")
        elif old and path is None:
            say(False, f"no heads between {old.day} and {day}: get /log/consistency/{old.size}/{new.size}.json")
        elif old:
            say(new.extends(old, path), f"the log of {day} extends the log of {old.day}")
        elif new.path:
            leave(f"that the log of {day} extends those before it: no earlier head was given")
        old = new
    print(f"       the key is {base64.b64encode(known).decode()}")


def links_of(header, lines):
    """The links of a match, as docs/chain.md says."""
    links = [sha256(canonical(header))]
    for line in lines:
        links.append(sha256(links[-1], line.encode()))
    return [link.hex() for link in links]


def links_by(record):
    """The links of a match, from its record."""
    proof = record["proof"]
    mixed = bytes.fromhex("".join(proof["shares"]) + proof["beacon"])
    seed = hmac.new(bytes.fromhex(proof["secret"]), mixed, "sha256").digest()
    events = {event["ply"]: (event["seat"], "!" + event["event"]) for event in record["events"]}
    moves = [(move["seat"], move["move"]) for move in record["moves"] if "move" in move]
    if len(moves) + len(events) != len(proof["rows"]):
        return ["none: it has more or fewer moves than its log has rows"]
    lines = []
    for ply, (by, at) in enumerate(proof["rows"]):
        seat, move = events.get(ply) or moves.pop(0)
        line = f"{ply} {seat} {by} {at} {proof['shown'].get(str(ply), move)}"
        if str(ply) in proof["shown"]:
            line += " #" + sha256(hmac.new(seed, f"salt/{ply}".encode(), "sha256").digest(), move.encode()).hex()
        lines.append(line)
    return links_of(proof["header"], lines)


def check_names(record):
    """The names in a record are those of its header, which has bots as they are, and people as salted hashes."""
    match, proof = record["match"], record["proof"]
    players = proof["header"]["players"]
    say(len(players) == len(proof["names"]) == len(record["players"]), f"{match} was played by {len(players)}")
    for seat, player in enumerate(players):
        known, name = proof["names"][seat], record["players"][seat]
        if "bot" in player:
            say(known is None and name == player["name"], f"the bot {name} sat at seat {seat} of {match}")
        elif known:
            digest = sha256(bytes.fromhex(known[1]), known[0].encode()).hex()
            say((name, digest) == (known[0], player["name"]), f"{name} sat at seat {seat} of {match}")
        elif re.fullmatch("closed-[0-9]+", name):
            leave(f"who sat at seat {seat} of {match}: the account is closed, and its name forgotten")
        else:
            say(False, f"nothing proves that {name} sat at seat {seat} of {match}")


def check_record(record, entry):
    match, proof, links = record["match"], record["proof"], links_by(record)
    link = links[-1]
    say(link == proof["link"], f"the moves of {match} give the last link that the record states: {link}")
    commitment = sha256(bytes.fromhex(proof["secret"])).hex()
    say(commitment == proof["header"]["commitment"], f"the secret of {match} is that of its commitment {commitment}")
    check_names(record)
    if entry is None:
        leave(f"cards, result, ratings and all else in the record of {match}: its proof.json was not given")
        return links
    covered = {name: value for name, value in record.items() if name not in ("players", "ratings")}
    covered["proof"] = {name: value for name, value in proof.items() if name != "names"}
    found = {
        "link": (link, "this last link"),
        "record": (sha256(canonical(covered)).hex(), "this record, names and ratings apart"),
        "places": (record["final_places"] or None, "these places"),
        "ratings": (record["ratings"], "these ratings"),
    }
    for name, (now, text) in found.items():
        say(canonical(entry[name]) == canonical(now), f"{match} was logged with {text}")
    return links


def check_receipt(receipt, heads):
    """A receipt is signed, by a key that a head names, and its rows give its link."""
    match, name = receipt["match"], f"the receipt of {receipt['match']} at row {receipt['ply']}"
    links = links_of(receipt["header"], receipt["rows"])
    right = links[receipt["ply"] :] == [receipt["link"]] and receipt["header"]["key"] == match
    say(right, f"the rows of {name} give its link: {receipt['link']}")
    if "signature" not in receipt:
        leave(f"who made {name}: it is from before receipts were signed, and proves something only to whoever took it")
        return links
    said = canonical({name: value for name, value in receipt.items() if name != "signature"})
    key, signature = (base64.b64decode(receipt[part], validate=True) for part in ("key", "signature"))
    say(verifies(key, said, signature), f"{name} is signed by its key {receipt['key']}")
    days = sorted(day for day, head in heads.items() if (head.origin, head.receipts) == (receipt["site"] + "/log", key))
    if days:
        say(True, f"the head of {days[0]} says that this is the key of the receipts of {receipt['site']}")
    else:
        leave(f"who signed {name}: no head here says that this is the key of the receipts of {receipt['site']}")
    return links


def check_chains(receipts, chains):
    """The game went on from each receipt: its link is in the chain of the record, or of the longest receipt."""
    for receipt, links in sorted(receipts, key=lambda pair: -pair[0]["ply"]):
        match, ply = receipt["match"], receipt["ply"]
        if match in chains:
            say(chains[match][ply : ply + 1] == [receipt["link"]], f"{match} went on from its receipt at row {ply}")
        else:
            leave(f"that {match} went on from its receipt at row {ply}: no record or later receipt was given")
        chains.setdefault(match, links)


HEAD = {"day", "note", "consistency"}
KINDS = [{"heads"}, {"heads", "older"}, {"old", "new", "consistency"}]
KINDS += [{"entry", "index", "size", "inclusion", "head"}]
"""The keys of each kind of file but records, which have these and those of their cards."""
RECORD = {"format", "match", "started", "ended", "options", "rated", "players", "bots", "moves", "events"}
RECORD |= {"result", "final_places", "ratings", "proof"}
RECEIPT = {"format", "site", "match", "at", "header", "rows", "ply", "link", "head", "key", "signature"}
RECEIPTS = [RECEIPT, RECEIPT - {"head", "key", "signature"}]


def is_record(keys):
    return keys >= RECORD and not keys & set().union(*KINDS)


def main(arguments):
    key = base64.b64decode(arguments.pop(arguments.index("--key") + 1)) if "--key" in arguments else None
    heads, proofs, entries, records, receipts = {}, {}, {}, [], []
    for name in (argument for argument in arguments if argument != "--key"):
        with open(name, encoding="utf-8") as file:
            document = json.load(file)
        keys = set(document.keys())
        if keys not in [*KINDS, *RECEIPTS] and not is_record(keys):
            say(False, f"{name} is no file that this checks: it lacks keys, or has others: {', '.join(sorted(keys))}")
            continue
        # Only a receipt may have none.
        given = [document["head"]] if "entry" in keys or document.get("head") else document.get("heads", [])
        for head in map(Head, given):
            known = heads.setdefault(head.day, head)
            if known.text != head.text:
                both = any(known.signed_by(each) and head.signed_by(each) for each in (known.key, head.key))
                says = "the past was rewritten" if both else "no key has signed both"
                say(False, f"there are two different heads of {head.day}: {says}")
            elif known.path != head.path:
                say(False, f"there are two different proofs that the log of {head.day} extends the one before")
        if "entry" in document:
            entry, index = json.loads(document["entry"]), document["index"]
            leaf = sha256(b"\0", document["entry"].encode())
            path = [bytes.fromhex(digest) for digest in document["inclusion"]]
            held = 0 <= index < head.size == document["size"]
            held = held and root_by(index, head.size, leaf, path) == head.root and not path
            say(held, f"entry {index} is in the log of {head.day}: {document['entry']}")
            entries[entry.get("match")] = entry
        elif "old" in document:
            proofs[document["old"], document["new"]] = [bytes.fromhex(digest) for digest in document["consistency"]]
        elif keys in RECEIPTS:
            receipts.append(document)
        elif is_record(keys):
            records.append(document)
    if heads:
        check_heads(heads, proofs, key)
    chains = {record["match"]: check_record(record, entries.get(record["match"])) for record in records}
    check_chains([(receipt, check_receipt(receipt, heads)) for receipt in receipts], chains)
    if WRONG:
        print("Something is wrong.")
    elif UNCHECKED:
        print(f"What was checked holds. {len(UNCHECKED)} could not be checked: see above.")
    else:
        print("Everything given here holds.")
    if heads and not key:
        print("The key was not compared with one that you know the site by: --key KEY does that.")
    return bool(WRONG)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    try:
        sys.exit(main(sys.argv[1:]))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        print(f"This cannot be checked: {type(error).__name__}: {error}")
        sys.exit(2)
