"""Where somebody comes from: the network address by which limits count them."""

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, NamedTuple

from django.conf import settings

WIDER = 4
"""A wide network may have this many times the limit of one network within it."""


class Network(NamedTuple):
    """The network of one household or host, and the larger one that a provider gives to one customer at most.

    Of IPv6 these are the /64, in which anybody has as many addresses as they like, and the /48 (RFC 6177). An IPv4
    address is its own network.
    """

    near: str
    wide: str = ""
    """Empty for IPv4."""

    def __str__(self) -> str:
        return self.near

    def beside(self, name: str) -> "Network":
        """What counts for one name in this network."""
        return Network(f"{name} {self.near}", self.wide and f"{name} {self.wide}")


def network_of(peer: str, noted: str = "") -> Network:
    """The network of the client. Behind a proxy that speaks HTTPS it is the last address in its X-Forwarded-For, the
    only one that the proxy itself has `noted`; otherwise, or if that is no address, the peer's."""
    last = noted.split(",")[-1].strip() if settings.SECURE_PROXY_SSL_HEADER else ""
    for text in filter(None, (last, peer)):
        try:
            address = ip_address(text.partition("%")[0])
        except ValueError:
            continue
        if isinstance(address, IPv6Address):
            if not address.ipv4_mapped:
                return Network(*(str(ip_network((address, length), strict=False)) for length in (64, 48)))
            address = address.ipv4_mapped
        return Network(str(address))
    return Network(peer)


def network_of_socket(scope: Mapping[str, Any]) -> Network:
    """The network from which a socket comes, by its ASGI scope."""
    noted = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return network_of((scope.get("client") or [""])[0], ",".join(noted))
