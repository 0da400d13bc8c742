"""What the same signs, keys or sounds are in another alphabet: look-alikes, keyboard layouts, Russian in Latin letters.

All functions take folded text (`engine.core.names.fold`) unless they say otherwise.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

# Look-alikes ----------------------------------------------------------------------------------------------------------

_LATIN_TWINS: Final = "abekmhopctyxijs"
_CYRILLIC_TWINS: Final = "авекмнорстухіјѕ"
_TO_LATIN: Final = str.maketrans(_CYRILLIC_TWINS, _LATIN_TWINS)
_TO_CYRILLIC: Final = str.maketrans(_LATIN_TWINS, _CYRILLIC_TWINS)
_STRANGERS: Final = str.maketrans("αβεζηικμνορτυχӏ", "abezhikmnoptyxl")
"""Greek capitals, and the Caucasian palochka, as the Latin letters they look like."""


def as_latin(text: str) -> str:
    """Return a text with every letter that has a Latin twin replaced by it: С becomes C."""
    return text.translate(_TO_LATIN)


def as_cyrillic(text: str) -> str:
    """Return a text with every letter that has a Cyrillic twin replaced by it: C becomes С."""
    return text.translate(_TO_CYRILLIC)


_AS_DIGITS: Final = str.maketrans("оoοзliіӏ|б", "0003111116")
_DIGITS_AS_CYRILLIC: Final = {ord("0"): "о", ord("3"): "з", ord("6"): "б"}
_DIGITS_AS_LATIN: Final = {ord("0"): "o", ord("1"): "l"}


def as_digits(text: str) -> str:
    """Return a text with letters that look like a digit replaced by it: О is 0, З is 3, l, I and | are 1, б is 6."""
    return text.translate(_AS_DIGITS)


_DIGIT: Final = re.compile(r"\d")
_MIXED: Final = re.compile(r"[^\W_]*(?:\d[^\W\d_]|[^\W\d_]\d)[^\W_]*")
_LEAST_LETTERS: Final = 2


def looks(text: str) -> tuple[str, ...]:
    """Return what a text is to the eye in one alphabet, character for character; what it is already is left out.

    Cyrillic first, then Latin; within words of two letters and more digits may be letters: «0гонь», «к0рабль».
    """
    known = text.translate(_STRANGERS)
    cyrillic, latin = as_cyrillic(known), as_latin(known)
    found = [cyrillic, latin]
    if _DIGIT.search(known):
        found += [_lettered(cyrillic, _DIGITS_AS_CYRILLIC), _lettered(latin, _DIGITS_AS_LATIN)]
    return tuple(one for one in dict.fromkeys(found) if one != text)


def _lettered(text: str, table: dict[int, str]) -> str:
    """Return a text with the digits inside its words as letters."""

    def letters(word: re.Match[str]) -> str:
        enough = sum(sign.isalpha() for sign in word[0]) >= _LEAST_LETTERS
        return word[0].translate(table) if enough else word[0]

    return _MIXED.sub(letters, text)


# Keyboards ------------------------------------------------------------------------------------------------------------

_QWERTY: Final = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`" + 'QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>~' + "/?@#$^&|"
_JCUKEN: Final = "йцукенгшщзхъфывапролджэячсмитьбюё" + "ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮЁ" + '.,"№;:?/'
_TYPED_QWERTY: Final = str.maketrans(_QWERTY, _JCUKEN)
_TYPED_JCUKEN: Final = str.maketrans(_JCUKEN[: -len("/?@#$^&|")], _QWERTY[: -len("/?@#$^&|")])
_LETTERS_QWERTY: Final = str.maketrans(
    {key: value for key, value in zip(_QWERTY, _JCUKEN, strict=True) if key not in ':;./?@#$^&|"'}
)
_QUOTE_AS_YO: Final = str.maketrans({"'": "е"})  # fold makes an apostrophe of the key of ё
_QUOTES_STAY: Final = {key: value for key, value in _TYPED_QWERTY.items() if key != ord('"')}
_LATIN: Final = re.compile("[a-z]", re.IGNORECASE)
_CYRILLIC: Final = re.compile("[а-яё]", re.IGNORECASE)
_EDGE: Final = re.compile(r"""(?:^|(?<=\s))[^\w\s]+|[^\w\s]+(?=\s|$)""")


def layouts(raw: str) -> tuple[str, ...]:
    """Return what the same keys give in the other keyboard layout (ЙЦУКЕН and QWERTY), character for character.

    Takes text as typed. Three readings at most: all keys Russian; only letters Russian, marks left alone; all keys
    English.
    """
    found = (raw.translate(_TYPED_QWERTY), raw.translate(_LETTERS_QWERTY), raw.translate(_TYPED_JCUKEN))
    return tuple(text for place, text in enumerate(found) if text != raw and text not in found[:place])


def keys(text: str) -> tuple[str, ...]:
    """Return what the keys of a folded text give in the other layout, folded again, character for character.

    Marks may be letters (``k.,jq`` is «любой») or, at the edge of a word, marks (``vtcnm,`` is «месть,»).
    """
    found: list[str] = []
    if _LATIN.search(text):
        whole = text.translate(_TYPED_QWERTY)
        found += [whole, text.translate(_QUOTE_AS_YO).translate(_TYPED_QWERTY)] if "'" in text else [whole]
        edged = list(whole)
        for edge in _EDGE.finditer(text):
            edged[edge.start() : edge.end()] = edge[0]
        found.append("".join(edged))
        found.append(text.translate(_QUOTES_STAY))
    if _CYRILLIC.search(text):
        found.append(text.translate(_TYPED_JCUKEN))
    smaller = (one.casefold().replace("ё", "е") for one in found)
    return tuple(one for one in dict.fromkeys(smaller) if one != text and len(one) == len(text))


# Russian in Latin letters ---------------------------------------------------------------------------------------------

_SOUNDS: Final = {
    **dict(zip("абвгдезийклмнопрстуфыэіј", "abvgdeziiklmnoprstufieii", strict=True)),
    "ж": "J",
    "х": "h",
    "ц": "c",
    "ч": "C",
    "ш": "S",
    "щ": "S",
    "ю": "iu",
    "я": "ia",
    "ь": "",
    "ъ": "",
}
_SPELT: Final = {
    **dict.fromkeys(("shch", "sch", "shh", "sh"), "S"),
    "ch": "C",
    "zh": "J",
    "kh": "h",
    "ts": "c",
    "ph": "f",
    "ck": "k",
    "x": "ks",
    "q": "k",
    "w": "v",
    "y": "i",
    "'": "",
}
_DIGRAPH: Final = re.compile("|".join(sorted(_SPELT, key=len, reverse=True)))
_RUN: Final = re.compile("i+")
_YO: Final = re.compile("[ij]o")


@lru_cache(maxsize=8192)
def sounds(word: str) -> tuple[str, ...]:
    """Return keys that are equal for a Russian word and for the ways to spell it in Latin letters, most likely first.

    ``lastochka``, ``stoyat'``, ``chernyi`` have a key in common with «ласточка», «стоять», «чёрный»; a Latin j may be ж
    or й, io may be ё. A word of other letters has none.
    """
    if all(sign in _SOUNDS for sign in word):
        return (_RUN.sub("i", "".join(_SOUNDS[sign] for sign in word)),) if word else ()
    if not (word.isascii() and word.replace("'", "").isalpha()):
        return ()
    plain = _DIGRAPH.sub(lambda found: _SPELT[found[0]], word)
    spellings = (plain.replace("j", "i"), plain.replace("j", "J"), _YO.sub("e", plain).replace("j", "i"))
    return tuple(dict.fromkeys(_RUN.sub("i", one) for one in spellings))
