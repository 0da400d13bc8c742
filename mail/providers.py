"""Whose word on a sender counts: profiles of mailbox providers, and the pin that a configuration makes of one."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, Literal

import msgspec
from msgspec import Struct

_ID: Final = re.compile(r"[a-z0-9*](?:[a-z0-9.*-]{0,250}[a-z0-9])?")


class Provider(Struct, frozen=True, forbid_unknown_fields=True):
    """A provider as ``mail/data/providers.toml`` describes it; the comments there say what each field means."""

    title: str
    mailboxes: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    home: tuple[str, ...] = ()
    pieces: Literal["one", "several"] = "one"
    signed: bool = False
    own: bool = False

    def __post_init__(self) -> None:
        """Refuse a profile that would take a stranger's word, or nobody's by mistake."""
        for name in self.ids:
            _demand_pattern(name)
        if bool(self.ids) and not self.home:
            msg = f"providers.toml: {self.title!r} has names and no domain of its own hosts"
            raise ValueError(msg)
        if self.own and (self.ids or self.home):
            msg = f"providers.toml: {self.title!r} is a server of one's own, whose name only the configuration knows"
            raise ValueError(msg)


class Pin(Struct, frozen=True):
    """Whose results count in a mailbox: patterns of the authserv-id, domains of its hosts, and how it writes.

    Without ``ids`` nothing proves a sender: the provider writes no name (``fail`` is believed all the same).
    ``sealers`` are domains whose ARC seals count, none by default (RFC 8617).
    """

    ids: tuple[str, ...] = ()
    home: tuple[str, ...] = ()
    several: bool = False
    signed: bool = False
    sealers: tuple[str, ...] = ()

    def names(self, authserv: str) -> bool:
        """Say whether an authserv-id is one of this pin's."""
        low = authserv.lower().rstrip(".")
        return any(fnmatchcase(low, pattern) for pattern in self.ids)

    def at_home(self, host: str) -> bool:
        """Say whether a host is one of the provider's own."""
        return any(host == domain or host.endswith("." + domain) for domain in self.home)


class BadPin(ValueError):
    """A configuration pins nothing that could be trusted; ``key`` says why, ``known`` are the providers there are."""

    def __init__(self, key: str, typed: str) -> None:
        super().__init__(f"{key}: {typed!r}")
        self.key = key
        self.typed = typed
        self.known = tuple(providers())


class _Suffixes(Struct, frozen=True, forbid_unknown_fields=True):
    generic: frozenset[str]
    names: frozenset[str]


def read_providers(text: str) -> dict[str, Provider]:
    """Read profiles; raises ``msgspec.ValidationError`` or ``tomllib.TOMLDecodeError`` naming what is wrong."""
    return msgspec.convert(tomllib.loads(text), dict[str, Provider])


@cache
def providers() -> dict[str, Provider]:
    """Give the profiles that ship with the package, by the name that a configuration uses."""
    return read_providers((files("mail") / "data" / "providers.toml").read_text("utf-8"))


@lru_cache(maxsize=256)
def pin(authserv: str = "", provider: str = "", sealers: tuple[str, ...] = ()) -> Pin | None:
    """Make the pin of a mailbox from its authserv-id (``*`` for a part of a host name) or its provider's name, or both.

    Both belong together for a server of one's own only. An id that a known provider uses brings its profile along.
    None if nothing is pinned. Raises `BadPin`.
    """
    low = authserv.strip().lower().rstrip(".")
    sealed = tuple(name.strip().lower().rstrip(".") for name in sealers)
    if not provider:
        return _of_id(low, sealed) if low else None
    profile = providers().get(provider)
    if profile is None:
        raise BadPin("unknown-provider", provider)
    if profile.own:
        if not low:
            raise BadPin("provider-without-authserv", provider)
        _demand(low)
        return Pin((low,), (_home(low),), profile.pieces == "several", profile.signed, sealed)
    if low and not any(fnmatchcase(low, known) or low == known for known in profile.ids):
        raise BadPin("authserv-of-another", authserv)
    return Pin((low,) if low else profile.ids, profile.home, profile.pieces == "several", profile.signed, sealed)


def _of_id(authserv: str, sealers: tuple[str, ...]) -> Pin:
    _demand(authserv)
    for profile in providers().values():
        if any(authserv == known or fnmatchcase(authserv, known) for known in profile.ids):
            ids = profile.ids if profile.pieces == "several" else (authserv,)
            return Pin(ids, profile.home, profile.pieces == "several", profile.signed, sealers)
    return Pin((authserv,), (_home(authserv),), sealers=sealers)


def _demand(authserv: str) -> None:
    try:
        _demand_pattern(authserv)
    except ValueError as cause:
        raise BadPin("bad-authserv", authserv) from cause


def _demand_pattern(name: str) -> None:
    """Refuse a pattern that anybody could fit: the registrable domain must stand in it word for word."""
    plain = name.rpartition("*")[2]
    domain = plain.partition(".")[2] if "*" in name else name
    if not _ID.fullmatch(name) or ("*" in name and not registrable(domain)):
        msg = f"an authserv-id, or one whose first part is *, is wanted, not {name!r}"
        raise ValueError(msg)


def _home(authserv: str) -> str:
    """Give the domain of one's own hosts: the registrable one of the pinned id."""
    labels = authserv.rpartition("*")[2].lstrip(".").split(".")
    for start in range(len(labels) - 2, -1, -1):
        domain = ".".join(labels[start:])
        if registrable(domain):
            return domain
    return authserv


# Domains --------------------------------------------------------------------------------------------------------------


@cache
def _suffixes() -> _Suffixes:
    text = (files("mail") / "data" / "suffixes.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _Suffixes)


@lru_cache(maxsize=1024)
def registrable(domain: str) -> bool:
    """Say whether a domain is somebody's, not one under which strangers have theirs (``ru``, ``co.uk``, ``msk.ru``)."""
    labels = domain.split(".")
    if len(labels) < 2 or not all(labels) or domain in _suffixes().names:
        return False
    return not (len(labels) == 2 and len(labels[1]) == 2 and labels[0] in _suffixes().generic)


def aligned(signer: str, domain: str) -> bool:
    """Say whether a signer speaks for a From domain: it is the same, or a parent of it that is somebody's own.

    Narrower than the relaxed alignment of RFC 7489: a child or a sibling of the From domain does not speak for it.
    """
    return registrable(signer) and (domain == signer or domain.endswith("." + signer))
