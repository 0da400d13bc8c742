"""Which game, which seat: letters for several games, seats and people, each part for itself (play-by-mail 4)."""

from __future__ import annotations

from adjudicator.letters import Receipt
from adjudicator.services import games, people, tokens
from adjudicator.services.header import Header
from adjudicator.services.intake import Doorway
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    HOUR,
    JUDGE,
    OPERATOR,
    PIRATES,
    SPAIN,
    SPAIN_ORDERS,
    VERA,
    Stage,
)

VOUCHED = (("Authentication-Results", "mx.example.org; dmarc=pass header.from=example.org"),)
SPAIN_TWO = "spain-2"


def vouch(stage: Stage) -> None:
    """Let the mailbox provider's word count for the senders of a stage."""
    object.__setattr__(stage.desk, "doorway", Doorway(lambda _: "mx.example.org", lambda _: False))


def two_games(stage: Stage) -> tuple[str, str]:
    """Give two games of Anna's: in the first she is Spain, in the second the pirates."""
    first = stage.game(header=Header())
    cast = ((ANNA, "Анна", "ru", PIRATES), (VERA, "Вера", "ru", SPAIN))
    return first, stage.game(header=Header(), cast=cast)


def receipts(stage: Stage) -> list[tuple[str, str, bool]]:
    """Return game, seat and whether all was understood of every receipt."""
    found = [value for _, value in stage.letters("receipt")]
    return [(one.head.tag, one.reader.seat, one.understood) for one in found if isinstance(one, Receipt)]


def test_game_is_that_of_the_token(empty: Stage) -> None:
    first, second = two_games(empty)
    empty.write(first, SPAIN, "статус")
    empty.write(second, PIRATES, "статус")
    empty.settle()

    assert receipts(empty) == [(first, SPAIN, True), (second, PIRATES, True)]


def test_game_is_that_of_the_thread(empty: Stage) -> None:
    first, second = two_games(empty)
    letter, _ = empty.letters("report", ANNA)[-1]
    empty.deliver(empty.message(ANNA, "статус", answers=letter.message_id, subject=f"Re: [{first}]"))
    empty.settle()

    assert receipts(empty) == [(second, PIRATES, True)]


def test_game_is_that_of_the_tag_in_the_subject(empty: Stage) -> None:
    _, second = two_games(empty)
    vouch(empty)
    empty.deliver(empty.message(ANNA, "статус", subject=f"Re: [{second}] ход", headers=VOUCHED))
    empty.settle()

    assert receipts(empty) == [(second, PIRATES, True)]


def test_game_is_the_only_one_of_the_sender(place: Stage) -> None:
    tag = place.game()
    vouch(place)
    place.deliver(place.message(ANNA, "статус", headers=VOUCHED))
    place.settle()

    assert receipts(place) == [(tag, SPAIN, True)]


def test_letter_for_no_game_does_nothing_and_is_answered_with_the_senders_games(empty: Stage) -> None:
    first, second = two_games(empty)
    vouch(empty)
    empty.deliver(empty.message(ANNA, SPAIN_ORDERS, headers=VOUCHED))
    empty.settle()

    assert empty.verdicts() == [("held", "which-game")]
    assert [row["tag"] for row in empty.notices("unknown-game", ANNA)[0]["games"]] == [first, second]


def test_lines_that_name_games_cut_a_letter_into_parts_with_a_receipt_each(empty: Stage) -> None:
    first, second = two_games(empty)
    vouch(empty)
    text = f"корабль 1: стоять\n\nигра {second}\nкорабль 4: стоять\nготов"
    empty.write(first, SPAIN, text, headers=VOUCHED)
    empty.settle()

    assert empty.verdicts() == [("orders", "")]
    assert receipts(empty) == [(first, SPAIN, True), (second, PIRATES, True)]
    assert len(empty.in_force(first, SPAIN)) == 1
    assert len(empty.in_force(second, PIRATES)) == 1


def test_game_named_twice_is_one_part(empty: Stage) -> None:
    first, second = two_games(empty)
    vouch(empty)
    text = f"game {second}\nкорабль 4: стоять\ngame {first}\nкорабль 1: стоять\nигра {second}\nкорабль 5: стоять"
    empty.write(first, SPAIN, text, headers=VOUCHED)
    empty.settle()

    assert receipts(empty) == [(first, SPAIN, True), (second, PIRATES, True)]
    assert len(empty.in_force(second, PIRATES)) == 2


def test_token_of_one_game_proves_nothing_for_the_part_of_another(empty: Stage) -> None:
    first, second = two_games(empty)
    empty.write(first, SPAIN, f"корабль 1: стоять\nигра {second}\nкорабль 4: стоять")
    empty.settle()

    assert receipts(empty) == [(first, SPAIN, True)]
    assert empty.in_force(second, PIRATES) == ()
    assert [fact["lines"] for fact in empty.notices("held", ANNA)] == [["корабль 4: стоять"]]


def test_held_part_is_released_by_a_yes_and_the_others_are_not_read_again(empty: Stage) -> None:
    first, second = two_games(empty)
    empty.write(first, SPAIN, f"корабль 1: стоять\nигра {second}\nкорабль 4: стоять")
    empty.settle()
    empty.clock.move(HOUR)
    held, _ = empty.letters("held", ANNA)[0]
    empty.deliver(empty.message(ANNA, "да", answers=held.message_id))
    empty.settle()

    assert receipts(empty) == [(first, SPAIN, True), (second, PIRATES, True)]
    assert len(empty.in_force(second, PIRATES)) == 1


