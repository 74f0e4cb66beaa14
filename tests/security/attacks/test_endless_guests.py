"""One household has 2^64 addresses of IPv6, and each of them would be a newcomer."""

from tests.security.attacks.outside import PASSWORD, Visitor

HTTPS = {"BIBLIOS_HTTPS": "1", "BIBLIOS_HOSTS": "play.example"}


class Behind(Visitor):
    """A visitor whose requests come through the proxy, which has noted their address."""

    def __init__(self, site, noted):
        super().__init__(site, "127.0.0.1", {})
        self.origin = "https://play.example"
        self.headers = {
            "Host": "play.example",
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": noted,
            "Referer": "https://play.example/",
        }

    def ask(self, method, path, body=None, headers=None):
        token = self.cookies.get("__Host-csrftoken", "")
        return super().ask(method, path, body, {"X-CSRFToken": token, **(headers or {})})


def test_a_network_has_no_more_guests_and_guesses_than_an_address(attack):
    site = attack(**HTTPS, BIBLIOS_NEWCOMERS="3")

    def joins(noted):
        visitor = Behind(site, noted)
        visitor.ask("GET", "/sign-in")
        return visitor.ask("POST", "/guest").status == 302

    assert sum(joins(f"2001:db8::{number:x}") for number in range(5)) == 3
    assert sum(joins(f"1.2.3.4, 2001:db8:0:{number:x}::1") for number in range(1, 12)) == 9
    assert not joins("203.0.113.9, 2001:db8::ffff")
    assert joins("2001:db8::1, 203.0.113.9")


def test_one_network_has_five_guesses_at_a_name(attack):
    site = attack(**HTTPS)
    ann = Behind(site, "203.0.113.9")
    ann.ask("GET", "/sign-up")
    assert ann.ask("POST", "/sign-up", f"username=guessed_ann&new_password={PASSWORD.replace(' ', '+')}").status == 302

    def guess(number):
        visitor = Behind(site, f"2001:db8::{number:x}")
        visitor.ask("GET", "/sign-in")
        return visitor.ask("POST", "/sign-in", f"username=guessed_ann&password=guess{number}").status

    assert [guess(number) for number in range(8)] == [422] * 5 + [429] * 3
