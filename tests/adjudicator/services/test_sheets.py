"""A sheet is a fold, and a seat has one word (play-by-mail 1.1, 2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from adjudicator.services import sheets
from adjudicator.services.sheets import Clear, Put, Refused, Restore, Say, SeatSheet, Step
from engine.core import codec
from engine.core.contract import Order, Sheet, Slot


class Sail(Order, frozen=True, kw_only=True):
    """An order of a ship, for these tests."""

    ship: str
    course: str

    @property
    def slot(self) -> str:
        """The ship."""
        return self.ship


def lay(sheet: Sheet, orders: Iterable[Order]) -> Sheet:
    found = {order.slot: order for order in sheet}
    found |= {order.slot: order for order in orders}
    return tuple(found.values())


def put(*orders: tuple[str, str], standing: bool = False) -> Put:
    return Put(orders=tuple(codec.plain(Sail(ship=ship, course=course)) for ship, course in orders), standing=standing)


def to_order(plain: dict[str, Any]) -> Order:
    order: Order = codec.from_plain(plain, Sail)
    return order


def folded(*mails: tuple[sheets.AnyEffect, ...], standing: Sheet = ()) -> SeatSheet:
    return sheets.fold(
        [Step(number=place, effects=mail) for place, mail in enumerate(mails, 1)], standing, lay, to_order
    )


def orders(seat: SeatSheet) -> dict[str, str]:
    return {order.slot: codec.plain(order)["course"] for order in seat.sheet}


def said(*words: str) -> tuple[Say, ...]:
    return tuple(Say(word=word) for word in words)  # type: ignore[arg-type]


# The fold


def test_fold_of_no_mail_is_an_empty_sheet_over_the_standing_orders() -> None:
    standing = (Sail(ship="a", course="N"),)

    assert folded(standing=standing) == SeatSheet(standing=standing)


def test_fold_replaces_what_was_said_about_the_same_piece_only() -> None:
    seat = folded((put(("a", "N"), ("b", "S")),), (put(("a", "W")),))

    assert orders(seat) == {"a": "W", "b": "S"}


def test_fold_takes_the_mails_in_the_order_given() -> None:
    first, second = (put(("a", "N")),), (put(("a", "W")),)

    assert orders(folded(first, second)) == {"a": "W"}
    assert orders(folded(second, first)) == {"a": "N"}


def test_clear_starts_from_nothing_and_later_lines_of_the_mail_stand() -> None:
    seat = folded((put(("a", "N"), ("b", "S")),), (Clear(), put(("b", "E"))))

    assert orders(seat) == {"b": "E"}


def test_clear_leaves_standing_orders_alone() -> None:
    seat = folded((put(("a", "N"), standing=True),), (Clear(),))

    assert (seat.sheet, [order.slot for order in seat.standing]) == ((), ["a"])


class Anchor(Order, frozen=True, kw_only=True):
    """An order that lasts."""

    lasts = True
    ship: str

    @property
    def slot(self) -> str:
        """The ship's anchor."""
        return f"{self.ship}-anchor"


def test_order_that_lasts_stands_without_the_word_standing_and_survives_clear() -> None:
    def to_order(plain: dict[str, Any]) -> Order:
        order: Order = codec.from_plain(plain, Sail | Anchor)
        return order

    mail = Put(orders=(codec.plain(Anchor(ship="a")), codec.plain(Sail(ship="a", course="N"))))
    seat = sheets.fold([Step(number=1, effects=(mail,)), Step(number=2, effects=(Clear(),))], (), lay, to_order)

    assert (seat.sheet, seat.standing) == ((), (Anchor(ship="a"),))


def test_restore_puts_back_what_was_in_force_after_that_receipt() -> None:
    seat = folded((put(("a", "N")),), (put(("b", "S")),), (Clear(),), (Restore(number=2),))

    assert orders(seat) == {"a": "N", "b": "S"}


def test_restore_then_new_line_in_one_mail() -> None:
    seat = folded((put(("a", "N")),), (put(("a", "S")),), (Restore(number=1), put(("b", "E"))))

    assert orders(seat) == {"a": "N", "b": "E"}


def test_restore_of_a_receipt_that_has_not_been_changes_nothing() -> None:
    seat = folded((put(("a", "N")),), (Restore(number=7),))

    assert orders(seat) == {"a": "N"}


def test_restore_of_an_empty_sheet_has_nothing_accepted() -> None:
    seat = folded((said("wait")), (put(("a", "N")),), (Restore(number=1),))

    assert (seat.sheet, seat.accepted) == ((), False)


