"""People outside a game: invited, strangers to an open one, observers, those who want no letters (play-by-mail 0)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from adjudicator.errors import RefusedByRules
from adjudicator.services import games, people, tokens, unwanted
from adjudicator.services.header import Header
from tests.adjudicator.services.stage import ANNA, BORIS, CAST, JUDGE, OPERATOR, PIRATES, SPAIN, VERA, Stage
from tests.adjudicator.services.test_parts import VOUCHED, vouch

OPEN = Header(entry="open", auto_start=False)
FAILED = (("Authentication-Results", "mx.example.org; dmarc=fail header.from=example.org"),)


def made(stage: Stage, header: Header = OPEN, *, players: int = 2, host: str = "") -> str:
    """Make a game that nobody is invited to yet, with senders that the mailbox provider may vouch for."""
    vouch(stage)
    with stage.house.unit("test") as work:
        judge = people.register(work, host, name="Вера", language="ru", zone="Europe/Moscow") if host else None
        return games.create(work, "pirates", players, header=header, moderator=judge).tag


def write(stage: Stage, sender: str, text: str, *, headers: Sequence[tuple[str, str]] = VOUCHED, **how: str) -> None:
    """Let somebody write, vouched for by his provider unless it is said otherwise, and do the work."""
    stage.deliver(stage.message(sender, text, headers=headers, **how))  # type: ignore[arg-type]
    stage.settle()


def answer(stage: Stage, kind: str, address: str, text: str) -> None:
    """Let somebody answer the last letter of a kind, vouched for by nobody."""
    letter, _ = stage.letters(kind, address)[-1]
    write(stage, address, text, headers=(), answers=letter.message_id)


def joined(stage: Stage, tag: str) -> list[tuple[str, str]]:
    """Return address and seat asked for of all who have joined."""
    with stage.house.look() as work:
        return [(one.address, one.seat) for one in games.joined(work, work.game(tag, lock=False))]


# Invitations ----------------------------------------------------------------------------------------------------------


def test_invitation_tells_host_pace_length_anchors_and_how_to_say_yes_and_never_again(empty: Stage) -> None:
    tag = made(empty, Header(schedule="24h"), host=VERA)
    empty.alter(lambda work: games.invite(work, work.game(tag), ANNA))
    empty.settle()

    facts = empty.notices("invitation", ANNA)[0]
    assert (facts["host"], facts["players"], facts["turns"], facts["days"]) == ("Вера", 2, [21, 28], [21, 28])
    assert facts["anchors"] == empty.events(tag, "genesis")[0]["anchors"]


def test_never_again_ends_invitations_by_anybody_and_tells_the_host(empty: Stage) -> None:
    tag = made(empty, Header(), host=VERA)
    empty.alter(lambda work: games.invite(work, work.game(tag), ANNA))
    empty.settle()
    answer(empty, "invitation", ANNA, "Больше не писать.")

    assert empty.notices("invitation-refused", VERA) == [{"address": ANNA, "name": "", "why": "never-again"}]
    assert len(empty.letters("unsubscribed", ANNA)) == 1
    other = made(empty, Header())
    with pytest.raises(RefusedByRules, match="unwanted"):
        empty.alter(lambda work: games.invite(work, work.game(other), ANNA))


def test_never_again_in_english_is_heard(empty: Stage) -> None:
    tag = made(empty, Header())
    empty.alter(lambda work: games.invite(work, work.game(tag), ANNA, language="en"))
    empty.settle()
    answer(empty, "invitation", ANNA, "never again")

    assert empty.notices("invitation-refused", OPERATOR) == [{"address": ANNA, "name": "", "why": "never-again"}]


def test_never_again_in_somebody_elses_name_does_nothing(empty: Stage) -> None:
    made(empty)
    write(empty, ANNA, "больше не писать", headers=())
    write(empty, ANNA, "больше не писать", headers=FAILED)

    with empty.house.look() as work:
        assert not unwanted.wants_none(work, ANNA)


def test_never_again_of_a_player_leaves_him_his_seat(place: Stage) -> None:
    tag = place.game()
    receipt = place.say(tag, SPAIN, "больше не писать")

    assert [line.key for line in receipt.lines] == ["never-again"]
    assert place.notices("unsubscribed", ANNA) == [{"playing": [tag]}]
    assert place.word(tag, SPAIN) == "no orders"


def test_no_refuses_one_invitation_and_tells_the_host(empty: Stage) -> None:
    tag = made(empty, Header(), host=VERA)
    empty.alter(lambda work: games.invite(work, work.game(tag), ANNA))
    empty.settle()
    answer(empty, "invitation", ANNA, "Нет.")

    assert [fact["why"] for fact in empty.notices("invitation-refused", VERA)] == ["no"]
    answer(empty, "invitation", ANNA, "вступаю")
    assert joined(empty, tag) == [(ANNA, "")]


def test_unregistered_address_is_told_once_a_day_why_it_could_not_join(empty: Stage) -> None:
    tag = made(empty, Header())
    empty.alter(lambda work: games.invite(work, work.game(tag), ANNA))
    empty.settle()
    answer(empty, "invitation", ANNA, "вступаю Атлантида")
    answer(empty, "invitation", ANNA, "вступаю Лемурия")

    assert [fact["seat"] for fact in empty.notices("join-refused", ANNA)] == ["Атлантида"]


def test_seat_is_kept_for_the_first_who_asked_and_the_next_is_told(empty: Stage) -> None:
    tag = made(empty, Header(auto_start=False))
    for address in (ANNA, BORIS):
        empty.alter(lambda work, address=address: games.invite(work, work.game(tag), address))
    empty.settle()
    answer(empty, "invitation", ANNA, "вступаю Испания-1")
    answer(empty, "invitation", BORIS, "вступаю Испания-1")

    assert joined(empty, tag) == [(ANNA, SPAIN), (BORIS, "")]
    assert [bool(fact["wished"]) for fact in empty.notices("welcome")] == [False, True]


def test_phrase_for_the_dice_is_taken_until_the_start(empty: Stage) -> None:
    tag = made(empty, Header(auto_start=False))
    empty.alter(lambda work: games.invite(work, work.game(tag), ANNA))
    empty.settle()
    answer(empty, "invitation", ANNA, "вступаю")
    answer(empty, "welcome", ANNA, "соль: семь футов\nзона Омск\nязык en")

    lines = empty.notices("settings", ANNA)[0]["lines"]
    assert [(line["mark"], line["key"]) for line in lines] == [
        ("command", "salt"),
        ("command", "zone"),
        ("command", "language"),
    ]
    assert len(empty.events(tag, "phrase")) == 1
    with empty.house.look() as work:
        person = people.holders_of(work, ANNA)[0]
        assert (person.language, person.zone) == ("en", "Asia/Omsk")


# Strangers ------------------------------------------------------------------------------------------------------------


def test_stranger_joins_an_open_game_by_confirming_one_letter(both: Stage) -> None:
    tag = made(both)
    write(both, VERA, f"вступаю {tag}")

    assert joined(both, tag) == []
    assert [row.address for row, _ in both.letters("join-confirm")] == [VERA]
    answer(both, "join-confirm", VERA, "да")
    assert joined(both, tag) == [(VERA, "")]
    assert len(both.letters("welcome", VERA)) == 1


def test_stranger_asks_for_a_seat_and_brings_a_phrase(empty: Stage) -> None:
    tag = made(empty)
    write(empty, VERA, f"join {tag} Spain-1")
    answer(empty, "join-confirm", VERA, "join\nsalt: seven feet")

    assert joined(empty, tag) == [(VERA, SPAIN)]
    assert [fact["phrase"] for fact in empty.notices("welcome", VERA)] == ["seven feet"]
    assert empty.letters("welcome", VERA)[0][1].reader.language == "en"


def test_stranger_gets_one_confirming_letter_a_day(empty: Stage) -> None:
    first, second = made(empty), made(empty)
    write(empty, VERA, f"вступаю {first}")
    write(empty, VERA, f"вступаю {second}")

    assert len(empty.letters("join-confirm", VERA)) == 1
    empty.clock.move(timedelta(days=1, minutes=1))
    write(empty, VERA, f"вступаю {second}")
    assert len(empty.letters("join-confirm", VERA)) == 2


@pytest.mark.parametrize("headers", [(), FAILED])
def test_stranger_whom_nobody_vouches_for_gets_nothing_but_a_verdict(
    empty: Stage, headers: tuple[tuple[str, str], ...]
) -> None:
    tag = made(empty)
    write(empty, VERA, f"вступаю {tag}", headers=headers)

    assert empty.kinds() == []
    assert empty.verdicts() == [("held", "unknown-sender")]


def test_stranger_cannot_join_a_closed_game_and_is_told_so(empty: Stage) -> None:
    tag = made(empty, Header())
    write(empty, VERA, f"вступаю {tag}")

    assert [fact["why"] for fact in empty.notices("join-refused", VERA)] == ["not-open"]


def test_full_and_started_games_are_refused_with_a_way_out(empty: Stage) -> None:
    tag = made(empty, players=2)
    for address, name, language, seat in CAST:
        with empty.house.unit("test") as work:
            game = work.game(tag)
            invitation = games.invite(work, game, address, name=name, language=language, seat=seat)
            games.join(work, game, invitation, arrival=work.now)
    write(empty, VERA, f"вступаю {tag}")
    empty.alter(lambda work: games.start(work, work.game(tag)))
    write(empty, "gleb@example.org", f"вступаю {tag}")

    assert [fact["why"] for fact in empty.notices("join-refused")] == ["game-full", "already-started"]


def test_seat_that_there_is_not_is_named_in_the_confirming_letter(empty: Stage) -> None:
    tag = made(empty)
    write(empty, VERA, f"вступаю {tag} Атлантида")

    assert [fact["typed"] for fact in empty.notices("join-confirm", VERA)] == ["Атлантида"]


def test_registered_player_joins_another_open_game_from_his_seat(place: Stage) -> None:
    tag = place.game()
    other = made(place)
    receipt = place.say(tag, SPAIN, f"вступаю {other}\nстатус")

    assert [line.key for line in receipt.lines] == ["join-other", "status"]
    assert joined(place, other) == [(ANNA, "")]


def test_invited_person_may_answer_with_a_fresh_letter_if_his_provider_vouches_for_him(empty: Stage) -> None:
    tag = made(empty, Header(auto_start=False))
    empty.alter(lambda work: games.invite(work, work.game(tag), ANNA))
    empty.settle()
    write(empty, ANNA, "вступаю", subject=f"[{tag}]")

    assert joined(empty, tag) == [(ANNA, "")]


def test_own_wish_to_join_takes_back_never_again(empty: Stage) -> None:
    tag = made(empty)
    write(empty, VERA, "больше не писать")
    write(empty, VERA, f"вступаю {tag}")
    answer(empty, "join-confirm", VERA, "да")

    assert joined(empty, tag) == [(VERA, "")]
    with empty.house.look() as work:
        assert not unwanted.wants_none(work, VERA)


def test_open_games_are_listed_to_who_asks_for_games(place: Stage) -> None:
    tag = place.game()
    other = made(place)
    made(place, Header())
    write(place, ANNA, "игры", subject="вопрос")

    receipt = place.letters("receipt", ANNA)[0][1]
    assert [row["tag"] for row in receipt.reply["games"]["games"]] == [tag]  # type: ignore[union-attr,index]
    assert [row["tag"] for row in receipt.reply["games"]["open"]] == [other]  # type: ignore[union-attr,index]


def test_games_are_listed_to_a_player_of_several_without_a_game_named(place: Stage) -> None:
    first, second = place.game(), place.game(header=Header())
    vouch(place)
    write(place, ANNA, "Игры")

    assert [row["tag"] for row in place.notices("settings", ANNA)[0]["games"]] == [first, second]


# Two seats at one address ---------------------------------------------------------------------------------------------


def test_second_seat_at_one_address_needs_the_moderators_word_and_is_told_to_all(empty: Stage) -> None:
    tag = made(empty, Header(), host=VERA)
    other = "anna@work.example"
    with empty.house.unit("test") as work:
        anna = people.register(work, ANNA, name="Анна", language="ru", zone="Europe/Moscow")
        people.add_address(work, anna, other, main=False)
        for address in (ANNA, other):
            games.invite(work, work.game(tag), address)
    empty.settle()
    answer(empty, "invitation", ANNA, "вступаю")
    answer(empty, "invitation", other, "вступаю")
    assert joined(empty, tag) == [(ANNA, "")]
    assert [fact["why"] for fact in empty.notices("join-refused", other)] == ["same-address"]

    answer(empty, "confirm", VERA, "да")
    answer(empty, "invitation", other, "вступаю")

    assert joined(empty, tag) == [(ANNA, ""), (other, "")]
    assert [row.seat for row, _ in empty.letters("two-seats")] == [SPAIN, PIRATES]


def test_two_people_at_one_address_are_two_players(empty: Stage) -> None:
    tag = made(empty, Header())
    for name, second in (("Анна", False), ("Борис", True)):
        with empty.house.unit("test") as work:
            game = work.game(tag)
            invitation = games.invite(work, game, ANNA, name=name, second=second)
            games.join(work, game, invitation, arrival=work.now)

    with empty.house.look() as work:
        assert [person.name for person in people.holders_of(work, ANNA)] == ["Анна", "Борис"]


# Observers ------------------------------------------------------------------------------------------------------------


def observers(stage: Stage, tag: str) -> list[str]:
    with stage.house.look() as work:
        return [one.address for one in people.observers(work, work.game(tag, lock=False))]


def test_stranger_watches_an_open_game_once_he_has_confirmed_it(both: Stage) -> None:
    tag = made(both)
    write(both, VERA, f"наблюдать {tag}")
    assert observers(both, tag) == []

    answer(both, "confirm", VERA, "да")

    assert observers(both, tag) == [VERA]
    assert len(both.letters("", VERA)) == 2


def test_registered_person_watches_at_once(place: Stage) -> None:
    tag = place.game()
    other = made(place)
    receipt = place.say(tag, SPAIN, f"наблюдать {other}")

    assert [line.key for line in receipt.lines] == ["observe"]
    assert observers(place, other) == [ANNA]
    assert len(place.letters("observing", ANNA)) == 1


@pytest.mark.parametrize("headers", [(), FAILED])
def test_unproven_stranger_watches_nothing(empty: Stage, headers: tuple[tuple[str, str], ...]) -> None:
    tag = made(empty)
    write(empty, VERA, f"observe {tag}", headers=headers)

    assert (empty.kinds(), observers(empty, tag)) == ([], [])


def test_closed_game_is_watched_by_nobody(empty: Stage) -> None:
    tag = made(empty, Header())
    write(empty, VERA, f"наблюдать {tag}")

    assert [fact["why"] for fact in empty.notices("observe-refused", VERA)] == ["observe-closed"]


def watching(stage: Stage) -> tuple[str, str]:
    """Let Vera watch an open game; return its tag and the address that her letters are answered to."""
    tag = made(stage)
    write(stage, VERA, f"наблюдать {tag}")
    answer(stage, "confirm", VERA, "да")
    with stage.house.look() as work:
        game = work.game(tag, lock=False)
        return tag, people.observer_reader(work, game, people.observers(work, game)[0]).reply_to


def test_list_unsubscribe_ends_an_observers_letters(empty: Stage) -> None:
    tag, reply_to = watching(empty)
    write(empty, VERA, "", headers=(), to=reply_to, subject="unsubscribe")

    assert observers(empty, tag) == []
    assert len(empty.letters("observing-ended", VERA)) == 1


def test_observers_key_works_from_his_address_alone(empty: Stage) -> None:
    tag, reply_to = watching(empty)
    write(empty, ANNA, "", headers=(), to=reply_to, subject="unsubscribe")
    write(empty, VERA, "", headers=(), to=tokens.reply_address(JUDGE, f"{tag}.o1." + "a" * 26), subject="unsubscribe")

    assert observers(empty, tag) == [VERA]


def test_word_ends_an_observers_letters(empty: Stage) -> None:
    tag, _ = watching(empty)
    write(empty, VERA, "не наблюдать", subject=f"Re: [{tag}]")

    assert observers(empty, tag) == []


def test_list_unsubscribe_of_a_seated_player_asks_and_resigns_nobody(place: Stage) -> None:
    tag = place.game()
    to = tokens.reply_address(JUDGE, place.carrier(tag, SPAIN))
    write(place, ANNA, "", headers=(), to=to, subject="unsubscribe")

    assert len(place.letters("leave", ANNA)) == 1
    assert place.tenure(tag, SPAIN).until is None


def test_list_unsubscribe_of_an_invitation_is_never_again(empty: Stage) -> None:
    tag = made(empty, Header())
    empty.alter(lambda work: games.invite(work, work.game(tag), ANNA))
    empty.settle()
    to = empty.letters("invitation", ANNA)[0][1].reader.reply_to
    write(empty, ANNA, "", headers=(), to=to, subject="unsubscribe")

    with empty.house.look() as work:
        assert unwanted.wants_none(work, ANNA)
