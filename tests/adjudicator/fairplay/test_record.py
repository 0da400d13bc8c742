"""What goes into the log of a game: entries, sheets as parts, events and dice by who may know them."""

from __future__ import annotations

import pytest

from adjudicator.fairplay.events import Dispute, Lock, Look, Order
from adjudicator.fairplay.log import NO_HEAD, canon, commitment, fits, link
from adjudicator.fairplay.record import (
    Book,
    enter,
    lock_parts,
    options_object,
    sheets_of,
    split_dice,
    split_events,
    switch_options,
)
from engine.core.dice import Throw
from tests.adjudicator.fairplay.toy import TOY, Found, Hidden, Hide, Search, Tide, ToyOptions, ToyState

AT = "2026-01-09T20:00:00Z"
SEATS = ("crew-1", "crew-2", "crew-3")
STATE = ToyState(options=ToyOptions(), roster=SEATS, turn=0, tide=3)
BOOK = Book("toy-1-5fd20c1e", b"k" * 32)


def test_entry_counts_and_links() -> None:
    first, one = enter(BOOK, Look(at=AT, turn=None, who="operator", what="state"))
    second, two = enter(first, Look(at=AT, turn=None, who="operator", what="state"))

    assert (one.line.seq, two.line.seq, second.seq) == (1, 2, 2)
    assert one.head == link(NO_HEAD, one.line.object)
    assert two.head == link(one.head, two.line.object) == second.head
    assert one.text.encode() == canon(one.line.object)


def test_entry_seals_a_single_part_under_the_nonce_of_its_event() -> None:
    _, entry = enter(BOOK, Order(at=AT, turn=1, batch=3), private={"seat": "crew-1"})

    (opening,) = entry.openings
    assert (opening.seq, opening.part, opening.object) == (1, None, {"seat": "crew-1"})
    assert fits(opening, entry.line.object["private"])
    assert "crew-1" not in entry.text


def test_entry_seals_parts_by_name() -> None:
    lock = Lock(at=AT, turn=0, batch=2, streams={"main": 2}, rows={"main": {}})

    _, entry = enter(BOOK, lock, parts={"crew-1": {"orders": []}, "cargo": {"hold": 2}})

    assert [opening.part for opening in entry.openings] == ["cargo", "crew-1"]
    assert entry.line.object["private"] == {
        str(opening.part): commitment(bytes.fromhex(opening.salt), opening.object) for opening in entry.openings
    }
    assert "hold" not in entry.text


def test_entry_of_an_optional_part_may_do_without() -> None:
    enter(BOOK, Dispute(at=AT, turn=1, state="stands"))
    enter(BOOK, Dispute(at=AT, turn=1, state="open"), private={"seat": "crew-1", "text": "…"})


def test_parts_that_do_not_fit_the_type_are_a_mistake() -> None:
    lock = Lock(at=AT, turn=0, batch=2, streams={"main": 2}, rows={"main": {}})
    look = Look(at=AT, turn=None, who="operator", what="state")
    order = Order(at=AT, turn=1, batch=3)

    with pytest.raises(TypeError, match="do not fit"):
        enter(BOOK, order)
    with pytest.raises(TypeError, match="do not fit"):
        enter(BOOK, order, parts={"crew-1": {}})
    with pytest.raises(TypeError, match="do not fit"):
        enter(BOOK, lock, private={})
    with pytest.raises(TypeError, match="do not fit"):
        enter(BOOK, look, private={})
    with pytest.raises(TypeError, match="do not fit"):
        enter(BOOK, look, parts={"crew-1": {}})


# Options and orders ---------------------------------------------------------------------------------------------------


def test_options_are_written_whole() -> None:
    assert options_object(ToyOptions()) == {"sides": 6, "lucky": False}


def test_switch_changes_an_option_and_leaves_the_rest() -> None:
    changed = switch_options(TOY, STATE, {"lucky": True})

    assert isinstance(changed, ToyState)
    assert (changed.options, changed.tide) == (ToyOptions(lucky=True), 3)
    assert STATE.options == ToyOptions()


def test_secret_orders_are_parts_of_their_own() -> None:
    sheets = {"crew-1": (Hide(hold=2), Search(hold=1)), "crew-2": (Search(hold=3),)}

    parts = lock_parts(TOY, STATE, sheets, {"crew-2": {"search": "standing"}})

    assert parts == {
        "crew-1": {"orders": [{"type": "search", "hold": 1}], "from": ["sent"]},
        "cargo": {"hold": 2},
        "crew-2": {"orders": [{"type": "search", "hold": 3}], "from": ["standing"]},
    }


def test_sheets_come_back_from_their_parts_secret_orders_last() -> None:
    sheets = {"crew-2": (Search(hold=3),), "crew-1": (Hide(hold=2), Search(hold=1))}

    back = sheets_of(TOY, STATE, SEATS, lock_parts(TOY, STATE, sheets, {}))

    assert list(back.items()) == [("crew-1", (Search(hold=1), Hide(hold=2))), ("crew-2", (Search(hold=3),))]
    assert lock_parts(TOY, STATE, back, {}) == lock_parts(TOY, STATE, sheets, {})


# Events and dice ------------------------------------------------------------------------------------------------------


def test_events_are_told_to_those_who_may_know_with_their_places() -> None:
    events = (
        Tide(rule="T1", face=3),
        Found(rule="T3", hold=1, cargo=True, audience=("crew-1", "crew-3")),
        Hidden(rule="T2", hold=1, audience=()),
    )

    public, parts = split_events(events, SEATS)

    found = {"type": "found", "rule": "T3", "hold": 1, "cargo": True, "audience": ("crew-1", "crew-3")}
    assert public == ({"type": "tide", "rule": "T1", "face": 3},)
    assert parts == {
        "crew-1": {"events": [(1, found)]},
        "crew-2": {"events": []},
        "crew-3": {"events": [(1, found)]},
        "moderator": {"events": [(2, {"type": "hidden", "rule": "T2", "hold": 1, "audience": ()})]},
    }


def test_event_for_somebody_without_a_seat_is_a_mistake() -> None:
    with pytest.raises(KeyError, match="crew-9"):
        split_events((Hidden(rule="T2", hold=1, audience=("crew-9",)),), SEATS)


def test_dice_of_sealed_streams_are_parts_thrown_or_not() -> None:
    shot, lot = Throw("main", 3, "ship4/o1/main/0", 8, 1), Throw("gold", 1, "gold/x1/main/0", 3, 2)

    assert split_dice([shot, lot], ["deck", "gold"]) == ((shot,), {"deck": {"dice": []}, "gold": {"dice": [lot]}})
    assert split_dice([shot, lot], []) == ((shot, lot), {})