def test_one_more_mail_goes_on_from_where_the_others_left_the_seat() -> None:
    mails: list[tuple[sheets.AnyEffect, ...]] = [
        (put(("a", "N")), *said("ready")),
        (Refused(),),
        (Clear(), put(("b", "S"))),
        (Restore(number=1), put(("c", "E"), standing=True)),
    ]
    steps = [Step(number=place, effects=effects) for place, effects in enumerate(mails, 1)]
    found = sheets.history(steps[:3], (), lay, to_order)

    assert found.then(steps[3], lay, to_order).now == folded(*mails)
    assert (found.now, list(found.after)) == (folded(*mails[:3]), [1, 2, 3])


# What the seat says


@pytest.mark.parametrize(
    ("words", "ready", "wait", "draft"),
    [
        (("ready",), True, False, False),
        (("ready", "not-ready"), False, False, False),
        (("not-ready", "ready"), True, False, False),
        (("wait",), False, True, False),
        (("wait", "no-wait"), False, False, False),
        (("no-wait", "wait"), False, True, False),
        (("ready", "wait"), True, True, False),
        (("draft",), False, False, True),
        (("draft", "ready"), True, False, False),
        (("ready", "draft"), False, False, True),
    ],
)
@pytest.mark.parametrize("apart", [False, True])
def test_the_last_word_counts_in_one_mail_or_in_several(
    words: tuple[str, ...], ready: bool, wait: bool, draft: bool, apart: bool
) -> None:
    mails = [said(word) for word in words] if apart else [said(*words)]
    seat = folded((put(("a", "N")),), *mails)

    assert (seat.ready, seat.wait, seat.draft) == (ready, wait, draft)


def test_lines_of_a_ready_seat_are_taken_and_it_is_ready_only_if_that_mail_says_so() -> None:
    begun: tuple[sheets.Effects, ...] = ((put(("a", "N")), *said("ready")),)

    assert folded(*begun).ready
    assert not folded(*begun, (put(("a", "S")),)).ready
    assert folded(*begun, (put(("a", "S")), *said("ready"))).ready
    assert not folded(*begun, (Refused(),)).ready


def test_asking_for_something_leaves_a_seat_ready() -> None:
    assert folded((put(("a", "N")), *said("ready")), ()).ready


# The word


SLOTS = (Slot(seat="s", key="a", what="ship"), Slot(seat="s", key="b", what="ship"))
NAME = Slot(seat="s", key="name", what="name", optional=True)


def word(seat: SeatSheet, *, missing: tuple[str, ...] = (), owed: tuple[Slot, ...] = SLOTS) -> str:
    return sheets.word(seat, owed, missing)


def test_word_of_a_seat_that_owes_nothing() -> None:
    assert word(SeatSheet(), owed=()) == "owes nothing"
    assert word(SeatSheet(), owed=(NAME,)) == "owes nothing"


def test_word_with_nothing_accepted() -> None:
    assert word(SeatSheet(), missing=("a", "b")) == "no orders"


def test_word_with_a_slot_left_open_is_draft() -> None:
    assert word(folded((put(("a", "N")),)), missing=("b",)) == "draft"


def test_word_with_every_slot_filled() -> None:
    assert word(folded((put(("a", "N"), ("b", "N")),))) == "orders in"


def test_word_with_every_slot_filled_by_standing_orders() -> None:
    assert word(SeatSheet()) == "orders in"


def test_word_of_a_seat_that_wrote_draft() -> None:
    assert word(folded((put(("a", "N"), ("b", "N")), *said("draft")))) == "draft"


def test_word_with_a_refused_line_is_draft_until_it_is_mended() -> None:
    begun = (put(("a", "N"), ("b", "N")), Refused())

    assert word(folded(begun)) == "draft"
    assert word(folded(begun, (put(("b", "S")),))) == "orders in"


def test_word_of_a_ready_seat() -> None:
    assert word(folded((put(("a", "N"), ("b", "N")), *said("ready")))) == "ready"


def test_ready_beside_a_refused_line_is_draft_since_not_all_was_understood() -> None:
    assert word(folded((put(("a", "N"), ("b", "N")), Refused(), *said("ready")))) == "draft"


def test_ready_with_a_slot_left_open_is_draft() -> None:
    assert word(folded((put(("a", "N")), *said("ready"))), missing=("b",)) == "draft"


def test_ready_without_an_order_is_no_miss() -> None:
    assert word(folded(said("ready")), missing=("a", "b")) == "draft"


def test_word_after_everything_was_cleared() -> None:
    assert word(folded((put(("a", "N")),), (Clear(),)), missing=("a", "b")) == "no orders"


def test_wait_alone_is_nothing_accepted() -> None:
    assert word(folded(said("wait")), missing=("a", "b")) == "no orders"


@pytest.mark.parametrize(
    "effect",
    [put(("a", "N")), put(("a", "N"), standing=True), Clear(), Restore(number=3), Say(word="ready"), Refused()],
)
def test_effects_survive_json(effect: sheets.AnyEffect) -> None:
    assert codec.decode(codec.encode((effect,)), sheets.Effects) == (effect,)
