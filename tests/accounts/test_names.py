import pytest
from django.core.exceptions import ValidationError

from accounts.people import avatar
from accounts.text import confusables
from accounts.text.names import folded, normal, skeleton, skeleton_of_club, validate, validate_club

pytestmark = pytest.mark.once


@pytest.mark.parametrize("name", ["Al", "Hildegard", "Ann_2", "jean-luc", "Ørsted", "سارا", "Мария", "x" * 20, "愛子"])
def test_these_names_may_be_chosen(name):
    validate(normal(name))


@pytest.mark.parametrize(
    "name",
    ["", "A", "x" * 21, "2fast", "_ann", "-ann", "ann bob", "ann@home", "ann/", "<b>", "an\u200bn", "ann\n", "Ⅷ."],
)
def test_these_have_the_wrong_shape(name):
    with pytest.raises(ValidationError, match="2 to 20 letters"):
        validate(name)


@pytest.mark.parametrize("name", ["guest-abc", "GUEST-1", "Closed-7", "bot-odo"])
def test_names_that_the_site_gives_are_taken(name):
    with pytest.raises(ValidationError, match="are reserved"):
        validate(name)


ODD = {
    "invisible": ["Gisela\u1160", "Gisela\u115f", "\u3164\u3164\u3164", "An\u17b4n"],
    "of a script in no everyday use": ["\ua4d6isela", "\u13c0isela", "\U00010400nn", "\u16a0nn"],
    "a letter only for phoneticians": ["\u01c0nn", "ann\u01c0", "\u0298nn"],
    "a small sign": ["ann\u02bc", "ann\u02bb", "ann\u02ec", "ann\ua71d"],
}


@pytest.mark.parametrize("name", [name for names in ODD.values() for name in names])
def test_characters_in_no_everyday_use_are_named(name):
    with pytest.raises(ValidationError, match=r"2 to 20 letters|U\+[0-9A-F]{4}"):
        validate(normal(name))


@pytest.mark.parametrize("name", ["Аnn", "\u0585nn", "Ωmega", "аdam", "Ann愛Ж", "שנaa", "سara"])
def test_letters_of_several_alphabets_are_not_mixed(name):
    with pytest.raises(ValidationError, match="one alphabet"):
        validate(name)


def test_digits_of_several_scripts_are_not_mixed():
    with pytest.raises(ValidationError, match="one kind of digits"):
        validate("سارا1۲")


@pytest.mark.parametrize("name", ["愛子Ann", "ひらがなA", "김Ann", "Αλέξης", "Олена", "שרה", "سارا۲", "Łukasz"])
def test_what_is_written_together_every_day_may_be(name):
    validate(normal(name))


OFFICIAL = (
    *("Admin", "ADMIN", "Administrator", "admin_ann", "Adm1n", "AdmIn", "Steward", "Stewards", "site-admin", "S7eward"),
    *("the-admins", "our_stewards", "Bíblios", "Stewárd", "SiteAdmin", "TheBibliosTeam"),
    *("Moderator", "Biblios", "b1bl10s", "Ex-Libris", "ex_libris", "System", "support", "Support-2", "ann_help"),
    *("ofadmin", "MyArmarium", "ArMaRiuM", "Stew-ards", "Adm_in", "SupportTeam", "sitestaff", "TheModeration"),
    *("Админ", "管理员"),
)


@pytest.mark.parametrize("name", OFFICIAL)
def test_nobody_seems_to_speak_for_the_site(name):
    with pytest.raises(ValidationError, match="mistaken for the site itself"):
        validate(name)


@pytest.mark.parametrize(
    "name", ["Stewart", "Badminton", "Modesty", "Admiral", "Ali", "Bottom", "Rootes", "Helpmann", "Padmini"]
)
def test_names_that_only_begin_or_end_like_an_office_may_be_chosen(name):
    validate(name)


