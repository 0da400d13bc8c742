"""Tokens and Message-IDs: 128 bits and more, foreseeable by nobody, revocable (play-by-mail 4)."""

from __future__ import annotations

import inspect
import time
from datetime import UTC, datetime

import pytest

from adjudicator.services import identity, tokens
from adjudicator.services.tokens import Carried
from adjudicator.storage.tables import Game, Invitation, Tenure
from adjudicator.storage.vault import Vault
from mail.sender import same_secret

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)
VAULT = Vault(b"a key of tests, thirty-two bytes")
GAME = Game(id=1, tag="pirates-7", campaign="pirates-7-5fd20c1e", ruleset="pirates", revision=1, edition="", players=2)
TENURE = Tenure(id=12, game_id=1, seat="spain-1", player_id=1, since=NOW)
INVITATION = Invitation(id=12, game_id=1, address="anna@example.org", created=NOW)


def test_token_is_read_back_from_its_carrier_in_any_case() -> None:
    carrier = tokens.of_tenure(VAULT, GAME, TENURE)
    token = carrier.rpartition(".")[2]

    assert tokens.read(carrier) == Carried(tag="pirates-7", kind="s", number=12, token=token)
    assert tokens.read(f" {carrier.upper()} ") == tokens.read(carrier)


def test_token_has_128_bits_and_fits_a_local_part() -> None:
    carrier = tokens.of_tenure(VAULT, GAME, TENURE)

    assert len(carrier.rpartition(".")[2]) * 5 >= 128
    assert len(f"judge+{carrier}") <= 64  # RFC 5321 4.5.3.1.1


@pytest.mark.parametrize(
    "other",
    [
        tokens.of_tenure(VAULT, GAME, Tenure(id=12, game_id=1, seat="spain-1", player_id=1, since=NOW, key_version=2)),
        tokens.of_tenure(VAULT, GAME, Tenure(id=13, game_id=1, seat="spain-1", player_id=1, since=NOW)),
        tokens.of_tenure(
            VAULT,
            Game(id=2, tag="pirates-7", campaign="pirates-7-00000000", ruleset="", revision=1, edition="", players=2),
            TENURE,
        ),
        tokens.of_tenure(Vault(bytes(32)), GAME, TENURE),
        tokens.of_invitation(VAULT, GAME, INVITATION),
    ],
    ids=["revoked", "another tenure", "another campaign", "another key", "an invitation"],
)
def test_token_differs_from_every_other(other: str) -> None:
    assert other.rpartition(".")[2] != tokens.of_tenure(VAULT, GAME, TENURE).rpartition(".")[2]


@pytest.mark.parametrize(
    "text", ["", "pirates-7", "pirates-7.s12", "pirates-7.s12.short", "pirates-7.x12." + "a" * 26, "a" * 4000]
)
def test_what_is_no_carrier_is_not_read(text: str) -> None:
    assert tokens.read(text) is None


def test_reply_address_carries_the_token() -> None:
    assert tokens.reply_address("judge@example.org", "pirates-7.s12.x") == "judge+pirates-7.s12.x@example.org"


def test_message_id_is_the_same_for_the_same_letter_and_no_other() -> None:
    name = tokens.message_id(VAULT, "judge@example.org", "report/pirates-7/1/r0/spain-1/12")

    assert name == tokens.message_id(VAULT, "judge@example.org", "report/pirates-7/1/r0/spain-1/12")
    assert name != tokens.message_id(VAULT, "judge@example.org", "report/pirates-7/1/r0/pirates-1/13")
    assert name.endswith("@example.org>")


def test_tokens_are_compared_in_constant_time_only() -> None:
    source = inspect.getsource(identity)

    assert "hmac.compare_digest" in inspect.getsource(same_secret)
    assert source.count("same_secret(tokens.of_") == source.count("tokens.of_") == 3


# In text --------------------------------------------------------------------------------------------------------------

CARRIER = tokens.of_tenure(VAULT, GAME, TENURE)
REPLY = f"Судья <{tokens.reply_address('judge@example.org', CARRIER)}>"


@pytest.mark.parametrize("cut", range(1, len(CARRIER)))
@pytest.mark.parametrize("joint", ["\n> ", "\n>> ", "\n", "=\n", "=\n> "])
def test_token_cut_over_two_lines_of_a_quote_is_found(cut: int, joint: str) -> None:
    text = f"> 05.01.2026, {REPLY} пишет:".replace(CARRIER, CARRIER[:cut] + joint + CARRIER[cut:])

    assert CARRIER in tokens.found_in(text.split("\n"))


@pytest.mark.parametrize(
    "damaged",
    [
        CARRIER.upper(),
        CARRIER.replace("pirates-7", "pirates\u20117"),
        CARRIER[:20] + "\u200b" + CARRIER[20:],
        CARRIER[:25] + "\u00ad" + CARRIER[25:],
    ],
    ids=["capitals", "hyphen", "zero width space", "soft hyphen"],
)
def test_token_that_a_program_prettified_is_read(damaged: str) -> None:
    found = list(tokens.found_in([f"│ Ваш ключ: {damaged}. Берегите его"]))

    assert [tokens.read(one) for one in found] == [tokens.read(CARRIER)]


@pytest.mark.parametrize(
    "text",
    [
        CARRIER[:-1],
        f"{CARRIER}a",
        f"x-{CARRIER[8:]}",
        f"{CARRIER[:20]}\n\n{CARRIER[20:]}",
        f"{CARRIER[:20]} {CARRIER[20:]}",
    ],
)
def test_what_is_less_or_more_than_a_token_is_none(text: str) -> None:
    assert [one for one in tokens.found_in(text.split("\n")) if one == CARRIER] == []


def test_tokens_in_a_megabyte_of_points_are_looked_for_in_no_time() -> None:
    began = time.perf_counter()

    assert list(tokens.found_in(["a.s1." * 400] * 500)) == []
    assert time.perf_counter() - began < 2.0


def test_token_is_blotted_out_whole_cut_or_prettified() -> None:
    lines = [
        f"> {REPLY}",
        f"> {CARRIER[:24]}",
        f"> {CARRIER[24:]} и дальше",
        CARRIER[:20] + "\u200b" + CARRIER[20:],
        "a.b",
    ]

    shown = tokens.blotted(lines)

    token = CARRIER.rpartition(".")[2]
    assert shown[0] == "> Судья <judge+pirates-7.s12.…@example.org>"
    assert shown[1:] == ("> pirates-7.s12.…", "> … и дальше", "pirates-7.s12.…", "a.b")
    assert not any(token[at : at + 6] in line for line in shown for at in range(len(token) - 5))


def test_shown_message_id_finds_a_letter_and_cannot_answer_it() -> None:
    name = tokens.message_id(VAULT, "judge@example.org", "report/pirates-7/1/r0/spain-1/12")

    assert tokens.shortened(name) == f"{name[:9]}…@example.org>"
    assert not tokens.may_be_ours("judge@example.org", tokens.shortened(name))