def test_part_for_a_game_there_is_not_is_answered_with_the_senders_games(empty: Stage) -> None:
    first, second = two_games(empty)
    empty.write(first, SPAIN, "корабль 1: стоять\nигра pirates-99\nкорабль 4: стоять")
    empty.settle()

    assert empty.verdicts() == [("orders", "")]
    assert [row["tag"] for row in empty.notices("unknown-game", ANNA)[0]["games"]] == [first, second]


def test_line_about_a_game_inside_press_is_press(empty: Stage) -> None:
    first, second = two_games(empty)
    empty.write(first, SPAIN, f"письмо Борису:\nигра {second}\nхороша\nконец письма")
    empty.settle()

    assert [fact["text"] for fact in empty.notices("press", BORIS)] == [f"игра {second}\nхороша"]


# Seats ----------------------------------------------------------------------------------------------------------------


def family(stage: Stage) -> str:
    """Give a game in which two people, Anna and Boris, write from one address."""
    tag = stage.game()
    with stage.house.unit("test") as work:
        boris = people.holders_of(work, BORIS)[0]
        people.add_address(work, boris, ANNA, main=True)
    return tag


def test_seat_is_that_of_the_token_where_an_address_belongs_to_two(place: Stage) -> None:
    tag = family(place)
    place.write(tag, PIRATES, "статус", sender=ANNA)
    place.settle()

    assert receipts(place) == [(tag, PIRATES, True)]


def test_seat_is_named_by_a_line_where_more_than_one_is_possible(place: Stage) -> None:
    tag = family(place)
    vouch(place)
    place.deliver(place.message(ANNA, "место pirates-1\nстатус", subject=f"[{tag}]", headers=VOUCHED))
    place.settle()

    assert receipts(place) == [(tag, PIRATES, True)]


def test_letter_that_could_be_of_two_seats_does_nothing_and_lists_them(place: Stage) -> None:
    tag = family(place)
    vouch(place)
    place.deliver(place.message(ANNA, "корабль 1: стоять", subject=f"[{tag}]", headers=VOUCHED))
    place.settle()

    assert place.verdicts() == [("held", "which-seat")]
    assert [len(fact["seats"]) for fact in place.notices("which-seat", ANNA)] == [2]


def test_two_seats_in_one_letter_have_a_receipt_each(place: Stage) -> None:
    tag = family(place)
    vouch(place)
    text = "место spain-1\nкорабль 1: стоять\nместо pirates-1\nкорабль 4: стоять"
    place.deliver(place.message(ANNA, text, subject=f"[{tag}]", headers=VOUCHED))
    place.settle()

    assert receipts(place) == [(tag, SPAIN, True), (tag, PIRATES, True)]
    assert [len(place.in_force(tag, seat)) for seat in (SPAIN, PIRATES)] == [1, 1]


def test_token_of_one_seat_does_not_speak_for_the_other_of_the_same_address(place: Stage) -> None:
    tag = family(place)
    place.write(tag, SPAIN, "место pirates-1\nкорабль 4: стоять")
    place.settle()

    assert place.verdicts() == [("held", "which-seat")]
    assert place.in_force(tag, PIRATES) == ()


def test_moderator_with_a_seat_speaks_for_the_place_whose_token_he_shows(empty: Stage) -> None:
    with empty.house.unit("test") as work:
        anna = people.register(work, ANNA, name="Анна", language="ru", zone="Europe/Moscow")
        game = games.create(work, "pirates", 2, header=Header(moderator="plays"), moderator=anna)
        for address, seat in ((ANNA, SPAIN), (BORIS, PIRATES)):
            games.join(work, game, games.invite(work, game, address, seat=seat), arrival=work.now)
        games.start(work, game)
    empty.settle()
    vouch(empty)
    empty.write(game.tag, SPAIN, "статус")
    empty.deliver(empty.message(ANNA, "статус", subject=f"[{game.tag}]", headers=VOUCHED))
    empty.settle()

    assert receipts(empty) == [(game.tag, SPAIN, True)]
    assert empty.verdicts() == [("orders", ""), ("held", "which-seat")]


# One person, several addresses ----------------------------------------------------------------------------------------


def test_reports_go_to_the_main_address_and_receipts_also_to_the_one_written_from(place: Stage) -> None:
    tag = place.game()
    other = "anna@work.example"
    with place.house.unit("test") as work:
        people.add_address(work, people.holders_of(work, ANNA)[0], other, main=False)
    to = tokens.reply_address(JUDGE, place.carrier(tag, SPAIN))
    place.deliver(place.message(other, SPAIN_ORDERS, to=to))
    place.settle()

    assert [row.address for row, _ in place.letters("receipt")] == [ANNA, other]
    place.pass_deadline(tag)
    assert place.letters("report", other) == []


def test_answers_never_go_to_the_reply_to_of_a_mail(place: Stage) -> None:
    tag = place.game()
    elsewhere = (("Reply-To", "thief@example.net"), ("Sender", "thief@example.net"))
    place.write(tag, SPAIN, SPAIN_ORDERS, headers=elsewhere)
    place.deliver(place.message(ANNA, SPAIN_ORDERS, headers=elsewhere))
    place.settle()

    assert {row.address for row, _ in place.letters()} == {ANNA, BORIS, OPERATOR}
