"""The tables as first released."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:  # noqa: PLR0915
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tag", sa.String(), nullable=False),
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("ruleset", sa.String(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("edition", sa.String(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("header", sa.Text(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished", sa.DateTime(timezone=True), nullable=True),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("head", sa.String(), nullable=False),
        sa.Column("next_batch", sa.Integer(), nullable=False),
        sa.CheckConstraint("status IN ('created', 'running', 'finished')", name=op.f("ck_game_ck_status")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
        sa.UniqueConstraint("campaign", name=op.f("uq_game_campaign")),
        sa.UniqueConstraint("tag", name=op.f("uq_game_tag")),
    )
    op.create_table(
        "mail",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("mailbox", sa.String(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.Column("arrival", sa.DateTime(timezone=True), nullable=False),
        sa.Column("counts", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("twin", sa.Integer(), nullable=True),
        sa.Column("tidied", sa.Boolean(), nullable=False),
        sa.CheckConstraint(
            "verdict IN ('new', 'orders', 'held', 'automatic', 'bounce', 'quarantined', 'empty', 'late')",
            name=op.f("ck_mail_ck_verdict"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail")),
        sa.UniqueConstraint("mailbox", "uidvalidity", "uid", name=op.f("uq_mail_mailbox_uidvalidity_uid")),
    )
    with op.batch_alter_table("mail", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_mail_arrival"), ["arrival"], unique=False)
        batch_op.create_index(batch_op.f("ix_mail_content"), ["content"], unique=False)
        batch_op.create_index(batch_op.f("ix_mail_message_id"), ["message_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_mail_sha256"), ["sha256"], unique=False)
        batch_op.create_index(batch_op.f("ix_mail_verdict"), ["verdict"], unique=False)

    op.create_table(
        "mailbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.Column("good", sa.DateTime(timezone=True), nullable=True),
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("lease", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mailbox")),
        sa.UniqueConstraint("name", name=op.f("uq_mailbox_name")),
    )
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
    )
    op.create_table(
        "address",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("main", sa.Boolean(), nullable=False),
        sa.Column("confirmed", sa.DateTime(timezone=True), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("failed", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_address_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_address")),
        sa.UniqueConstraint("player_id", "address", name=op.f("uq_address_player_id_address")),
    )
    with op.batch_alter_table("address", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_address_address"), ["address"], unique=False)
        batch_op.create_index(batch_op.f("ix_address_player_id"), ["player_id"], unique=False)

    op.create_table(
        "invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("joined", sa.DateTime(timezone=True), nullable=True),
        sa.Column("refused", sa.DateTime(timezone=True), nullable=True),
        sa.Column("join_id", sa.String(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_invitation_game_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_invitation_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitation")),
        sa.UniqueConstraint("game_id", "address", name=op.f("uq_invitation_game_id_address")),
    )
    with op.batch_alter_table("invitation", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_invitation_address"), ["address"], unique=False)
        batch_op.create_index(batch_op.f("ix_invitation_game_id"), ["game_id"], unique=False)

    op.create_table(
        "logentry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("head", sa.String(), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("parts", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_logentry_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_logentry")),
        sa.UniqueConstraint("game_id", "seq", name=op.f("uq_logentry_game_id_seq")),
    )
    with op.batch_alter_table("logentry", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_logentry_game_id"), ["game_id"], unique=False)

    op.create_table(
        "mailgame",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("mail_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("lock_seq", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_mailgame_game_id")),
        sa.ForeignKeyConstraint(["mail_id"], ["mail.id"], name=op.f("fk_mailgame_mail_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mailgame")),
        sa.UniqueConstraint("mail_id", "game_id", name=op.f("uq_mailgame_mail_id_game_id")),
    )
    with op.batch_alter_table("mailgame", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_mailgame_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_mailgame_mail_id"), ["mail_id"], unique=False)

    op.create_table(
        "opening",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_opening_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_opening")),
        sa.UniqueConstraint("game_id", "seq", "part", name=op.f("uq_opening_game_id_seq_part")),
    )
    with op.batch_alter_table("opening", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_opening_game_id"), ["game_id"], unique=False)

    op.create_table(
        "phrase",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("stream", sa.String(), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        sa.Column("row", sa.String(), nullable=False),
        sa.Column("phrase", sa.LargeBinary(), nullable=False),
        sa.Column("automatic", sa.Boolean(), nullable=False),
        sa.Column("arrival", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_phrase_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_phrase")),
        sa.UniqueConstraint("game_id", "stream", "batch", "row", name=op.f("uq_phrase_game_id_stream_batch_row")),
    )
    with op.batch_alter_table("phrase", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_phrase_game_id"), ["game_id"], unique=False)

    op.create_table(
        "press",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("mail_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("recipients", sa.String(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.Column("arrival", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_press_game_id")),
        sa.ForeignKeyConstraint(["mail_id"], ["mail.id"], name=op.f("fk_press_mail_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_press")),
    )
    with op.batch_alter_table("press", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_press_game_id"), ["game_id"], unique=False)

    op.create_table(
        "reading",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("mail_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("arrival", sa.DateTime(timezone=True), nullable=False),
        sa.Column("mailbox", sa.String(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.Column("written", sa.DateTime(timezone=True), nullable=True),
        sa.Column("effects", sa.LargeBinary(), nullable=False),
        sa.Column("late", sa.Boolean(), nullable=False),
        sa.Column("has_orders", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_reading_game_id")),
        sa.ForeignKeyConstraint(["mail_id"], ["mail.id"], name=op.f("fk_reading_mail_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reading")),
        sa.UniqueConstraint("game_id", "seat", "number", name=op.f("uq_reading_game_id_seat_number")),
        sa.UniqueConstraint("mail_id", "game_id", "seat", "turn", name=op.f("uq_reading_mail_id_game_id_seat_turn")),
    )
    with op.batch_alter_table("reading", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_reading_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_reading_mail_id"), ["mail_id"], unique=False)

    op.create_table(
        "seat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("side", sa.String(), nullable=False),
        sa.Column("titles", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_seat_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seat")),
        sa.UniqueConstraint("game_id", "seat", name=op.f("uq_seat_game_id_seat")),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_game_id"), ["game_id"], unique=False)

    op.create_table(
        "secret",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_secret_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_secret")),
        sa.UniqueConstraint("game_id", "name", name=op.f("uq_secret_game_id_name")),
    )
    with op.batch_alter_table("secret", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_secret_game_id"), ["game_id"], unique=False)

    op.create_table(
        "tenure",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("key_version", sa.Integer(), nullable=False),
        sa.Column("reported_seq", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_tenure_game_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_tenure_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tenure")),
    )
    with op.batch_alter_table("tenure", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tenure_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_tenure_player_id"), ["player_id"], unique=False)

    op.create_table(
        "turn",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("opened", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.Column("standing", sa.LargeBinary(), nullable=False),
        sa.Column("orders", sa.LargeBinary(), nullable=True),
        sa.Column("locked", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lock_seq", sa.Integer(), nullable=True),
        sa.Column("resolved", sa.DateTime(timezone=True), nullable=True),
        sa.Column("result_seq", sa.Integer(), nullable=True),
        sa.Column("events", sa.LargeBinary(), nullable=True),
        sa.Column("dice", sa.LargeBinary(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("retry", sa.DateTime(timezone=True), nullable=True),
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.Column("reminded", sa.String(), nullable=False),
        sa.Column("check", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status IN ('open', 'locked', 'asking', 'resolved', 'stuck', 'withdrawn')", name=op.f("ck_turn_ck_status")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_turn_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turn")),
        sa.UniqueConstraint("game_id", "number", "revision", name=op.f("uq_turn_game_id_number_revision")),
    )
    with op.batch_alter_table("turn", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_turn_check"), ["check"], unique=False)
        batch_op.create_index(batch_op.f("ix_turn_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_turn_status"), ["status"], unique=False)

    op.create_table(
        "letter",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("tenure_id", sa.Integer(), nullable=True),
        sa.Column("key_version", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("opening", sa.Boolean(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.Column("in_reply_to", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.Column("text", sa.LargeBinary(), nullable=True),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("uncertain", sa.Boolean(), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("lease", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sent", sa.DateTime(timezone=True), nullable=True),
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "status IN ('new', 'rendered', 'sending', 'sent', 'failed', 'withdrawn')", name=op.f("ck_letter_ck_status")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_letter_game_id")),
        sa.ForeignKeyConstraint(["tenure_id"], ["tenure.id"], name=op.f("fk_letter_tenure_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letter")),
        sa.UniqueConstraint("key", name=op.f("uq_letter_key")),
        sa.UniqueConstraint("message_id", name=op.f("uq_letter_message_id")),
    )
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_letter_game_id"), ["game_id"], unique=False)
        batch_op.create_index("ix_letter_status_due", ["status", "due"], unique=False)
