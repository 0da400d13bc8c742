"""Bytes to text: UTF-8 before any claim, then the claim, then a judge of Russian letters, then with loss, said so."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from functools import lru_cache
from typing import Final

from msgspec import Struct

RUSSIAN: Final = ("cp1251", "koi8-r", "cp866", "iso8859-5")
_UNDECLARED: Final = frozenset({
    "", "unknown-8bit", "unknown", "x-unknown", "none", "default", "binary", "8bit", "7bit", "user-defined",
    "x-user-defined", "us-ascii", "ascii", "1", "utf-8mb4", "base64", "quoted-printable", "hex", "rot13", "zip",
    "bz2", "uu", "idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem",
})  # fmt: skip
_ALIASES: Final = {
    **dict.fromkeys(("cp-1251", "win-1251", "win1251", "windows1251", "x-cp1251", "x-windows-1251", "1251"), "cp1251"),
    **dict.fromkeys(("koi8r", "koi-8", "koi8", "koi"), "koi8-r"),
    **dict.fromkeys(("cp-866", "ibm-866", "dos-866", "x-cp866"), "cp866"),
    **dict.fromkeys(("uft-8", "utf-8-mac", "unicode-1-1-utf-8", "unicode", "utf"), "utf-8"),
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
    "8859-5": "iso8859-5",
    "cp-1252": "cp1252",
    "cp-850": "cp850",
    "iso-8859-8-i": "iso8859-8",
    "koi8-ru": "koi8-u",
    "ks_c_5601-1987": "cp949",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-sjis": "cp932",
}
_JUDGED: Final = 4_000
_CLEARLY_RUSSIAN: Final = 0.35
_CLAIM: Final = re.compile(r"[A-Za-z0-9._:+-]{1,40}")

# Share of each letter in Russian running text, in thousandths: common knowledge of the language, rounded.
_SHARES: Final = "110 85 80 74 67 63 55 47 45 44 35 32 30 28 26 20 19 17 17 16 16 14 12 10 9 7 6 5 4 3 3 1 2"
_SHARE: Final = dict(zip("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", map(int, _SHARES.split()), strict=True))
_PAIR_LIST: Final = """
ст но то на ен ко ра ов ро по пр ни во ре ли не ер ал ел ка ос ор ан ло ет ва ол та ом од ин го за
ле от ла об ем ри ит ть пи ир ат аз ак ар бо бр ве ви ге га да де ди до дн ес ев жа же зн ие ий ик
ил им ис ия ки кр ку ль лю ма ме ми мо мы ны нн ня ог ой он оп па пе ру ры са св се си ск сл со сп
сь сю те ти тр ту ув ул ум ус уч хо ча че чт ше ши ые ый ых ье эт юн яв яд ят уд ую ря юг ош
"""
_PAIRS: Final = frozenset(_PAIR_LIST.split())
_MISREADERS: Final = ("cp1252", "latin-1", "cp1251")
# A Russian letter of two UTF-8 bytes, seen as cp1252, latin-1 or cp1251; the second is never an ordinary letter there.
_MISREAD: Final = re.compile(
    "[ÐÑРСÃÂ][\u0080-\u00bf\u0401-\u040f\u0451-\u045f\u0490\u0491\u0152-\u017e\u0192\u02c6\u02dc\u2010-\u2122]"
)
_LOST: Final = re.compile("\ufffd|пїЅ|ï¿½")


class Decoded(Struct, frozen=True):
    """Text, the charset that gave it, and codes of what had to be guessed (``charset-…``) or was lost."""

    text: str
    charset: str
    repairs: tuple[str, ...] = ()


def decode(data: bytes, claim: str = "") -> Decoded:
    """Decode a text part or a raw header; never raises.

    ``claim`` is the declared charset, believed only where the bytes do not contradict it: valid UTF-8 with at
    least one multibyte character wins over any declared single-byte charset. ``letters-damaged`` among the
    repairs means that letters were lost, and nothing in the text may be acted upon without asking.
    """
    if data.isascii():
        return Decoded(*_ascii(data, claim))
    declared = known(claim)
    first = _as_unicode(data, declared) or _as_declared(data, declared) or _as_judged(data)
    return first or _with_loss(data)


def known(claim: str) -> str:
    """Give the codec name a declared charset means, or empty if it names none that makes text of bytes."""
    found = _CLAIM.search(claim.strip().strip("\"'"))
    name = found.group().lower() if found else ""
    return "" if name in _UNDECLARED else _codec(_ALIASES.get(name, name))


@lru_cache(maxsize=256)
def _codec(name: str) -> str:
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return ""
    return info.name if getattr(info, "_is_text_encoding", True) and info.name not in _UNDECLARED else ""


def _ascii(data: bytes, claim: str) -> tuple[str, str]:
    """Seven-bit bytes are ASCII unless the declared charset is one that hides letters in them (ISO-2022, UTF-7)."""
    declared = known(claim)
    if declared.startswith(("iso2022", "utf-7", "hz", "utf-16", "utf-32")):
        try:
            return data.decode(declared), declared
        except (UnicodeError, ValueError):
            pass
    return data.decode("ascii"), "us-ascii"


def _as_unicode(data: bytes, declared: str) -> Decoded | None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        declared = declared or "utf-16"
    if declared.startswith(("utf-16", "utf-32")):
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    if declared.startswith(("gb", "big5", "shift", "euc", "cp9")) and not _mostly_cyrillic(text):
        return None
    if declared != "utf-8" and _ideographs_by_chance(text, data):
        return None
    repairs = () if declared in ("", "utf-8") else ("charset-was-utf-8",)
    return Decoded(text, "utf-8", repairs)


def _ideographs_by_chance(text: str, data: bytes) -> bool:
    """Say whether a few Russian letters happen to form one East Asian character: «ход» in cp866 does."""
    high = [char for char in text if char > "\x7f"]
    return len(high) <= 2 and all("\u2e80" <= char <= "\ud7ff" for char in high) and _judge(data)[1] > 0.0


def _mostly_cyrillic(text: str) -> bool:
    high = [char for char in text if char > "\x7f"]
    return 2 * sum("\u0400" <= char <= "\u04ff" for char in high) >= len(high)


def _as_declared(data: bytes, declared: str) -> Decoded | None:
    """Believe the claim where it decodes strictly, unless a Russian reading is far better than what it gives."""
    if not declared or declared == "utf-8":
        return None
    try:
        text = data.decode(declared)
    except (UnicodeError, ValueError):
        return None
    if declared in RUSSIAN or declared in ("iso8859-1", "cp1252"):
        own = _score(text[:_JUDGED]) if declared in RUSSIAN else 0.0
        if own > _CLEARLY_RUSSIAN:
            return Decoded(text, declared)
        best, score = _judge(data)
        if best != declared and score > 0.55 and score - own > 0.45:
            return Decoded(data.decode(best), best, ("charset-mislabelled",))
    return Decoded(text, declared)


def _as_judged(data: bytes) -> Decoded | None:
    if (broken := _almost_utf_8(data)) is not None:
        return broken
    best, score = _judge(data)
    return Decoded(data.decode(best), best, ("charset-guessed",)) if score > 0.0 else None


def _almost_utf_8(data: bytes) -> Decoded | None:
    """UTF-8 with a few broken characters is UTF-8 with loss, not some other charset."""
    text = data.decode("utf-8-sig", "replace")
    whole = sum("\x7f" < char != "\ufffd" for char in text)
    lost = text.count("\ufffd")
    return Decoded(text, "utf-8", ("letters-damaged",)) if lost and whole >= 4 * lost else None


def _with_loss(data: bytes) -> Decoded:
    return Decoded(data.decode("cp1251", "replace"), "cp1251", ("letters-damaged",))


def _judge(data: bytes) -> tuple[str, float]:
    """Give the Russian charset under which the bytes read most like Russian, and how much (at best about 1)."""
    best, score = "", -9.0
    for name in RUSSIAN:
        try:
            mark = _score(data[:_JUDGED].decode(name))
        except UnicodeDecodeError:
            continue
        if mark > score:
            best, score = name, mark
    return best, score


def _score(text: str) -> float:
    """Say how Russian a text looks: letters by their share, usual pairs, case that does not jump inside a word."""
    total, count, before = 0.0, 0, ""
    for char in text:
        if char <= "\x7f":
            before = ""
            continue
        count += 1
        low = char.lower()
        share = _SHARE.get(low)
        if share is None:
            total -= 0.0 if char in "«»—–№…\xa0“”„’" else 2.5
            before = ""
            continue
        total += min(share, 60) / 60 - 0.15
        if before:
            total += 0.6 if before.lower() + low in _PAIRS else -0.1
            total -= 1.0 if before.islower() and char.isupper() else 0.0
            total -= 0.4 if before.isupper() and char.islower() and count > 2 and _inside(before) else 0.0
        elif low in "ьъы":
            total -= 1.0
        before = char
    return total / count if count else 0.0


def _inside(before: str) -> bool:
    return before in "ЬЪЫ"


def mended(text: str) -> Decoded:
    """Undo one double encoding («Ð¥Ð¾Ð´», «РҐРѕРґ») line by line, named ``mojibake``; loss is ``letters-damaged``."""
    repairs: list[str] = []
    if not text.isascii() and _MISREAD.search(text):
        lines = text.split("\n")
        fixed = [_mended_line(line) for line in lines]
        if fixed != lines:
            repairs.append("mojibake")
        text = "\n".join(fixed)
    if not text.isascii() and _LOST.search(text):
        repairs.append("letters-damaged")
    return Decoded(text, "", tuple(repairs))


def _mended_line(line: str) -> str:
    if len(_MISREAD.findall(line)) < 2:
        return line
    for misreader in _MISREADERS:
        try:
            back = _bytes_as(line, misreader).decode("utf-8")
        except UnicodeError:
            continue
        # Real Russian may look misread; only a result that is shorter and more Russian is taken.
        if len(back) < len(line) and _score(back) > max(_score(line), 0.0):
            return back
    return line


def _bytes_as(line: str, misreader: str) -> bytes:
    """Encode as the misreading program decoded: code points it had no letter for stay as bytes."""
    with suppress(UnicodeEncodeError):
        return line.encode(misreader)
    out = bytearray()
    for char in line:
        try:
            out += char.encode(misreader)
        except UnicodeEncodeError:
            if not "\x80" <= char <= "\x9f":
                raise
            out.append(ord(char))
    return bytes(out)
