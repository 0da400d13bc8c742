"""A turn as a report tells it: prose, rolls each in one entry, what changed for whom, the sheets, what is pending."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from engine.core.contract import MODERATOR, Event, Language, Seat
from engine.core.story import JournalPage, Scene, Step, Tale
from engine.set_sail import events as ev
from engine.set_sail.orders.lexicon import glosses
from engine.set_sail.orders.spelling import in_words
from engine.set_sail.rules.wounds import slots
from engine.set_sail.sheets import coins, sheet, ship_sheet
from engine.set_sail.state import Decision, Roll, SetSailView, Talk
from engine.set_sail.view import card_of

Facts: TypeAlias = dict[str, Any]
LANGUAGES: Final[tuple[Language, ...]] = ("ru", "en")
VIEW: Final = SetSailView
"""The type of the views that the story is told from."""

SHIP, CREW, TALK = "ship", "crew", "talk"
"""Subjects that are no pirate: what befell the ship, all of the crew, two who negotiate."""

_OF_SHIP: Final = (
    ev.HoleTaken,
    ev.BreakdownTaken,
    ev.Foundering,
    ev.ShipMended,
    ev.ShipDeveloped,
    ev.ShipLaunched,
    ev.FlagRaised,
)
_PARAGRAPHS: Final = (ev.Said, ev.TaleTold, ev.Gated, ev.CampaignBegan)
"""Events that are told in a paragraph of their own."""
_DESK: Final = (ev.EffectsRuled, ev.EffectApplied, ev.EffectUndone, ev.CommandFailed)
"""What the moderator alone is told, beside his own matter: what he ruled, and what it changed."""
_WITH_HELP: Final = ("help", "hinder", "scheme")
_NOT_IN_JOURNAL: Final = (ev.Said, ev.Declared, ev.Ruled, ev.LuckSpent, ev.TradeOffered, ev.CampaignBegan, *_DESK)
_NAMES: Final = (ev.Declared, ev.Rolled, ev.WindowClosed, ev.MoveTriggered, ev.SchemeLaid)
"""Events that tell what move a roll is."""
_MEDDLES: Final = (ev.Aided, ev.LuckSpent)
_FORMER: Final = 12
"""Enemies of former scenes that a letter names: in a year there are many."""
_MOST_PROSE: Final = 20_000
"""Characters of one text of a person that a report repeats."""
_LONGEST_UNDO: Final = 900
"""Characters of changes that a report prints for the moderator to take an effect back by."""


def tell(view: SetSailView, events: Sequence[Event]) -> Tale:
    """Return the story of a turn for a viewer: ``view`` after the turn, ``events`` those he may know."""
    return Tale(
        outlook=tuple(_outlook(view)),
        story=tuple(_story(view, events)),
        own=tuple(_own(view, events)),
        journal=tuple(_journal(events)),
        table=_table(view),
    )


def called(view: SetSailView) -> dict[Seat, dict[str, str]]:
    """Return the titles of seats whose sheets are filled in: their pirates' names."""
    return {one.seat: {"ru": one.name, "en": one.name} for one in view.state.pirates if one.name}


def cast(view: SetSailView) -> Facts:
    """Return who and what the phrases name: pirates, moves, and all that is open."""
    state = view.state
    return {
        "seat": view.seat,
        "crew": view.crew,
        "moderator": view.seat == MODERATOR,
        "names": {one.id: one.name for one in state.factions if one.name}
        | {one.id: one.name for one in state.enemies if one.name}
        | {one.seat: one.name for one in state.pirates if one.name},
        "cards": {one.id: one.name for one in state.cards if one.name},
        "pirates": [one.name for one in state.pirates if one.name],
        "foes": [one.name or one.id for one in state.enemies],
        "glosses": glosses(),
        "triggers": {one.id: _flat(one.trigger) for one in state.cards if one.trigger.strip()},
        "choices": {f"{one.id}.{option.id}": option.text for one in state.cards for option in one.option},
        "stage": state.stage,
        "options": msgspec.structs.asdict(state.options),
        "rolls": {
            one.key: _roll_facts(one) | _says(view, one.move, one.band) | {"proposed": _in_words(view, one.proposal)}
            for one in state.rolls
        },
        "decisions": {one.key: _decision_facts(one) for one in state.decisions},
        "talks": {str(one.number): _talk_facts(one) for one in state.talks},
        "secrets": [{"id": one.id, "text": one.text} for one in state.ship.secrets],
        "backgrounds": [{"id": one.id, "name": one.name, "luck": one.luck} for one in state.backgrounds],
        "code": {one.id: one.text or one.name or one.id for one in state.code},
        "clocks": {one.id: one.name for one in state.clocks if one.name},
        "plans": {one.id: one.goal for one in state.plans},
    }


