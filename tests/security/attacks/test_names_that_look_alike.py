"""Names that look like somebody else's, or like nobody's: to be trusted in their place, or not to be found."""

from tests.security.attacks.outside import PASSWORD


def signs_up(site, name):
    """Whether somebody new gets this name."""
    answer = site.visitor().post("/sign-up", username=name, new_password=PASSWORD)
    return not answer.path.startswith("/sign-up")


def test_nobody_looks_like_somebody_else(attacked):
    attacked.player("Hildegard")
    attacked.player("Cooper")
    alike = ["HiIdegard", "Hi1degard", "Hildegard\u1160", "\u13bbildegard", "Hildegard\u02bc", "\u041dildegard"]
    alike += ["\u0421oo\u0440e\u0433", "C00per", "Coo\u0580er", "\uff23ooper"]
    assert [name for name in alike if signs_up(attacked, name)] == []


def test_nobody_is_invisible_or_speaks_for_the_site(attacked):
    names = ["\u3164\u3164\u3164", "\u115f\u1160", "Admin", "Steward_Ann", "Adm1n", "Moderator", "Biblios", "Support"]
    assert [name for name in names if signs_up(attacked, name)] == []


def test_no_club_looks_like_another(attacked):
    ann, bob = attacked.player("founding_ann"), attacked.player("founding_bob")
    terms = {"visible": "all", "joining": "free", "game": "biblios", "description": ""}
    assert ann.post("/clubs/new", clubname="Old Scribes", slug="old-scribes", **terms).path.startswith("/c/")
    for number, name in enumerate(["Old Scribes", "OId Scribes", "Old\u3164 Scribes", "Old. Scribes", "Оld Scribes"]):
        assert bob.post("/clubs/new", clubname=name, slug=f"other-{number}", **terms).path == "/clubs/new", name
