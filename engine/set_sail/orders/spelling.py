"""Effects written in words, as a moderator says them: `orders.wording` reads them back (page 1.5)."""

from __future__ import annotations

from typing import Final

from engine.core.contract import Language
from engine.set_sail.effects import TREASURY, BadEffect, Effect, parse_effect
from engine.set_sail.orders.desk import Desk, Fault
from engine.set_sail.orders.lexicon import group, said
from engine.set_sail.orders.wording import said_or_written
from engine.set_sail.state import SetSailView

_GROUPS: Final = {
    "damage": "levels",
    "stat": "stats",
    "forward": "until",
    "breakdown": "breakdowns",
    "wound": "levels",
    "flag": "flags",
    "chances": "sides",
    "status": "statuses",
}
_SIGNED: Final = ("luck", "rep", "stat", "forward", "ambush", "hull", "chances")


def in_words(text: str, language: Language, view: SetSailView) -> str:
    """Return an effect in words where they read back as the same, else as the vocabulary has it."""
    try:
        effect = parse_effect(text)
        line = _Speller(language, view).line(effect)
        same = said_or_written(Desk(view, (), language), line) == text
    except (BadEffect, Fault, KeyError):
        return text
    return line if same else text


class _Speller:
    """Spells effects in one language, by the names that pirates and enemies bear."""

    def __init__(self, language: Language, view: SetSailView) -> None:
        self.language: Language = language
        self.desk = Desk(view, (), language)
        self.coins = view.state.options.money_coins == "on"
        self.moves = {card.id: card.name or card.id for card in view.state.cards}

    def line(self, effect: Effect) -> str:
        """Return the words. Raises KeyError where there are none for it."""
        match effect.kind:
            case "secret" if effect.n == 1:
                head = {"ru": self.head("secret"), "en": "new secret"}[self.language]
                return f"{head}: {effect.text}"
            case "secret":
                word = {"ru": "тайну", "en": "secret"}[self.language]
                return f"{self.head('cross')} {word} {effect.key}"
            case "note":
                return f"{self.head('note')}: {effect.text}"
            case "trigger":
                return f"{self.head('trigger')}: {self.moves[effect.key]}"
            case "exposed":
                gone = "" if effect.n == 1 else f" {said('parts', 'forgotten', self.language)}"
                return f"{self.head('exposed')} {self.who(effect.who)}{gone}: {effect.text}"
            case "money":
                return f"{self.head('money')} {self.who(effect.who)} {self.sum(effect.n or 0)}"
            case "clock":
                return f"{self.head('clock')} {self.desk.titled(effect.key, self.desk.clocks())} {effect.n or 0:+d}"
            case kind:
                return " ".join((self.head(kind), *self.parts(effect)))

    def parts(self, effect: Effect) -> list[str]:
        """Return whom an effect is about, its number and its word, as far as it has them."""
        kind = effect.kind
        if effect.unknown and effect.kind != "damage":
            raise KeyError(effect.kind)
        whos = [effect.who, effect.text] if kind != "ambush" else [effect.text, effect.who]
        found = [self.who(one) for one in whos if one.startswith("@")]
        if effect.unknown:
            found.append("?")
        elif effect.n is not None:
            found += [said("parts", "wound", self.language)] if kind == "heal" else []
            found.append(f"{effect.n:+d}" if kind in _SIGNED else str(effect.n))
        if effect.key:
            found.append(said(_GROUPS[kind], effect.key, self.language))
        return [*found, *([effect.text] if kind == "chances" and effect.text else [])]

    def head(self, kind: str) -> str:
        """Return the word that begins an effect."""
        return said("heads", kind, self.language)

    def who(self, who: str) -> str:
        """Return what somebody is called."""
        if who == TREASURY:
            return said("parts", "treasury", self.language)
        name = who.removeprefix("@")
        if name in self.desk.state.roster:
            return self.desk.called(name)
        return self.desk.titled(name, self.desk.sides())

    def sum(self, n: int) -> str:
        """Return a sum in coins, its sign before the first (P24)."""
        sign, left, parts = "-" if n < 0 else "+", abs(n), []
        for worth in (50, 5, 1):
            many, left = divmod(left, worth)
            if many:
                parts.append(f"{many} {self.coin(worth, many)}")
        return sign + " ".join(parts)

    def coin(self, worth: int, n: int) -> str:
        """Return the word for so many coins."""
        forms = group("coins")[str(worth)]
        if self.language == "en":
            return forms[3] if n == 1 else forms[4]
        if n % 10 == 1 and n % 100 != 11:
            return forms[0]
        return forms[1] if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else forms[2]