def _says(view: SetSailView, move: str, band: str) -> Facts:
    """Return what a card says of a band; "" where it is a stub, or its text is not for this reader (page 1.5)."""
    card = card_of(view.state, move)
    text = card.band(band).text if card is not None and band else ""
    return {"carded": card is not None, "says": _flat(text)}


def _flat(text: str) -> str:
    """Return a text of a card in one line."""
    return " ".join(text.split())


def _in_words(view: SetSailView, effects: Sequence[str]) -> dict[str, list[str]]:
    """Return effects in words, in each language."""
    return {language: [in_words(one, language, view) for one in effects] for language in LANGUAGES}


def _roll_facts(roll: Roll) -> Facts:
    return {
        **msgspec.structs.asdict(roll),
        "label": roll.key.partition("/")[2],
        "modifiers": [msgspec.structs.asdict(one) for one in roll.modifiers],
        "aids": [msgspec.structs.asdict(one) for one in roll.aids],
        "secrets": list(roll.secrets),
        "helpers": list(roll.helpers),
        "proposal": list(roll.proposal),
        "faces": list(roll.faces),
    }


def _decision_facts(decision: Decision) -> Facts:
    """Return what is to be decided; an option of rigging, ``rigging.option``, keeps its own name."""
    options = [one if "." in one else f"{decision.about}.{one}" for one in decision.options]
    shown = decision.options if decision.kind != "choice" else options
    return {**msgspec.structs.asdict(decision), "options": list(decision.options), "named": list(shown)}


def _talk_facts(talk: Talk) -> Facts:
    return {
        **msgspec.structs.asdict(talk),
        "suitable_a": list(talk.suitable_a),
        "suitable_b": list(talk.suitable_b),
        "first_seat": talk.a if talk.first == "a" else talk.b,
    }


# Where the campaign stands --------------------------------------------------------------------------------------------


def _outlook(view: SetSailView) -> Iterator[Scene]:
    """Yield where the campaign stands, and what waits for whom."""
    state = view.state
    yield Scene(
        "now",
        {
            "chapter": state.chapter,
            "scene": state.scene,
            "battle": state.battle,
            "passage": state.passage,
            "carouse": state.carouse,
            "stage": state.stage,
            "enemies": [one.id for one in state.enemies if one.here],
        },
    )
    if open_ := [_roll_facts(one) for one in state.rolls]:
        yield Scene("open-rolls", {"rolls": open_})
    for talk in state.talks:
        yield Scene("open-talk", _talk_facts(talk))
    if waiting := [{"seat": one.seat, "what": one.kind} for one in state.decisions]:
        yield Scene("open-decisions", {"decisions": waiting})


# What happened --------------------------------------------------------------------------------------------------------


