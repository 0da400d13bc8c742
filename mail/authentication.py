"""What a mailbox's provider vouches for: Authentication-Results read tolerantly, believed narrowly (RFC 8601)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

from mail.addresses import canonical, canonical_domain
from mail.message import Incoming
from mail.providers import Pin, aligned, pin

VALUE_LIMIT: Final = 16_384
"""Bytes of one header that are read; results beyond them do not count."""
HEADERS_LIMIT: Final = 50
"""Headers with results that are looked at, topmost first."""

_BY: Final = re.compile(r"(?:^|\s)by\s+([^\s;()]{1,255})", re.IGNORECASE)
_METHOD: Final = re.compile(r"([a-z][a-z0-9_-]{0,30})(?:/\d{1,3})?=\"?([a-z]{1,20})\"?", re.IGNORECASE)
_PROPERTY: Final = re.compile(r"([a-z][a-z0-9_.-]{0,60})=(?:\"([^\"]{0,255})\"|([^\s\"]{0,998}))", re.IGNORECASE)
_SPECIAL: Final = re.compile(r"([()\"\\])")
_EQUALS: Final = re.compile(r"\s*=\s*")
_SLASH: Final = re.compile(r"\s*/\s*(?=\d{1,3}(?:\s|=))")
_PLAIN_VALUE: Final = re.compile(r"[^\s;=]{0,255}")
_SIGNED_BY: Final = re.compile(r"(?:^|;)\s*d\s*=\s*([^\s;]{1,255})", re.IGNORECASE)
_SIGNED_IN_PART: Final = re.compile(r"(?:^|;)\s*l\s*=\s*\d", re.IGNORECASE)
_INSTANCE: Final = re.compile(r"\s*i\s*=\s*(\d{1,2})\s*;")
_ODD_ENVELOPE: Final = re.compile(r"[\"();=,\s\\]")
_NO_METHODS: Final = frozenset({"action", "reason", "from"})
_RESULTS: Final = frozenset({
    "pass", "fail", "none", "neutral", "softfail", "hardfail", "permerror", "temperror", "policy", "unknown", "discard",
    "nxdomain", "skipped", "declined", "tempfail", "permfail", "bestguesspass", "error", "invalid",
})  # fmt: skip


class Authentication(Struct, frozen=True):
    """What the mailbox provider vouches for: ``pass``, ``fail`` or ``none``, and by which result.

    ``why`` is a code (``dmarc=pass``, ``no-trusted-result``, ``address-from-elsewhere`` …), ``domain`` the one of the
    From address, ``by`` the authserv-id of the header that decided, ``signer`` the domain whose signature did.
    """

    result: Literal["pass", "fail", "none"]
    why: str
    domain: str = ""
    by: str = ""
    signer: str = ""


class _Result(Struct, frozen=True):
    """One method's result in a header: ``dkim=pass header.d=example.org``."""

    method: str
    value: str
    properties: tuple[tuple[str, str], ...]

    def get(self, name: str) -> str:
        return next((value for key, value in self.properties if key == name), "")

    def domain(self, *names: str) -> str:
        """Give the domain that the first of these properties names, alone or in an address."""
        value = next(filter(None, map(self.get, names)), "").strip("<>")
        return canonical_domain(value.rpartition("@")[2])


class _Header(Struct, frozen=True):
    """One Authentication-Results header: whose it is, what it says, and whether a sender's words may have crept in."""

    authserv: str
    results: tuple[_Result, ...]
    odd: bool

    def of(self, method: str) -> list[_Result]:
        return [one for one in self.results if one.method == method]


def authentication(incoming: Incoming, pinned: Pin | str | None) -> Authentication:
    """Read what the mailbox provider itself says of the From domain (RFC 8601 5): DMARC, or DKIM in line with it.

    ``pinned`` is the pin of the mailbox, or an authserv-id as `mail.providers.pin` takes it. Only results under that
    name count, and only above the first Received line of a host outside the provider's domains; of several such headers
    the topmost, where the provider writes one. SPF alone proves nothing; ``fail`` of DMARC decides wherever it stands.
    """
    domain = canonical(incoming.from_address).rpartition("@")[2]
    if not domain:
        return Authentication("none", "from-not-single")
    trusted = pin(pinned) if isinstance(pinned, str) else pinned
    if trusted is None:
        return Authentication("none", "nothing-pinned", domain)
    found = _trusted(incoming, trusted)
    if not found:
        return Authentication("none", "no-trusted-result" if trusted.ids else "nameless-provider", domain)
    return _judged(incoming, found, trusted, domain)