def test_what_is_written_the_same_is_the_same_name():
    assert normal("  Ａｎｎ ") == "Ann"
    assert folded("STRASSE") == folded("Straße")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Gisela", "GiseIa"),  # a capital i
        ("Gisela", "gise1a"),
        ("Bob", "BOB"),
        ("Cop", "Сор"),  # Cyrillic
        ("Boop", "B00p"),
        ("Hildegard", "HlLDEGARD"),  # small L among capitals
        ("Mary", "rnary"),
        ("АННА", "AHHA"),  # Cyrillic and Latin
        ("Kατ", "Кат"),
        ("ニニ", "二二"),
    ],
)
def test_what_looks_the_same_has_one_skeleton(one, other):
    assert skeleton(one) == skeleton(other)


def test_what_looks_different_has_another_skeleton():
    names = [
        "Ann",
        "Anna",
        "Änn",
        "Ann1",
        "Ann2",
        "ann-",
        "Jose",
        "José",
        "Мария",
        "Maria",
        "سارا",
        "سارة",
        "愛子",
        "愛",
    ]
    assert len({skeleton(name) for name in names}) == len(names)


def test_a_skeleton_is_its_own_skeleton():
    """Otherwise two ways to the same look might end in two keys."""
    for number in range(0x20000):
        sign = chr(number)
        if sign.isalnum() and not confusables.unusual(sign):
            assert skeleton(skeleton(sign)) == skeleton(sign), sign


# Clubs

OFFICES = [
    *("Armarium Site Office", "The Stewards of the Site", "Vale Admin-Team", "SiteAdmin of Vale", "Our 5tewards"),
    *("Team Ármarium", "Команда Администраторов", "Vale (Moderators)"),
    *("ArMaRiuM team", "Stew ards", "adm-in office", "Siteadmin", "Siteadm in", "A.d.m.i.n", "Badmintonadmins"),
    *("Site Staff", "Support Team", "Security Team", "The Moderation", "Site operators", "Sup port of the Site"),
]


@pytest.mark.parametrize(
    "name",
    [
        *(
            "St. Gall",
            "Писцы (Киев)",
            "Söhne & Co.",
            "انجمن بازی تهران",
            "हिन्दी",
            "Biblios Berlin",
            "Ex Libris Service",
        ),
        *("Badminton Vale", "Бадминтон", "Nomad Minstrels", "The Night Shift", "Roots and Herbs", "Biblios Group"),
    ],
)
def test_a_club_may_have_this_name(name):
    validate_club(normal(name))


@pytest.mark.parametrize(
    "name", ["Сlub", "★ ★ ★", "...", "\u3164\u3164", "a\u200bb", "\u202eAbc", "Admin", "Biblios Help", *OFFICES]
)
def test_no_club_has_this_name(name):
    with pytest.raises(ValidationError):
        validate_club(normal(name))


def test_clubs_whose_names_look_the_same_have_one_skeleton_whatever_stands_between():
    assert len({skeleton_of_club(name) for name in ("St Gall", "St. Gall", "St-Gall!", "ST GALL", "St GaII")}) == 1


def test_an_avatar_that_is_not_chosen_follows_from_the_name_alone_in_any_case():
    assert avatar.read("", "ann") == avatar.read("", "ANN")
    names = ["ann", "bob", "cho", "dan", "eve", "fay", "gil", "hal"]
    assert {avatar.read("", name).pattern for name in names} == {"1", "2", "3", "4"}
    assert ">A</span>" in avatar.avatar("ann")


def test_an_avatar_is_drawn_as_it_was_chosen_and_anything_else_as_none(static_files):
    shown = avatar.avatar("ann", "owl-woad-2")
    assert 'class="avatar pattern-2 woad"' in shown and '#owl"/></svg>' in shown
    for code in ("owl", "owl-woad-9", "dragon-woad-2", 'owl-woad-2"><script>'):
        assert avatar.avatar("ann", code) == avatar.avatar("ann")