class _Entry:
    """An entry of the story in the making: about a roll, or what changed for one subject."""

    def __init__(self, subject: str, roll: str = "") -> None:
        self.subject = subject
        self.roll = roll
        self.events: list[Event] = []

    def scene(self, view: SetSailView) -> Scene:
        """Return the entry with its facts."""
        if not self.roll:
            notes = [_note(event, self.subject) for event in self.events]
            return Scene("changes", {"subject": self.subject, "notes": notes})
        notes = [_note(event, self.subject) for event in self.events if not self._is_said_twice(event)]
        if any(isinstance(event, ev.Rolled) for event in self.events):
            notes = [note | {"stat": ""} if note["tag"] == _tag_of(ev.Declared) else note for note in notes]
        known = next((_roll_facts(one) for one in view.state.rolls if one.key == self.roll), {})
        cards = [one for one in (_card(event) for event in self.events) if one]
        moves = [event.move for event in self.events if isinstance(event, ev.Declared) and event.move]
        facts = {
            "roll": self.roll,
            "label": self.roll.partition("/")[2],
            "subject": self.subject,
            "move": (cards or moves or [known.get("move", "")])[-1],
            "kind": self._kind(known.get("kind", "move")),
            "known": bool(known) or any(isinstance(event, _NAMES) for event in self.events),
            "hidden": any(event.audience == (self.subject,) for event in self.events),
            "notes": notes,
            "final": self._final(),
        }
        return Scene("roll", facts | _says(view, str(facts["move"]), self._final()))

    def _final(self) -> str:
        """Return the band that nobody can touch any more, a failure by trade too; "" while it is open, or of a tie."""
        final = ""
        for event in self.events:
            if isinstance(event, ev.WindowClosed):
                final = event.band
            elif isinstance(event, ev.TradeAnswered) and event.taken:
                final = "miss"
        return "" if "/neg" in self.roll else final

    def _kind(self, known: str) -> str:
        """Return what kind of roll it is, as far as its events tell."""
        if "/neg" in self.roll:
            return "tie"
        schemed = any(isinstance(event, (ev.SchemeLaid, ev.SchemeJoined)) for event in self.events)
        goal = any(isinstance(event, ev.Declared) and event.goal for event in self.events)
        return "scheme" if schemed or goal else known

    def _is_said_twice(self, event: Event) -> bool:
        """Say whether the dice tell this too: a ruling before them, a total that nothing changed after them."""
        thrown = next((one for one in self.events if isinstance(one, ev.Rolled)), None)
        if thrown is None:
            return False
        if isinstance(event, ev.WindowClosed):
            return event.total == thrown.total and not any(isinstance(one, _MEDDLES) for one in self.events)
        return isinstance(event, ev.Ruled) and event.rolls


def _story(view: SetSailView, events: Sequence[Event]) -> Iterator[Scene]:
    """Yield what happened: each roll of the turn in one entry, changes of one subject that follow each other in one."""
    entries: list[_Entry | Event] = []
    rolls: dict[str, _Entry] = {}
    told_of = {str(getattr(event, "roll", "")) for event in events if isinstance(event, _THE_ROLL)}
    for event in events:
        if isinstance(event, _DESK) or (isinstance(event, ev.LuckSpent) and _is_told_as_help(event, told_of)):
            continue
        if isinstance(event, _PARAGRAPHS):
            entries.append(event)
            continue
        key = str(getattr(event, "roll", ""))
        if key in told_of:
            if key not in rolls:
                rolls[key] = _Entry(_roller(events, key), key)
                entries.append(rolls[key])
            rolls[key].events.append(event)
            continue
        subject = _subject(event)
        last = entries[-1] if entries else None
        if not isinstance(last, _Entry) or last.roll or last.subject != subject:
            last = _Entry(subject)
            entries.append(last)
        last.events.append(event)
    for entry in entries:
        yield entry.scene(view) if isinstance(entry, _Entry) else Scene(_tag(entry), _facts(entry))
    if log := [_facts(event) for event in events if isinstance(event, ev.EffectApplied) and event.changes]:
        yield Scene("desk-log", {"effects": log})


_THE_ROLL: Final = (
    ev.Declared,
    ev.Ruled,
    ev.Rolled,
    ev.Aided,
    ev.WindowClosed,
    ev.TradeOffered,
    ev.TradeAnswered,
    ev.MoveTriggered,
    ev.SchemeLaid,
    ev.OptionsChosen,
    ev.ExtraConsequence,
    ev.GmMove,
    ev.Noted,
)
"""Events that open the entry of their roll; luck that went into one nobody else knows of is a change of a sheet."""


def _is_told_as_help(event: ev.LuckSpent, rolls: set[str]) -> bool:
    """Say whether the entry of a roll says this too: luck given as help or hindrance."""
    return event.why in _WITH_HELP and event.roll in rolls


def _roller(events: Sequence[Event], key: str) -> Seat:
    """Return whose roll it is: helpers have events of it too."""
    own = (ev.Declared, ev.Ruled, ev.Rolled, ev.WindowClosed, ev.TradeOffered, ev.TradeAnswered, ev.MoveTriggered)
    for event in events:
        if isinstance(event, own) and event.roll == key:
            return event.seat
    who = key.partition("/")[0]
    for event in events:
        if isinstance(event, (ev.OptionsChosen, ev.ExtraConsequence, ev.GmMove)) and event.roll == key and event.seat:
            return event.seat
    return who