def _judged(incoming: Incoming, found: list[_Header], trusted: Pin, domain: str) -> Authentication:
    for header in found:
        if any(one.value == "fail" and _concerns(one, domain) for one in header.of("dmarc")):
            return Authentication("fail", "dmarc=fail", domain, header.authserv)
    dmarc, dkim = _counting(found, "dmarc", trusted), _counting(found, "dkim", trusted)
    signatures = _signatures(incoming)
    speaking = [name for name in signatures if aligned(name, domain)]
    passed = _passed(dmarc, dkim, domain, speaking) if trusted.ids else None
    if passed is not None:
        return _unless_doubtful(incoming, passed, trusted, speaking, signatures)
    failed = dkim is not None and any(one.value == "fail" and aligned(_signer(one), domain) for one in dkim.of("dkim"))
    if dkim is not None and failed and not any(one.value == "pass" for one in found[0].of("dmarc")):
        return Authentication("fail", "dkim=fail", domain, dkim.authserv)
    if trusted.sealers and (sealed := _sealed(incoming, found, trusted, domain)) is not None:
        return sealed
    return Authentication("none", "nothing-aligned" if trusted.ids else "nameless-provider", domain, found[0].authserv)


def _counting(found: list[_Header], method: str, trusted: Pin) -> _Header | None:
    """Return the header whose word on a method counts: the topmost, or the topmost that speaks of it at all."""
    if not trusted.several:
        return found[0]
    return next((header for header in found if header.of(method)), None)


def _passed(dmarc: _Header | None, dkim: _Header | None, domain: str, speaking: list[str]) -> Authentication | None:
    if dmarc is not None and not dmarc.odd:
        said = dmarc.of("dmarc")
        if len(said) == 1 and said[0].value == "pass" and aligned(said[0].domain("header.from"), domain):
            return Authentication("pass", "dmarc=pass", domain, dmarc.authserv)
    if dkim is not None and not dkim.odd:
        for one in dkim.of("dkim"):
            signer = _signer(one)
            # A pass for a signature that the mail does not bear is nobody's: a provider that stamps nothing into
            # unsigned mail lets a forged header stand topmost, but it stamps whatever bears a signature.
            if one.value == "pass" and signer in speaking:
                return Authentication("pass", "dkim=pass", domain, dkim.authserv, signer)
    return None


def _unless_doubtful(
    incoming: Incoming, passed: Authentication, trusted: Pin, speaking: list[str], signatures: dict[str, bool]
) -> Authentication:
    """Take a pass back where the mail shows how it may have been come by."""
    if any(_ODD_ENVELOPE.search(value.strip().strip("<>")) for value in incoming.all("return-path")):
        # Some servers write the envelope's sender into their results without quotes: it could hold results of its own.
        return Authentication("none", "odd-envelope", passed.domain, passed.by)
    if trusted.signed and not speaking:
        return Authentication("none", "pass-without-signature", passed.domain, passed.by)
    if any(signatures[name] for name in speaking):
        # Such a signature ends before the text does (RFC 6376 8.2): anybody may have written the rest.
        return Authentication("none", "signed-in-part", passed.domain, passed.by)
    return passed


def _concerns(result: _Result, domain: str) -> bool:
    """Say whether a DMARC result is about the From domain; one that names none is."""
    named = result.domain("header.from")
    return not named or named == domain or domain.endswith("." + named)


def _signer(result: _Result) -> str:
    return result.domain("header.d", "header.i")


def _signatures(incoming: Incoming) -> dict[str, bool]:
    """Return the domains whose signatures a mail bears, and whether any of each covers a part of the text only."""
    found: dict[str, bool] = {}
    for name, value in incoming.headers:
        if name == "dkim-signature":
            text = _unfolded(value)
            if signed := _SIGNED_BY.search(text):
                domain = canonical_domain(signed[1].rpartition("@")[2])
                found[domain] = found.get(domain, False) or _SIGNED_IN_PART.search(text) is not None
    return found


# Headers --------------------------------------------------------------------------------------------------------------


def _trusted(incoming: Incoming, trusted: Pin) -> list[_Header]:
    """Return the headers with the provider's name above the first foreign hop, topmost first."""
    found: list[_Header] = []
    seen = 0
    for name, value in incoming.headers:
        if name == "received" and _foreign(_unfolded(value), trusted):
            break
        if name == "authentication-results" and seen < HEADERS_LIMIT:
            seen += 1
            header = _read(value[:VALUE_LIMIT].decode("utf-8", "replace"))
            if trusted.names(header.authserv) if trusted.ids else not header.authserv:
                found.append(header)
    return found


def _foreign(received: str, trusted: Pin) -> bool:
    """Say whether a Received line was written by a named host outside the provider's domains."""
    found = _BY.search(_without_comments(received)[0])
    if found is None:
        return False
    host = found[1].lower().rstrip(".").strip("[]")
    if "." not in host or ":" in host or host.replace(".", "").isdigit():
        return False  # an inner hop: bare name, IPv6 label or address, as providers write inside their own network
    return not trusted.at_home(host)


