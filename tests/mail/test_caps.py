"""Limits are seen before anything is parsed, and in linear time."""

from __future__ import annotations

import base64
import time
import tracemalloc

import pytest

from mail import caps
from mail.message import decode
from tests.mail.mails import ORDERS, parts, raw_mail


def multipart(body: bytes) -> bytes:
    return raw_mail(body, kind='multipart/mixed; boundary="b"')


def test_fifty_thousand_parts_are_refused_without_parsing() -> None:
    bomb = multipart(b"--b\r\n\r\n\r\n" * 50_000)

    began = time.process_time()
    assert decode(bomb).damage == "too-many-parts"
    assert time.process_time() - began < 1


def nested(depth: int) -> bytes:
    layers = [f'--b{n}\r\nContent-Type: multipart/mixed; boundary="b{n + 1}"\r\n\r\n' for n in range(depth)]
    return raw_mail("".join(layers).encode(), kind='multipart/mixed; boundary="b0"')


def test_three_thousand_multiparts_inside_each_other_are_refused() -> None:
    began = time.process_time()
    assert decode(nested(3_000)).damage == "too-deep"
    assert time.process_time() - began < 1


@pytest.mark.parametrize("end", [b"\n", b"\r"])
def test_bombs_are_refused_whatever_ends_their_lines(end: bytes) -> None:
    wide = multipart(b"--b\r\n\r\n\r\n" * 50_000).replace(b"\r\n", end)
    fields = (b"a: b\r\n" * 30_000 + raw_mail("x")).replace(b"\r\n", end)

    began = time.process_time()
    found = [decode(raw).damage for raw in (nested(3_000).replace(b"\r\n", end), wide, fields)]
    assert found == ["too-deep", "too-many-parts", "headers-too-large"]
    assert time.process_time() - began < 1


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n", b"\n\r"])
def test_millions_of_lines_are_refused(end: bytes) -> None:
    began = time.process_time()
    assert decode(raw_mail(b"x" + end * 4_000_000)).damage == "too-many-lines"
    assert time.process_time() - began < 1


def test_nesting_within_the_limit_is_read() -> None:
    assert decode(nested(caps.DEPTH_LIMIT - 1)).damage == ""


def test_enclosed_mails_inside_each_other_count_as_depth() -> None:
    assert decode(raw_mail(b"Content-Type: message/rfc822\r\n\r\n" * 3_000, kind="message/rfc822")).damage == "too-deep"


def test_thirty_enclosed_mails_beside_each_other_are_no_depth() -> None:
    enclosed = ("Content-Type: message/rfc822", b"Subject: x\r\n\r\nold\r\n")
    mail = multipart(parts("b", ("Content-Type: text/plain", b"orders"), *[enclosed] * 30))

    assert (decode(mail).damage, [line.raw for line in decode(mail).lines]) == ("", ["orders"])


def test_boundaries_named_by_rfc_2231_count_too() -> None:
    bomb = raw_mail(b"--b\r\n\r\n\r\n" * 5_000, kind="multipart/mixed; boundary*0=b")

    assert decode(bomb).damage == "too-many-parts"


def test_parts_under_an_undeclared_boundary_are_refused_too() -> None:
    bomb = raw_mail(b"--b\r\nContent-Type: text/plain\r\n\r\n\r\n" * 50_000, kind="multipart/mixed; boundary=other")

    began = time.process_time()
    incoming = decode(bomb)
    assert time.process_time() - began < 3
    assert incoming.lines == ()


def test_rows_of_dashes_in_a_text_are_no_parts() -> None:
    text = "--\nпират 1: A5\n--------\n" * 300

    assert decode(raw_mail(text)).damage == ""


@pytest.mark.parametrize(
    ("raw", "damage"),
    [
        (b"Subject: x\r\n\r\n" + b"x" * caps.MAIL_LIMIT, "too-large"),
        (b"Subject: x\r\n" * 200_000, "headers-too-large"),
        (raw_mail("x" * 2_000_000), "text-too-large"),
        (raw_mail("x\n" * (caps.TEXT_LINES_LIMIT + 1)), "too-many-lines"),
    ],
    ids=["mail", "headers", "2 MB line", "lines"],
)
def test_what_is_too_large_is_named(raw: bytes, damage: str) -> None:
    began = time.process_time()
    assert decode(raw).damage == damage
    assert time.process_time() - began < 2


def test_a_damaged_mail_still_tells_its_sender_and_subject() -> None:
    incoming = decode(nested(3_000))

    assert (incoming.from_address, incoming.subject, incoming.lines) == ("igor@example.ru", "Re: [jackal-12] 5", ())


def test_a_long_reference_list_costs_nothing() -> None:
    began = time.process_time()
    incoming = decode(raw_mail("готов", ("References", "<a@b>\r\n " * 15_000)))
    assert time.process_time() - began < 1
    assert (incoming.damage, len(incoming.references)) == ("", 101)


def test_a_photograph_of_many_megabytes_costs_neither_time_nor_memory() -> None:
    photo = base64.encodebytes(bytes(range(256)) * 70_000)
    picture = ("Content-Type: image/jpeg; name=flag.jpg\nContent-Transfer-Encoding: base64", photo)
    orders = ("Content-Type: text/plain; charset=utf-8", ORDERS.encode())
    icon = (picture[0], b"/9j/4AAQ")
    raw = multipart(parts("b", picture, orders, icon)).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")

    tracemalloc.start()
    began = time.process_time()
    incoming = decode(raw)
    took, (_, peak) = time.process_time() - began, tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert [line.raw for line in incoming.lines] == ORDERS.split("\n")
    assert [one.size for one in incoming.attached] == [256 * 70_000, 6]
    assert (took < 1, peak < 64 * 2**20) == (True, True)


def test_a_text_of_many_megabytes_in_base64_is_still_too_large() -> None:
    body = base64.encodebytes(b"x\r\n" * 3_000_000)

    assert decode(raw_mail(body, ("Content-Transfer-Encoding", "base64"))).damage == "text-too-large"
