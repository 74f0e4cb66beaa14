"""Lists of people are taken as somebody has them."""

import pytest

from accounts.text.pasted import entries

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("ann\nbob\r\ncho", [("ann", ""), ("bob", ""), ("cho", "")]),
        ("ann, bob; cho,,", [("ann", ""), ("bob", ""), ("cho", "")]),
        (
            "1. Karin\n2) Ilse\n 3 Eva\n(4) Jo-Ann\n• Uta\n- Ida\n12.Udo",
            [*((n, "") for n in ["Karin", "Ilse", "Eva", "Jo-Ann", "Uta", "Ida", "Udo"])],
        ),
        ("Ilse\t030-1234", [("Ilse", "")]),
        ("1\tKarin\t+49 (30) 123 45-67", [("Karin", "")]),
        ("Karin, 030/1234, Ilse", [("Karin", ""), ("Ilse", "")]),
        ("Ilse 030 1234", [("Ilse", "")]),
        ("@Karin\nhttps://site.example/@/J%C3%B6rg?x=1\n/@/bob", [("Karin", ""), ("Jörg", ""), ("bob", "")]),
        ("karin@example.org", [("", "karin@example.org")]),
        ("Karin <karin@example.org>", [("Karin", "karin@example.org")]),
        ('"Müller, Karin" <mailto:karin@example.org>; Ilse', [("Müller, Karin", "karin@example.org"), ("Ilse", "")]),
        ("3.\tIlse\tilse@example.org\t030 1234", [("Ilse", "ilse@example.org")]),
        ("a@example.org b@example.org", [("", "a@example.org"), ("", "b@example.org")]),
        ("1234\n---", [("1234", ""), ("---", "")]),
        ("4ever\n2. 4ever\n_ann", [("4ever", ""), ("4ever", ""), ("_ann", "")]),
        ("<nobody>", [("nobody", "")]),
        ("karin@nowhere", [("karin@nowhere", "")]),
        (",;\n \t", []),
    ],
)
def test_the_people_of_a_list(text, people):
    assert [(name, address) for _text, name, address in entries(text)] == people


def test_what_was_written_is_kept():
    assert [entry.text for entry in entries("1. Karin\t030-1234\n2. Ilse, Eva")] == [
        "1. Karin\t030-1234",
        "2. Ilse",
        "Eva",
    ]


def test_a_long_list_of_odd_signs_takes_no_time():
    assert entries('"' * 10_001 + "\n" + "@" * 10_000 + "\n" + "(" * 10_000)
