"""The order language of «Поднять паруса!»: every order is read as people write it, and written back (page 1.6)."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.core.codec import decode, encode
from engine.core.contract import MODERATOR, PUBLIC, Language, Order
from engine.set_sail.commands import (
    AnswerTrade,
    Bid,
    CallCheck,
    Choose,
    CommandOrder,
    Conduct,
    CrossOut,
    Declare,
    Develop,
    DoEffect,
    DropPlan,
    Enlist,
    Gate,
    Hire,
    Idle,
    Launch,
    LayCards,
    Learn,
    Narrate,
    Offer,
    OpenTalk,
    PlayerOrder,
    Put,
    Repair,
    Ruling,
    Say,
    Scheme,
    SealBid,
    SetSailOrder,
    Spend,
    StandingAid,
    StandingBids,
    StandingBreakdown,
    StandingDamage,
    StandingLuck,
    StandingOffer,
    StandingOrder,
    StandingStale,
    StandingTrade,
    StandingYield,
    StayOut,
    TakeDamage,
    TakeHole,
    TakePart,
    Tale,
    UndoEffect,
)
from engine.set_sail.orders import examples, fold, legal, merge, read, silent, template, write
from engine.set_sail.state import Clock, Enemy, SetSailView, Ship
from engine.set_sail.view import owed, view
from tests.engine.set_sail.order_positions import (
    ANNA,
    BORIS,
    VERA,
    asked_view,
    campaign,
    moderators_view,
    only,
    players_view,
    ruling_stage,
    setting_up,
)

LANGUAGES: tuple[Language, Language] = ("ru", "en")
TRADE, DAMAGE = f"{ANNA}/o2/trade/0", f"{ANNA}/o2/damage/0"
HOLE, STALE = f"{ANNA}/o2/hole/0", f"{ANNA}/o2/stale/0"


# What players write ---------------------------------------------------------------------------------------------------

PLAYERS: list[tuple[str, Order]] = [
    (
        "заявка: Угрожать насилием, дерзость, шанс — приставляю нож к горлу",
        Declare(number=2, move="ugrozhat", stat="der", chance=True, text="приставляю нож к горлу"),
    ),
    ("move: Угрожать насилием, daring — a knife", Declare(number=2, move="ugrozhat", stat="der", text="a knife")),
    ("заявка: лезу на мачту — оттуда видно", Declare(number=2, text="лезу на мачту — оттуда видно")),
    ("заявка o3: Затаиться: под лодкой", Declare(number=3, move="zataitsya", text="под лодкой")),
    ("Заявка №о4 — Смекнуть, дальновидность", Declare(number=4, move="smeknut", stat="dal")),
    ("заявка втайне: прячу карту", Declare(number=2, text="прячу карту", hidden=True)),
    ("secret move: I hide the map", Declare(number=2, text="I hide the map", hidden=True)),
    ("Угрожать насилием, дерзость — нож", Declare(number=2, move="ugrozhat", stat="der", text="нож")),
    ("- заявка: бросаю якорь", Declare(number=2, text="бросаю якорь")),
    ("козни: цель украсть флагман; тайны 1,3", Scheme(number=2, goal="украсть флагман", secrets=(1, 3))),
    ("козни: украсть флагман, тайны 1 и 3", Scheme(number=2, goal="украсть флагман", secrets=(1, 3))),
    ("scheme: goal the flagship; secrets 1, 3", Scheme(number=2, goal="the flagship", secrets=(1, 3))),
    ("без хода", Idle(number=2)),
    ("do nothing", Idle(number=2)),
    ("участвую", TakePart()),
    ("участвую в кознях Бориса", TakePart(leader=BORIS)),
    ("take part: pirate-2", TakePart(leader=BORIS)),
    ("байка: как мы брали Порт-Ройял", Tale(text="как мы брали Порт-Ройял")),
    ("говорю: Стойте!", Say(text="Стойте!")),
    ("фарт +1", Spend(roll=f"{ANNA}/o1", act="luck")),
    ("Фарт +1 на о1  # на удачу", Spend(roll=f"{ANNA}/o1", act="luck")),
    ("luck +1 o1", Spend(roll=f"{ANNA}/o1", act="luck")),
    ("помощь Борису o1: держу трос", Spend(roll=f"{BORIS}/o1", act="help", how="держу трос")),
    ("помогаю Борису — держу трос", Spend(roll=f"{BORIS}/o1", act="help", how="держу трос")),
    ("помощь пирату 2: держу трос", Spend(roll=f"{BORIS}/o1", act="help", how="держу трос")),
    ("help pirate-2 o1: the rope", Spend(roll=f"{BORIS}/o1", act="help", how="the rope")),
    ("помеха pirate-2/o1: подножка", Spend(roll=f"{BORIS}/o1", act="hinder", how="подножка")),
    ("не вмешиваюсь: Борис o1", Spend(roll=f"{BORIS}/o1", act="nothing")),
    ("не вмешиваюсь", StayOut()),
    ("обмен да", AnswerTrade(key=TRADE, take=True)),
    ("trade no", AnswerTrade(key=TRADE, take=False)),
    ("урон: фарт 1, рана 1", TakeDamage(key=DAMAGE, luck=1)),
    ("урон фарт", TakeDamage(key=DAMAGE, luck=2)),
    ("урон: рана", TakeDamage(key=DAMAGE)),
    ("урон: рана 2, слот 3", TakeDamage(key=DAMAGE, place=3)),
    ("damage: luck 2", TakeDamage(key=DAMAGE, luck=2)),
    ("поломка паруса", TakeHole(key=HOLE, kind="sails")),
    ("breakdown powder", TakeHole(key=HOLE, kind="powder")),
    ("пробоина", TakeHole(key=HOLE)),
    ("вычеркнуть тайну 2", CrossOut(key=STALE, id=2)),
    ("cross out 2", CrossOut(key=STALE, id=2)),
    (
        "ставка слава; тайна 2: у губернатора дочь",
        Bid(talk=2, value="glory", uses=2, text="у губернатора дочь"),
    ),
    ("ставлю кошелёк — золото наше", Bid(talk=2, value="purse", text="золото наше")),
    ("bid life; chance: we have the fort", Bid(talk=2, value="life", chance=True, text="we have the fort")),
    ("ставка жребий", Bid(talk=2, value="lot")),
]


@pytest.mark.parametrize(("line", "order"), PLAYERS)
def test_player_is_read_as_he_writes(line: str, order: Order) -> None:
    assert only(players_view(ANNA), line) == order


@pytest.mark.parametrize(
    ("line", "options"),
    [("выбор 2", ("b",)), ("выбор b", ("b",)), ("выбираю: бросают оружие", ("b",)), ("choose nothing", ())],
)
def test_options_are_chosen_by_number_id_or_words(line: str, options: tuple[str, ...]) -> None:
    assert only(players_view(BORIS), line) == Choose(key=f"{BORIS}/o2/choice/0", options=options)


def test_priority_is_chosen_by_its_stat() -> None:
    assert only(players_view(VERA), "выбор навигация") == Choose(key=f"{VERA}/c1/priority/0", options=("nav",))


def test_secret_of_ones_own_goes_with_a_bid_between_pirates() -> None:
    assert only(players_view(BORIS), "ставка жизнь; тайна 8: знаю всё") == Bid(
        talk=3, value="life", uses=8, text="знаю всё"
    )


@pytest.mark.parametrize(
    "line",
    [
        "лист: имя Анна Бурая; должность капитан; предыстория контрабандист; дерзость +2, репутация -1",
        "sheet: name Анна Бурая; post капитан; background kontrabandist; daring 2, reputation −1",
    ],
)
def test_sheet_is_filled_in_field_by_field(line: str) -> None:
    assert only(setting_up(), line) == Enlist(
        name="Анна Бурая", post="капитан", background="kontrabandist", der=2, rep=-1
    )


def test_open_question_is_answered_in_ones_own_words() -> None:
    for line in ("прыгаю за борт", "судьба: прыгаю за борт"):
        assert only(asked_view(), line) == Narrate(key=f"{ANNA}/x1/fate/0", text="прыгаю за борт")


# Standing words -------------------------------------------------------------------------------------------------------

STANDING: list[tuple[str, Order]] = [
    ("постоянный: фарт +1", StandingLuck(when="always")),
    ("постоянный: если меняет полосу: фарт +1", StandingLuck()),
    ("standing: if changes band: luck +1", StandingLuck()),
    ("постоянный: фарт никогда", StandingLuck(when="never")),
    (
        "постоянный: если меняет полосу: помощь Борису до 2: держу трос",
        StandingAid(whom=BORIS, most=2, how="держу трос"),
    ),
    ("standing: help pirate-2 up to 1: a rope", StandingAid(whom=BORIS, most=1, how="a rope")),
    ("постоянный: помощь никому", StandingAid()),
    ("постоянный: если фарт > 2: урон фарт; иначе урон рана", StandingDamage(above=2)),
    ("standing: if luck > 2: damage luck; else damage wound", StandingDamage(above=2)),
    ("постоянный: урон рана", StandingDamage(above=99)),
    ("постоянный: поломка паруса", StandingBreakdown(kind="sails")),
    ("постоянный: пробоина", StandingBreakdown(kind="hole")),
    ("постоянный: ставки слава, кошелёк, жизнь", StandingBids(values=("glory", "purse", "life"))),
    ("standing: bids glory purse life", StandingBids(values=("glory", "purse", "life"))),
    ("постоянный: если счёт 0:2: уступаю", StandingYield(give_up=True)),
    ("standing: if score 0:2: play on", StandingYield(give_up=False)),
    ("постоянный: вычеркнуть старейшую", StandingStale()),
    ("постоянный: обмен нет", StandingTrade(take=False)),
]


@pytest.mark.parametrize(("line", "order"), STANDING)
def test_word_that_stands_is_read_even_while_the_same_is_asked_now(line: str, order: Order) -> None:
    assert type(order).lasts
    assert only(players_view(ANNA), line) == order


def test_condition_without_the_word_for_standing_stands_and_says_so() -> None:
    reading = read(players_view(ANNA), (), ["если меняет полосу: фарт +1"], "ru")

    assert [(one.order, [note.key for note in one.notes]) for one in reading.orders] == [(StandingLuck(), ["lasts"])]


def test_condition_may_be_written_over_two_lines() -> None:
    assert only(players_view(ANNA), "постоянный: если фарт > 2: урон фарт", "иначе урон рана") == StandingDamage(
        above=2
    )


# What the moderator writes --------------------------------------------------------------------------------------------


def effect(text: str, number: int = 1) -> DoEffect:
    return DoEffect(number=number, effect=text)


MODERATORS: list[tuple[str, Order]] = [
    (
        "бросок Анна o3: Затаиться, изворотливость, 2к6, шанс",
        Ruling(roll=f"{ANNA}/o3", move="zataitsya", stat="izv", chance=True),
    ),
    ("roll pirate-1 o3: none", Ruling(roll=f"{ANNA}/o3", rolls=False)),
    ("бросок Анны o3: как заявлено", Ruling(roll=f"{ANNA}/o3", move="ugrozhat", stat="der", chance=True)),
    (
        "бросок Борис: боевая мощь, +12, против губернатора, шанс ведущего, план p1",
        Ruling(roll=f"{BORIS}/o3", stat="fire", bonus=12, enemy="gubernator", gm_chance=True, plan="p1"),
    ),
    (
        "бросок Вера: тайны 1 и 3, вето Анна и Борис",
        Ruling(roll=f"{VERA}/o1", stat="dal", secrets=(1, 3), veto=(ANNA, BORIS)),
    ),
    ("обмен Анна o1", Offer(roll=f"{ANNA}/o1", trade=True)),
    ("итог Анна o1: как предложено", Offer(roll=f"{ANNA}/o1")),
    ("outcome pirate-1 o1: nothing", Offer(roll=f"{ANNA}/o1", effects=())),
    (
        "итог Анна o1: урон Анне 2; luck:+1:@pirate-2; вето Борис",
        Offer(roll=f"{ANNA}/o1", effects=(f"damage:2:@{ANNA}", f"luck:+1:@{BORIS}"), veto=(BORIS,)),
    ),
    ("эффект damage:2:@pirate-1", effect(f"damage:2:@{ANNA}")),
    ("урон Анне 2 серьёзная", effect(f"damage:2:serious:@{ANNA}")),
    ("damage pirate-1 2", effect(f"damage:2:@{ANNA}")),
    ("лечение Анна 2", effect(f"heal:2:@{ANNA}")),
    ("рана Анна 2 лёгкая", effect(f"wound:2:light:@{ANNA}")),
    ("фарт Борису +1", effect(f"luck:+1:@{BORIS}")),
    ("репутация Вера −1", effect(f"rep:-1:@{VERA}")),
    ("тайна: у губернатора есть брат", effect("secret:+1:у губернатора есть брат")),
    ("вычеркнуть тайну 2", effect("secret:-1:2")),
    ("деньги казна +2 сундука 3 дублона", effect("money:+115:@treasury")),
    ("деньги Борису -4 пиастра", effect(f"money:-4:@{BORIS}")),
    ("пробоина", effect("hole:1")),
    ("пробоина 2", effect("hole:2")),
    ("поломка паруса", effect("breakdown:sails")),
    ("поломка снята", effect("breakdown:none")),
    ("корпус +1", effect("hull:+1")),
    ("шансы команде +2 p1", effect("chances:+2:crew:p1")),
    ("часы буря +1", effect("clock:burya:+1")),
    ("вред губернатору 2", effect("harm:2:@gubernator")),
    ("судьба Анны", effect(f"fate:@{ANNA}")),
    ("пират Борис вне сцены", effect(f"status:out_of_scene:@{BORIS}")),
    ("запустить Не пойти ко дну", effect("trigger:ne_poyti_ko_dnu")),
    ("засада Анна губернатор +1", effect(f"ambush:+1:@gubernator:@{ANNA}")),
    ("задел Анне +1 до конца сцены", effect(f"forward:+1:scene:@{ANNA}")),
    ("разоблачение губернатору: мы жгли склад", effect("exposed:+1:@gubernator:мы жгли склад")),
    ("характеристика Анна дерзость +1", effect(f"stat:der:+1:@{ANNA}")),
    ("отметка новый берег", effect("flag:new_shore")),
    ("неприятность", effect("gm_move")),
    ("заметка: вечереет", effect("note:вечереет")),
    (
        "открыть сцену: губернатор, дон Педро",
        Gate(number=1, what="scene", opens=True, enemies=("gubernator", "don-pedro")),
    ),
    ("закрыть сцену", Gate(number=1, what="scene", opens=False)),
    ("открыть главу", Gate(number=1, what="chapter", opens=True)),
    ("close battle, ship lost", Gate(number=1, what="battle", opens=False, floats=False)),
    ("закрыть переход, новый берег", Gate(number=1, what="passage", opens=False, new_shore=True)),
    (
        "переговоры: Анна — губернатор; угроза; план p1; тайны 1 и 2; их тайны 1",
        OpenTalk(number=1, a=ANNA, b="gubernator", threat=True, plan="p1", suitable_a=(1, 2), suitable_b=(1,)),
    ),
    ("начать переговоры Бориса с Верой", OpenTalk(number=1, a=BORIS, b=VERA)),
    ("ставка слава; тайна 1", SealBid(number=1, talk=2, value="glory", uses="мы жгли порт")),
    ("ставка жребий; шанс ведущего", SealBid(number=1, talk=2, value="lot", chance=True)),
    (
        "проверка Анна: Затаиться, изворотливость, -1",
        CallCheck(number=1, seat=ANNA, move="zataitsya", stat="izv", bonus=-1),
    ),
    ("кодекс Анна: верность команде соблюдена", Conduct(number=1, seat=ANNA, article="vernost", kept=True)),
    ("code pirate-1: vernost broken", Conduct(number=1, seat=ANNA, article="vernost", kept=False)),
    ("узнаёт Анна о Борисе: он шпион", Learn(number=1, seat=ANNA, who=BORIS, text="он шпион")),
    ("план p1 окончен", DropPlan(number=1, plan="p1")),
    ("починка корпус 2", Repair(number=1, what="hull", n=2)),
    ("развитие: оснастка: Крепкие кладовые", Develop(number=1, option="rigging", card="krepkie_kladovye")),
    (
        "корабль: имя Чёрная Каракатица; тип бриг; навигация 2; боевая мощь 1; корпус 4; упор навигация; по заказу",
        Launch(number=1, name="Чёрная Каракатица", kind="бриг", nav=2, fire=1, hull=4, priority="nav", ordered=True),
    ),
    (
        "лист Борис: имя Джек; должность боцман; дерзость +2; фарт 3",
        Hire(number=1, seat=BORIS, sheet=Enlist(name="Джек", post="боцман", der=2), luck=3),
    ),
    (
        "лист Борис: ходы Запугать команду; дальновидность +3",
        Hire(number=1, seat=BORIS, sheet=Enlist(dal=3, moves=("zapugat",))),
    ),
    (
        "корабль: ходы Чёрный флаг, Корабль-призрак; оснастка нет; развито приём, навигация",
        Launch(number=1, moves=("cherny_flag", "korabl_prizrak"), rigging=(), bought=("move", "nav")),
    ),
    ("враг дон Педро", Put(number=1, what="enemy", id="don-pedro", name="дон Педро")),
    ("угроза губернатор", Put(number=1, what="threat", id="gubernator", name="губернатор")),
    (
        "предписание добыча: делить поровну",
        Put(number=1, what="prescription", id="dobycha", name="добыча", text="делить поровну"),
    ),
    (
        "запрет женщины: не брать на борт",
        Put(number=1, what="prohibition", id="zhenshchiny", name="женщины", text="не брать на борт"),
    ),
    ("часы погоня 4", Put(number=1, what="clock", id="pogonya", name="погоня", n=4)),
    ("открытые часы штурм 0", Put(number=1, what="open-clock", id="shturm", name="штурм")),
    ("сторона Компания: Ост-Индская", Put(number=1, what="side", id="kompaniya", name="Компания", text="Ост-Индская")),
    ("часы Мятеж +2", Put(number=1, what="clock", id="myatezh", name="Мятеж", n=2)),
    (
        "открыть сцену: губернатор, Три акулы",
        Gate(
            number=1,
            what="scene",
            opens=True,
            enemies=("gubernator", "tri-akuly"),
            called=(("tri-akuly", "Три акулы"),),
        ),
    ),
    (
        "переговоры: Анна — Старый Джо; угроза",
        OpenTalk(number=1, a=ANNA, b="staryy-dzho", called="Старый Джо", threat=True),
    ),
    ("капитан Борис", Put(number=1, what="captain", id=BORIS)),
    ("выбор 1", Choose(key=f"{BORIS}/o2/choice/0", options=("a",))),
    ("постоянный: итог как предложено", StandingOffer()),
    ("c3: открыть бой", Gate(number=3, what="battle", opens=True)),
]


@pytest.mark.parametrize(("line", "order"), MODERATORS)
def test_moderator_is_read_as_he_writes(line: str, order: Order) -> None:
    assert only(moderators_view(), line) == order


def test_ship_without_a_name_is_the_one_there_is_and_a_first_one_needs_a_name() -> None:
    assert only(moderators_view(), "корабль: навигация 2") == Launch(number=1, nav=2)

    ashore = view(replace(ruling_stage(), ship=Ship()), MODERATOR)
    [complaint] = read(ashore, (), ["корабль: навигация 2"], "ru").complaints

    assert complaint.key == "ship-name"
    [offer] = complaint.suggestions
    assert only(ashore, offer) == Launch(number=1, name="…", nav=2)


def test_pirate_spelt_in_other_letters_is_the_pirate_in_what_is_learnt() -> None:
    assert only(moderators_view(), "learns Anna about Boris: he spies") == Learn(
        number=1, seat=ANNA, who=BORIS, text="he spies"
    )


@pytest.mark.parametrize("line", ["заявка: Затаиться — …", "говорю: …", "помощь Анна o1: …"])
def test_example_sent_as_it_stands_is_taken_and_said_to_be_one(line: str) -> None:
    reading = read(players_view(BORIS), (), [line], "ru")

    assert [note.key for one in reading.orders for note in one.notes] == ["left-open"]


def test_commands_of_a_letter_are_numbered_in_their_order() -> None:
    reading = read(moderators_view(), (), ["открыть бой", "пробоина 2", "", "фарт Анне -1"], "ru")

    assert [one.order for one in reading.orders] == [
        Gate(number=1, what="battle", opens=True),
        effect("hole:2", 2),
        effect(f"luck:-1:@{ANNA}", 3),
    ]


def test_later_letter_adds_commands_above_those_in_force() -> None:
    sheet = (Gate(number=1, what="battle", opens=True), effect("hole:2", 2))
    reading = read(moderators_view(), sheet, ["закрыть бой"], "ru")

    assert reading.sheet == (*sheet, Gate(number=3, what="battle", opens=False))


def test_effects_of_one_roll_may_stand_on_several_lines() -> None:
    lines = ["эффект Анна o1: урон Анне 1", "эффект Анна o1: пробоина 2"]
    assert only(moderators_view(), *lines) == Offer(roll=f"{ANNA}/o1", effects=(f"damage:1:@{ANNA}", "hole:2"))


def test_story_goes_on_to_its_end_mark_whatever_it_says() -> None:
    lines = ["рассказ: Вечереет.", "", "Бросок Анна o3: нет", "конец рассказа", "открыть бой"]
    reading = read(moderators_view(), (), lines, "ru")

    assert [one.order for one in reading.orders] == [
        Say(text="Вечереет.\n\nБросок Анна o3: нет"),
        Gate(number=1, what="battle", opens=True),
    ]


def test_cards_are_laid_from_a_letter_and_faulty_ones_name_the_key() -> None:
    document = ["[meta]", 'schema = "movecards/1"', "", "[[move]]", 'id = "novy"', 'name = "Новый" # ход']
    reading = read(moderators_view(), (), ["колода:", *document, "конец колоды"], "ru")
    faulty = read(moderators_view(), (), ["колода:", "[meta]", 'schema = "x"'], "ru")

    assert [one.order for one in reading.orders] == [LayCards(number=1, document="\n".join(document))]
    assert [(one.key, one.facts["at"]) for one in faulty.complaints] == [("bad-cards", "meta.schema")]


# Several lines --------------------------------------------------------------------------------------------------------


def test_declarations_are_numbered_refused_ones_too() -> None:
    lines = ["заявка: Затаиться — под лодкой", "козни: флагман; тайны 9", "заявка: лезу на мачту"]
    reading = read(players_view(ANNA), (), lines, "ru")

    assert [one.order.slot for one in reading.orders] == ["o2", "o4"]
    assert [one.key for one in reading.complaints] == ["no-such-secret"]


def test_declaration_sent_again_keeps_its_number_and_a_named_one_is_replaced() -> None:
    sheet = (Declare(number=2, text="лезу на мачту"),)
    view = players_view(ANNA)

    assert read(view, sheet, ["заявка: лезу на мачту"], "ru").sheet == sheet
    again = read(view, sheet, ["заявка o2: ныряю"], "ru")
    assert again.sheet == (Declare(number=2, text="ныряю"),)
    assert [note.key for note in again.orders[0].notes] == ["order"]
    assert read(view, sheet, ["заявка: ныряю"], "ru").sheet == (*sheet, Declare(number=3, text="ныряю"))


def test_text_goes_on_where_the_mail_program_broke_the_line_and_in_speech() -> None:
    lines = [
        "заявка: Угрожать насилием, дерзость — приставляю нож к горлу боцмана и",
        "шиплю ему в ухо:",
        "— Где карта?",
        "фарт +1",
    ]
    reading = read(players_view(ANNA), (), lines, "ru")

    assert [(one.order.slot, one.lines) for one in reading.orders] == [("o2", (0, 1, 2)), (f"{ANNA}/o1/window", (3,))]
    assert "Где карта?" in encode(reading.orders[0].order)


def test_who_does_nothing_declares_nothing_else() -> None:
    declared = (Declare(number=2, text="a"), Declare(number=3, text="b"), StandingLuck())

    assert fold(declared, [Idle(number=2)]) == (StandingLuck(), Idle(number=2))
    assert fold((Idle(number=2),), [Declare(number=3, text="b")]) == (Declare(number=3, text="b"),)


def test_standing_words_fill_what_is_asked_and_nothing_that_is_answered() -> None:
    words = (StandingTrade(take=True), StandingBreakdown(kind="sails"), StandingBids(values=("life",)))
    merged = merge(players_view(ANNA), (AnswerTrade(key=TRADE, take=False),), words)

    assert merged == (
        AnswerTrade(key=TRADE, take=False),
        *words,
        TakeHole(key=HOLE, kind="sails"),
        Bid(talk=2, value="life"),
    )


# Writing --------------------------------------------------------------------------------------------------------------

UNREAD_ELSEWHERE: list[Order] = [
    UndoEffect(number=2, effect="luck:+1:@pirate-1", changes=((f"pirates/{ANNA}", "luck", "3", "4"),)),
    Say(text="Вечереет.\n\n— Ночь?"),
    Say(text=""),
]


def samples() -> list[tuple[SetSailView, Order]]:
    anna, moderator = players_view(ANNA), moderators_view()
    found = [(anna, order) for _, order in [*PLAYERS, *STANDING]]
    found += [(moderator, order) for _, order in MODERATORS]
    found += [(moderator, order) for order in UNREAD_ELSEWHERE]
    found += [(asked_view(), Narrate(key=f"{ANNA}/x1/fate/0", text=text)) for text in ("прыгаю", "")]
    found += [(players_view(BORIS), Choose(key=f"{BORIS}/o2/choice/0", options=("a",)))]
    found += [(setting_up(), Enlist(name="Анна", post="капитан", der=2, rep=-1))]
    found += [(setting_up(), Enlist(name="Анна", der=1, moves=("zapugat",))), (setting_up(), Enlist(moves=()))]
    found += [(moderator, LayCards(number=1, document='[meta]\nschema = "movecards/1"\n\n[[move]]\nid = "novy"'))]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_written_is_read_back_with_and_without_a_view(language: Language) -> None:
    for seen, order in samples():
        for shown in (None, seen):
            line = write(order, language, shown)
            assert "\n" not in line
            assert only(seen, line, language=language) == order, line


def test_every_class_of_orders_is_among_the_samples() -> None:
    classes = {one for union in (PlayerOrder, StandingOrder, CommandOrder) for one in get_args(union)}
    assert classes | {Ruling, Offer} == {type(order) for _, order in samples()}


VIEWS = {
    "anna": players_view(ANNA),
    "boris": players_view(BORIS),
    "vera": players_view(VERA),
    "moderator": view(campaign(), MODERATOR),
    "rulings": moderators_view(),
    "set-up": setting_up(),
    "asked": asked_view(),
}


@pytest.mark.parametrize("name", list(VIEWS))
def test_every_legal_order_is_read_back(name: str) -> None:
    seen = VIEWS[name]
    slots = [slot.key for slot in owed(seen) if slot.seat == seen.seat and slot.key not in SAME_AS_OTHERS]
    for key in [question.key for question in seen.questions] or slots:
        orders = list(legal(seen, key))
        assert orders
        assert {order.slot for order in orders} == {key}
        for order in orders[:: 1 + len(orders) // 20]:
            assert decode(encode(order), SetSailOrder) == order
            for language in LANGUAGES:
                assert only(seen, write(order, language, seen), language=language) == order


SAME_AS_OTHERS = {f"o{number}" for number in range(4, 12)}


def test_silence_fills_what_is_owed_and_spends_nothing() -> None:
    for seen in (players_view(ANNA), players_view(BORIS), moderators_view(), setting_up()):
        needed = {slot.key for slot in owed(seen) if slot.seat == seen.seat and not slot.optional}
        orders = silent(seen, ())
        assert {order.slot for order in orders} == needed
        assert silent(seen, orders) == ()
    assert Spend(roll=f"{ANNA}/o1", act="nothing") in silent(players_view(ANNA), ())
    assert TakeDamage(key=DAMAGE) in silent(players_view(ANNA), ())


def test_word_that_stands_answers_for_the_windows_it_is_about() -> None:
    view_, words = players_view(ANNA), (StandingLuck(), StandingAid(whom=VERA, most=1), StandingDamage(above=2))
    merged = merge(view_, (), words)

    assert TakeDamage(key=DAMAGE, luck=1) in merged
    slots = {order.slot for order in silent(view_, merged)}
    assert {slot for slot in slots if slot.endswith("window")} == {f"{BORIS}/o1/window"}
    assert merge(view_, (), (*words, StandingAid())) != merged
    assert not [order for order in silent(view_, (*merged, StandingAid())) if isinstance(order, Spend)]


def test_template_and_examples_can_be_sent_as_they_are() -> None:
    for seen in (players_view(ANNA), players_view(BORIS), moderators_view(), setting_up()):
        for language in LANGUAGES:
            for lines in (template(seen, language), examples(seen, language)):
                assert lines
                reading = read(seen, (), lines, language)
                assert (reading.complaints, reading.prose) == ((), ())


def test_public_writes_no_orders() -> None:
    seen = view(campaign(), PUBLIC)

    assert read(seen, (), ["заявка: лезу"], "ru").prose == (0,)
    assert (template(seen, "ru"), examples(seen, "ru")) == ((), ())


TEXTS = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=60)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(text=TEXTS)
def test_text_of_a_declaration_is_read_back_as_it_was_kept(text: str) -> None:
    seen = players_view(ANNA)
    for line in (f"заявка: {text}", f"помощь Борису o1: {text}", f"говорю: {text}"):
        for one in read(seen, (), [line], "ru").orders:
            for shown in (None, seen):
                written = write(one.order, "ru", shown)
                assert only(seen, written) == one.order, written


@settings(derandomize=True, max_examples=40, deadline=None)
@given(lines=st.lists(TEXTS | st.sampled_from([line for line, _ in [*PLAYERS, *MODERATORS, *STANDING]]), max_size=5))
def test_every_line_is_an_order_a_complaint_or_prose(lines: list[str]) -> None:
    for seen in (players_view(ANNA), moderators_view(), asked_view(), setting_up()):
        reading = read(seen, (), lines, "ru")
        places = [line for order in reading.orders for line in order.lines]
        places += [line for complaint in reading.complaints for line in complaint.lines]
        assert sorted([*places, *reading.prose]) == list(range(len(lines)))


def test_whoever_bears_a_name_is_found_and_written_by_it() -> None:
    state = ruling_stage()
    named = (Enemy(id="gubernator", name="дон Альварес"), *state.enemies[1:])
    seen = view(replace(state, enemies=named, clocks=(Clock(id="burya", name="Большая буря"),)), MODERATOR)

    assert only(seen, "открыть сцену: дон Альварес") == Gate(
        number=1, what="scene", opens=True, enemies=("gubernator",)
    )
    assert only(seen, "вред дону Альваресу 2") == effect("harm:2:@gubernator")
    assert only(seen, "часы большая буря +1") == effect("clock:burya:+1")
    assert write(Gate(number=1, what="scene", opens=True, enemies=("gubernator",)), "ru", seen) == (
        "открыть сцену: дон Альварес"
    )


def test_whoever_is_put_down_in_a_letter_is_known_to_the_lines_below() -> None:
    lines = ["враг Старый Джо", "сторона Компания", "вред Старому Джо 2", "разоблачение Компания: мы у рифа"]

    reading = read(moderators_view(), (), lines, "ru")

    assert [one.order for one in reading.orders][2:] == [
        effect("harm:2:@staryy-dzho", 3),
        effect("exposed:+1:@kompaniya:мы у рифа", 4),
    ]
    assert reading.complaints == ()