def _subject(event: Event) -> str:
    """Return whom an event befell: a seat, the ship, a talk, or the crew."""
    if isinstance(event, _OF_SHIP) or (isinstance(event, ev.StatChanged) and not event.seat):
        return SHIP
    if isinstance(event, (ev.TalkOpened, ev.BidsOpened, ev.RoundDecided, ev.TalkEnded)):
        return TALK
    purse = getattr(event, "purse", "")
    return str(getattr(event, "seat", "") or purse) or CREW


def _note(event: Event, subject: str) -> Facts:
    """Return an event as a clause of an entry whose subject has been named."""
    return _facts(event) | {"tag": _tag(event), "self": subject}


def _facts(event: Event) -> Facts:
    """Return an event's fields as a phrase wants them."""
    facts: Facts = {"self": "", "page": False, **msgspec.structs.asdict(event)}
    facts["card"] = _card(event)
    facts["roller"], _, facts["label"] = str(facts.get("roll", "")).partition("/")
    match event:
        case ev.Rolled():
            added = [one for one in event.modifiers if one.n or (one.what == "stat" and event.stat)]
            facts["modifiers"] = [msgspec.structs.asdict(one) for one in added]
            facts["plain"] = len(event.faces) == len(event.kept)
        case ev.Said() | ev.TaleTold():
            facts["text"] = _flowing(event.text)
        case ev.MoneyMoved():
            facts["sum"], facts["whole"] = coins(abs(event.n)), coins(event.left)
            facts["gain"] = event.n >= 0
        case ev.ShipMended() | ev.TradeOffered():
            facts["sum"] = coins(getattr(event, "paid", 0))
        case ev.EffectsRuled():
            facts["same"] = event.proposed == event.applied
        case ev.EffectApplied():
            made = [[one.place, one.field, one.before, one.after] for one in event.changes]
            undo = msgspec.json.encode(made).decode()
            facts["undo"] = undo if made and len(undo) <= _LONGEST_UNDO else ""
        case ev.OptionsChosen():
            facts["named"] = [one if "." in one else f"{facts['card']}.{one}" for one in event.options]
        case ev.CommandFailed():
            facts["why"] = event.why.partition(":")[0]
            facts["detail"] = event.why.partition(":")[2]
        case _:
            pass
    return facts


def _card(event: Event) -> str:
    """Return the id of the card an event cites as ``id@version``."""
    return str(getattr(event, "card", "")).partition("@")[0]


def _tag(event: Event) -> str:
    return _tag_of(type(event))


def _tag_of(kind: type[Event]) -> str:
    return str(kind.__struct_config__.tag)


def _flowing(text: str) -> str:
    """Return prose without the breaks that mail programs put into paragraphs; short lines, as of verse, stay lines."""
    lines: list[str] = []
    full = False
    for line in text[:_MOST_PROSE].split("\n"):
        if full and line.strip() and line.lstrip()[:1] not in _BEGINS:
            lines[-1] = f"{lines[-1].rstrip()} {line.lstrip()}"
        else:
            lines.append(line)
        full = len(line) >= _FULL
    return "\n".join(lines)


_FULL: Final = 60
"""Characters from which on a line ends where a mail program broke it."""
_BEGINS: Final = frozenset("—–-*•>")
"""What begins a line of its own: speech, an item of a list."""


# Sheets and tables ----------------------------------------------------------------------------------------------------


def _own(view: SetSailView, events: Sequence[Event]) -> Iterator[Scene]:
    """Yield the reader's own sheet and what the crew alone knows; the moderator's desk for the moderator."""
    for pirate in view.state.pirates:
        if pirate.seat == view.seat:
            found = sheet(view, pirate)
            yield Scene("own-sheet", found)
            if found["knows"]:
                yield Scene("own-knows", found)
            if found["struck"]:
                yield Scene("own-struck", found)
    if view.crew:
        yield from _of_the_crew(view)
    if view.seat == MODERATOR:
        yield from _desk(view, events)


def _of_the_crew(view: SetSailView) -> Iterator[Scene]:
    state = view.state
    if state.ship.secrets:
        yield Scene("own-secrets", ship_sheet(view))
    if state.plans:
        yield Scene("own-plans", {"plans": [msgspec.structs.asdict(one) for one in state.plans]})
    exposed = [{"who": one.id, "secrets": list(one.secrets)} for one in state.factions if one.secrets]
    if exposed:
        yield Scene("own-exposed", {"sides": exposed, "moderator": view.seat == MODERATOR})


