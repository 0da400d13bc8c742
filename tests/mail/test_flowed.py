"""``format=flowed`` (RFC 3676)."""

from __future__ import annotations

from mail.flowed import unflow


def test_unflow_joins_soft_lines_and_keeps_the_signature_mark() -> None:
    assert unflow(["пират 1: ", "A5 - B6", "-- ", "Игорь"], delsp=False) == ["пират 1: A5 - B6", "-- ", "Игорь"]


def test_unflow_drops_the_soft_space_with_delsp() -> None:
    assert unflow(["кор ", "абль"], delsp=True) == ["корабль"]


def test_unflow_does_not_join_across_quote_depths() -> None:
    assert unflow(["> пират 1: ", "A5 - B6"], delsp=False) == ["> пират 1: ", "A5 - B6"]


def test_unflow_joins_quoted_lines_of_one_depth() -> None:
    assert unflow([">> пират 1: ", ">> A5"], delsp=False) == [">> пират 1: A5"]


def test_unflow_removes_stuffing() -> None:
    assert unflow([" From Kadiz", " > not a quote"], delsp=False) == ["From Kadiz", "> not a quote"]