def _read(value: str) -> _Header:
    """Read a header's value: authserv-id, then results, parted by semicolons or by nothing; never raises.

    A header without a semicolon before a further method can say ``fail`` and no more: what stands there may be a value
    with blanks in it that somebody sent. ``odd`` says that something in it is no result at all.
    """
    text, odd = _without_comments(value)
    text = _SLASH.sub("/", _EQUALS.sub("=", " ".join(text.split())))
    server, *pieces = text.split(";")
    words = server.split()
    authserv = words.pop(0).lower().rstrip(".") if words and "=" not in words[0] else ""
    if words and words[0].isdigit():
        words.pop(0)  # the version of the format
    found: list[_Result] = []
    for piece in (" ".join(words), *pieces):
        results, stray = _results(piece.split())
        found += results
        odd = odd or stray
    return _Header(authserv, tuple(found), odd)


def _results(words: list[str]) -> tuple[list[_Result], bool]:
    """Read the results of one piece, of which more than one is too many, and whether anything in it is no result."""
    found: list[tuple[str, str, list[tuple[str, str]]]] = []
    stray = False
    for word in words:
        method, prop = _METHOD.fullmatch(word), _PROPERTY.fullmatch(word)
        if method and method[2].lower() in _RESULTS and method[1].lower() not in _NO_METHODS:
            found.append((method[1].lower(), method[2].lower(), []))
        elif prop and found:
            found[-1][2].append((prop[1].lower(), prop[2] or prop[3] or ""))
        else:
            stray = stray or not (prop or word.lower() == "none")
    whole = [_Result(method, value, tuple(properties)) for method, value, properties in found]
    return [one for place, one in enumerate(whole) if place == 0 or one.value == "fail"], stray


def _without_comments(value: str) -> tuple[str, bool]:
    """Drop comments in round brackets, nested ones too, and unfold; a quoted string that is no single value is emptied.

    So neither a comment nor a quoted reason, which may repeat words of the sender, can pass for a result. Returns also
    whether brackets or quotes stand as no server writes them, only a sender who would break out of them.
    """
    out: list[str] = []
    string: list[str] | None = None
    depth, escaped, odd = 0, False, False
    for piece in filter(None, _SPECIAL.split(value)):
        if escaped:
            escaped = False
        elif piece == "\\" and (depth or string is not None):
            escaped = odd = True
        elif depth or (piece == "(" and string is None):
            odd = odd or piece == '"'
            depth += (piece == "(") - (piece == ")")
        elif piece == '"':
            out += () if string is None else (_quoted(string),)
            string = [] if string is None else None
        elif string is not None:
            string.append(piece)
        else:
            odd = odd or piece == ")"
            out.append(piece)
    return "".join(out), odd or depth > 0 or string is not None


def _quoted(string: list[str]) -> str:
    content = "".join(string)
    return f'"{content}"' if _PLAIN_VALUE.fullmatch(content) else '""'


def _unfolded(value: bytes) -> str:
    return " ".join(value[:VALUE_LIMIT].decode("utf-8", "replace").split())


# ARC ------------------------------------------------------------------------------------------------------------------


def _sealed(incoming: Incoming, found: list[_Header], trusted: Pin, domain: str) -> Authentication | None:
    """Take a listed sealer's word, if our provider found the chain whole: his results of the newest instance (8617)."""
    if not any(one.value == "pass" for header in found if not header.odd for one in header.of("arc")):
        return None
    seals, results = _instances(incoming, "arc-seal"), _instances(incoming, "arc-authentication-results")
    newest = max((number for number, _ in seals), default=0)
    seal = [text for number, text in seals if number == newest]
    said = [text for number, text in results if number == newest]
    signed = _SIGNED_BY.search(seal[0]) if len(seal) == len(said) == 1 else None
    if signed is None or signed[1].lower().rstrip(".") not in trusted.sealers:
        return None
    header = _read(said[0].partition(";")[2])
    passed = [one for one in header.of("dmarc") if one.value == "pass" and aligned(one.domain("header.from"), domain)]
    passed += [one for one in header.of("dkim") if one.value == "pass" and aligned(_signer(one), domain)]
    if header.odd or not passed:
        return None
    return Authentication("pass", "arc=pass", domain, found[0].authserv, signed[1].lower().rstrip("."))


def _instances(incoming: Incoming, wanted: str) -> list[tuple[int, str]]:
    return list(_numbered(incoming, wanted))


def _numbered(incoming: Incoming, wanted: str) -> Iterator[tuple[int, str]]:
    for name, value in incoming.headers:
        if name == wanted:
            text = _unfolded(value)
            if numbered := _INSTANCE.match(text):
                yield int(numbered[1]), text