def _desk(view: SetSailView, events: Sequence[Event]) -> Iterator[Scene]:
    """Yield what the moderator alone keeps: closed clocks, sealed bids, pirates' secrets, and the log of effects."""
    state = view.state
    if closed := [msgspec.structs.asdict(one) for one in state.clocks if not one.open]:
        yield Scene("desk-clocks", {"clocks": closed})
    for talk in state.talks:
        if talk.sealed or talk.sealed_chance:
            yield Scene("desk-sealed", _talk_facts(talk))
    for pirate in state.pirates:
        if pirate.knows:
            yield Scene("desk-knows", sheet(view, pirate))
    for event in events:
        if isinstance(event, ev.FateChosen) and (left := _terrible(view, event.seat)):
            yield Scene("desk-fate-wound", {"seat": event.seat, "place": left})
    for event in events:
        if isinstance(event, _DESK) and not _is_idle(event):
            words: Facts = {}
            if isinstance(event, ev.EffectsRuled):
                words = {"ruled": _in_words(view, event.applied), "proposal": _in_words(view, event.proposed)}
            yield Scene(f"desk-{_tag(event)}", _facts(event) | words)


def _terrible(view: SetSailView, seat: Seat) -> int:
    """Return the slot of a terrible wound that outlived Fate, which the moderator may lower (A21); 0 for none."""
    for pirate in view.state.pirates:
        levels = [wound.level for wound in pirate.wounds]
        if pirate.seat == seat and pirate.status != "dead" and "terrible" in levels:
            return slots(pirate)[levels.index("terrible")]
    return 0


def _is_idle(event: Event) -> bool:
    """Say whether the desk need not be told: a ruling as proposed; an effect that stands in the log below the story."""
    return isinstance(event, ev.EffectApplied) or (
        isinstance(event, ev.EffectsRuled) and event.proposed == event.applied
    )


def _table(view: SetSailView) -> Scene:
    """Give what stands at the end of a letter; of enemies of former scenes those that bear harm and the last few."""
    state = view.state
    former = [one for one in state.enemies if not one.here and not one.harm]
    enemies = [one for one in state.enemies if one not in former[:-_FORMER]]
    facts = {
        "pirates": [sheet(view, one) for one in state.pirates],
        "ship": ship_sheet(view),
        "afloat": bool(state.ship.name or state.ship.hull_max),
        "code": [{"name": one.name or one.id, "kind": one.kind, "text": one.text} for one in state.code],
        "enemies": [msgspec.structs.asdict(one) for one in enemies],
        "more_enemies": len(state.enemies) - len(enemies),
        "clocks": [msgspec.structs.asdict(one) for one in state.clocks if one.open],
    }
    return Scene("table", facts)


# The судовой журнал ---------------------------------------------------------------------------------------------------


def _journal(events: Sequence[Event]) -> Iterator[JournalPage]:
    """Give the ship and every pirate with something to tell a page; what concerns all of the crew is in the ship's."""
    pages: dict[str, list[Scene]] = {SHIP: []}
    thrown = {(event.roll, event.total) for event in events if isinstance(event, ev.Rolled)}
    for event in events:
        if isinstance(event, _NOT_IN_JOURNAL):
            continue
        if isinstance(event, ev.WindowClosed) and (event.roll, event.total) in thrown:
            continue
        subject = _subject(event)
        page = SHIP if subject in (SHIP, CREW, TALK, MODERATOR) else subject
        pages.setdefault(page, []).append(Scene(_tag(event), _facts(event) | {"self": page, "page": True}))
    for page, lines in pages.items():
        if lines:
            yield JournalPage(piece=page, facts={"subject": page}, lines=tuple(lines))


def steps(_view: SetSailView, events: Sequence[Event]) -> tuple[Step, ...]:
    """Return the events one by one, each with whom it befell and the rule that brought it about."""
    found = []
    for event in events:
        subject = _subject(event)
        line = Scene(_tag(event), _facts(event) | {"self": subject, "page": True})
        found.append(Step(scene=line, rule=event.rule, pieces=(subject,), piece={"subject": subject}))
    return tuple(found)
