"""Bytes to text: UTF-8 before any claim, then the claim, then a judge of Russian letters, then with loss, said so."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from contextlib import suppress
from functools import lru_cache
from typing import Final

from msgspec import Struct

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
_JUDGED: Final = 2_000
"""Bytes (or characters) outside ASCII that the judge looks at."""
_CLAIM: Final = re.compile(r"[A-Za-z0-9._:+-]{1,40}")

# How much more often a letter follows another in Russian than by chance, in half nats above -12, as one digit of base
# 25: rows for the letter before, columns for the one after, the first of both for the edge of a word. Counted over the
# Russian pages of this project.
_LETTERS: Final = " абвгдежзийклмнопрстуфхцчшщъыьэюяё"
_FOLLOWS: Final = (
    "5ACEBCBADE0D9CFEFBECB8C8C73000A792",
    "H2CC9CCAD7ADECE2BCDE9090AB40000BB8",
    "CE6423F12D19F3AF4FA5E01521BAFA0085",
    "GF0445G09E0AC8AE8BEBA0800900E90079",
    "CF132C702A13C29H3H4590001000220020",
    "FG0B52F61D08C4EF9D89D0950800BD00BD",
    "H49ACC9AB7CADCE5AEEF0388ABA0000438",
    "9DC43GH23E2844FA5B56F0102100330131",
    "GHAC6DA928177ADE3846B0001000E70AC8",
    "G38AEBC9C9BDDCDB5BFE27BABB400009B0",
    "I6243D62362CC8A755BD3710D700330181",
    "FH0901B30E02D17G2EACD0060700010000",
    "EF3231F93G0941AF93A6C600A000AF0DD6",
    "HF8312G01D07999G7384D00000009800C5",
    "EG045AG00F0610CF129CC00A9200DB03CA",
    "G1CECEBBAACDDDD7BDEE0173AA500023A3",
    "9E0201D00G09917H2H25D0003000530075",
    "DG0A48F90F0644DG52ADC0704600EA04B7",
    "ED6B0AE07B0DEAADDB9GC0739000AE05EA",
    "GE5C08E00E0C77AGBDD5B1039003CE0073",
    "G599CFAEB4ABABB5CEEE2080BC90120B10",
    "DG7D78D67D69E8AF9FCAE163763078357B",
    "G93C34823A25546I5B7780203200340131",
    "FG5756H45E477689788880425410F62353",
    "CG2423G12G1B43C9455FB01028002D002F",
    "CE3534H23G2DF49A555CC020320034013C",
    "BD5767G56H57778A8889C04254206D246G",
    "ED9BABF8AC9BBACDBCCDA4869851AA67H7",
    "I56DA5D126FADC9596BF20B0AC60220020",
    "I47372A0BB0D3FC534AD26001E001209D8",
    "A8575684584976B978AJ60825410562353",
    "G7FBDC77B7C9788866BG4020F3D0440742",
    "I5899CC1AA5BCCC564AF208010C0220B80",
    "G73C49739789DED76FCH40203200440242",
)
_DIGITS: Final = "0123456789ABCDEFGHIJKLMNO"
_PAIRS: Final = {
    before + after: _DIGITS.index(digit) - 12
    for before, row in zip(_LETTERS, _FOLLOWS, strict=True)
    for after, digit in zip(_LETTERS, row, strict=True)
}
_TYPOGRAPHY: Final = "«»—–№…\xa0“”„’‘"
_PRIOR: Final = {"cp1251": 0, "koi8-r": -1, "iso8859-5": -3, "cp866": -4}
"""How usual a charset is in mail that declares none, in half nats."""
RUSSIAN: Final = tuple(_PRIOR)
_TRUST: Final = 12
"""Half nats by which another charset must read better than a declared one to be taken in its place."""
_DOUBT: Final = 8
"""From this on the declared charset is doubted and nothing is done without asking."""
_MARGIN: Final = 8
"""Half nats by which the best guess must be better than the next, to be acted upon without asking."""
_HIGH: Final = re.compile(rb"[A-Za-z]?[\x80-\xff]+[A-Za-z]?")
_WORD: Final = re.compile("[A-Za-z]?[^\x00-\x7f]+[A-Za-z]?")

_MISREADERS: Final = ("cp1252", "latin-1", "cp1251", "koi8-r", "cp866", "iso8859-5")
# A Russian letter of two UTF-8 bytes, seen as cp1252, latin-1 or cp1251; the second is never an ordinary letter there.
# Then the same seen as koi8-r, cp866 and iso8859-5.
_MISREAD: Final = re.compile(
    "[ÐÑРСÃÂ][\u0080-\u00bf\u0401-\u040f\u0451-\u045f\u0490\u0491\u0152-\u017e\u0192\u02c6\u02dc\u2010-\u2122]"
    "|[пя][\u2219-\u2265\u2320-\u25a0©°²·÷ёЁ\xa0]|[╨╤][\u0410-\u043f\u2500-\u25a0]|[аб][\u0080-\u009f\u00a0-\u041f]"
)
_BYTE_ORDER_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_LOST: Final = re.compile("\ufffd|пїЅ|ï¿½")
_COMMON: Final = "оеаинт"
_ASCII: Final = bytes(range(128))
# A charset read as another, letter by letter: what was meant, and as what it was read.
_SWAPPED: Final = (
    ("cp1251", "cp1252"), ("cp1251", "latin-1"), ("koi8-r", "cp1252"), ("koi8-r", "latin-1"), ("cp1251", "koi8-r"),
    ("koi8-r", "cp1251"), ("cp866", "cp1251"), ("cp1251", "cp866"), ("iso8859-5", "cp1251"), ("iso8859-5", "latin-1"),
)  # fmt: skip


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
    declared = known(claim) or ("utf-16" if data.startswith(_BYTE_ORDER_MARKS) else "")
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
    return len(high) <= 2 and all("\u2e80" <= char <= "\ud7ff" for char in high) and _judge(_sample(data))[1] > 0


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
    if declared.startswith(("utf-", "iso2022", "hz")):
        return Decoded(text, declared)
    if declared in RUSSIAN and _plainly(data, declared):
        return Decoded(text, declared)
    sample = _sample(data)
    own = _score(sample.decode(declared, "replace"))
    own = own if declared in RUSSIAN else max(0, own)  # of Cyrillic there are more charsets than those
    if own <= 0 and (broken := _almost_utf_8(data)) is not None:
        return broken
    return _against(data, sample, Decoded(text, declared), own)


def _plainly(data: bytes, charset: str) -> bool:
    """Say cheaply whether text is Russian as it stands: its six commonest small letters make up over a third of it.

    Read by a wrong one of the four charsets, no Russian text has so many of them.
    """
    high = len(data.translate(None, _ASCII))
    return high >= 16 and 100 * sum(map(data.count, _COMMON.encode(charset))) > 36 * high


def _against(data: bytes, sample: bytes, claimed: Decoded, own: int) -> Decoded:
    """Set a declared charset against the Russian one that reads best."""
    best, score, margin = _judge(sample)
    gain = score - own
    if best == claimed.charset or gain < _DOUBT:
        return claimed
    if gain >= _TRUST and 2 * score > len(sample):
        return _sure(data, best, margin, "charset-mislabelled")
    if claimed.charset not in RUSSIAN:
        return claimed
    return Decoded(claimed.text, claimed.charset, ("charset-doubtful",))


def _as_judged(data: bytes) -> Decoded | None:
    if (broken := _almost_utf_8(data)) is not None:
        return broken
    sample = _sample(data)
    best, score, margin = _judge(sample)
    if score < -3 * len(sample):
        return None
    return _sure(data, best, margin if score >= 0 else 0, "charset-guessed")


def _sure(data: bytes, charset: str, margin: int, repair: str) -> Decoded:
    """Decode by a judged charset, and say where the judgement is close or a letter has no meaning there."""
    text = data.decode(charset, "replace")
    doubt = ("charset-doubtful",) if margin < _MARGIN else ()
    lost = ("letters-damaged",) if "\ufffd" in text else ()
    return Decoded(text, charset, (repair, *doubt, *lost))


def _almost_utf_8(data: bytes) -> Decoded | None:
    """UTF-8 with a few broken characters is UTF-8 with loss, not some other charset."""
    text = data.decode("utf-8-sig", "replace")
    lost = text.count("\ufffd")
    whole = len(text) - len(text.encode("ascii", "ignore")) - lost
    return Decoded(text, "utf-8", ("letters-damaged",)) if lost and whole >= 4 * lost else None


def _with_loss(data: bytes) -> Decoded:
    return Decoded(data.decode("cp1251", "replace"), "cp1251", ("letters-damaged",))


def _sample(data: bytes) -> bytes:
    """Give the words outside ASCII, so that a page of styles before the first letter does not hide the letters."""
    words: list[bytes] = []
    size = 0
    for found in _HIGH.finditer(data):
        words.append(found.group())
        size += len(words[-1]) + 1
        if size > _JUDGED:
            break
    return b" ".join(words)[:_JUDGED]


def _judge(sample: bytes) -> tuple[str, int, int]:
    """Give the charset under which a sample reads most like Russian, how much, and how far the next stays behind."""
    scores = {name: _score(sample.decode(name, "replace")) for name in RUSSIAN}
    first, second = sorted(RUSSIAN, key=lambda name: -scores[name] - _PRIOR[name])[:2]
    return first, scores[first], scores[first] + _PRIOR[first] - scores[second] - _PRIOR[second]


def _score(text: str) -> int:
    """Say how much more Russian than chance a text looks, in half nats; ordinary Russian has about two a letter."""
    return sum(
        count * _pair(before, after)
        for (before, after), count in Counter(zip(f" {text}", f"{text} ", strict=True)).items()
    )


@lru_cache(maxsize=16_384)
def _pair(before: str, after: str) -> int:
    """Weigh two neighbours: how usual they are, case that jumps inside a word, letters that no Russian text has."""
    first, second = _russian(before), _russian(after)
    score = _PAIRS[(first or " ") + (second or " ")] if first or second else 0
    if first and second and after.isupper():
        score -= 8 if before.islower() else 1
    if (first and after.isascii() and after.isalpha()) or (second and before.isascii() and before.isalpha()):
        score -= 5
    if not second and after > "\x7f":
        score -= 1 if after in _TYPOGRAPHY else 12
    return score


def _russian(char: str) -> str:
    low = char.lower()
    return low if low != " " and low in _LETTERS else ""


def mended(text: str) -> Decoded:
    """Undo one double encoding («Ð¥Ð¾Ð´», «РҐРѕРґ», «ОХПЮР»), named ``mojibake``; loss is ``letters-damaged``."""
    if text.isascii():
        return Decoded(text, "")
    repairs: list[str] = []
    fixed = "\n".join(map(_mended_line, text.split("\n"))) if _MISREAD.search(text) else text
    fixed = fixed if fixed != text else _swapped(text)
    if fixed != text:
        repairs.append("mojibake")
    if _LOST.search(fixed):
        repairs.append("letters-damaged")
    return Decoded(fixed, "", tuple(repairs))


def _mended_line(line: str) -> str:
    if line.isascii() or len(_MISREAD.findall(line)) < 2:
        return line
    for misreader in _MISREADERS:
        try:
            back = _bytes_as(line, misreader).decode("utf-8")
        except UnicodeError:
            continue
        # Real Russian may look misread; only a result that is shorter and more Russian is taken.
        if len(back) < len(line) and _score(back) > max(_score(line), 0):
            return back
    return line


def _swapped(text: str) -> str:
    """Undo a single-byte charset taken for another before the text became Unicode; only if nothing speaks against."""
    if 4 * sum(map(text.count, _COMMON)) > _letters_at_most(text):
        return text
    sample = " ".join(_WORD.findall(text[: 4 * _JUDGED]))[:_JUDGED]
    own = _score(sample)
    if own >= 0:
        return text
    readings: list[tuple[int, str, str]] = []
    for meant, misreader in _SWAPPED:
        try:
            readings.append((_score(_bytes_as(sample, misreader).decode(meant)), meant, misreader))
        except UnicodeError:
            continue
    score, meant, misreader = max(readings, default=(0, "", ""))
    if score - own < 3 * _TRUST or score < max(_TRUST, len(sample)):
        return text
    try:
        return _bytes_as(text, misreader).decode(meant)
    except UnicodeError:
        return text


def _letters_at_most(text: str) -> int:
    """Count the letters outside ASCII, cheaply: two bytes each in UTF-8."""
    return len(text.encode("utf-8", "replace")) - len(text)


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
