"""What the life of a game needs: questions, absences, votes, disputes, observers, grace, pause."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _tables()
    _columns()
    with op.batch_alter_table("letter") as batch_op:
        batch_op.create_index(batch_op.f("ix_letter_address"), ["address"], unique=False)

    _drop_defaults()


def _tables() -> None:
    op.create_table(
        "unwanted",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_unwanted")),
        sa.UniqueConstraint("address", name=op.f("uq_unwanted_address")),
    )
    op.create_table(
        "dispute",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.Column("opened", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("settled", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("status IN ('open', 'stands', 'rule', 'lapsed')", name=op.f("ck_dispute_ck_status")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_dispute_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dispute")),
    )
    with op.batch_alter_table("dispute") as batch_op:
        batch_op.create_index(batch_op.f("ix_dispute_game_id"), ["game_id"], unique=False)

    op.create_table(
        "observer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reported_seq", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_observer_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_observer")),
        sa.UniqueConstraint("game_id", "address", name=op.f("uq_observer_game_id_address")),
    )
    with op.batch_alter_table("observer") as batch_op:
        batch_op.create_index(batch_op.f("ix_observer_address"), ["address"], unique=False)
        batch_op.create_index(batch_op.f("ix_observer_game_id"), ["game_id"], unique=False)

    op.create_table(
        "proposal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("facts", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("settled", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "status IN ('open', 'carried', 'refused', 'lapsed', 'withdrawn')", name=op.f("ck_proposal_ck_status")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_proposal_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proposal")),
    )
    with op.batch_alter_table("proposal") as batch_op:
        batch_op.create_index(batch_op.f("ix_proposal_game_id"), ["game_id"], unique=False)

    op.create_table(
        "absence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("tenure_id", sa.Integer(), nullable=False),
        sa.Column("first", sa.Date(), nullable=False),
        sa.Column("last", sa.Date(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("waits", sa.Boolean(), nullable=False),
        sa.Column("declared", sa.DateTime(timezone=True), nullable=False),
        sa.Column("withdrawn", sa.DateTime(timezone=True), nullable=True),
        sa.Column("mail_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_absence_game_id")),
        sa.ForeignKeyConstraint(["mail_id"], ["mail.id"], name=op.f("fk_absence_mail_id")),
        sa.ForeignKeyConstraint(["tenure_id"], ["tenure.id"], name=op.f("fk_absence_tenure_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_absence")),
    )
    with op.batch_alter_table("absence") as batch_op:
        batch_op.create_index(batch_op.f("ix_absence_game_id"), ["game_id"], unique=False)

    op.create_table(
        "asked",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("tenure_id", sa.Integer(), nullable=True),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("facts", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_asked_game_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_asked_player_id")),
        sa.ForeignKeyConstraint(["tenure_id"], ["tenure.id"], name=op.f("fk_asked_tenure_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_asked")),
    )
    with op.batch_alter_table("asked") as batch_op:
        batch_op.create_index(batch_op.f("ix_asked_game_id"), ["game_id"], unique=False)

    op.create_table(
        "asking",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        sa.Column("asked", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=False),
        sa.Column("question_seq", sa.Integer(), nullable=False),
        sa.Column("questions", sa.LargeBinary(), nullable=False),
        sa.Column("locked", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lock_seq", sa.Integer(), nullable=True),
        sa.Column("answers", sa.LargeBinary(), nullable=True),
        sa.Column("origins", sa.LargeBinary(), nullable=True),
        sa.Column("reminded", sa.Boolean(), nullable=False),
        sa.Column("check", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_asking_game_id")),
        sa.ForeignKeyConstraint(["turn_id"], ["turn.id"], name=op.f("fk_asking_turn_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_asking")),
        sa.UniqueConstraint("turn_id", "number", name=op.f("uq_asking_turn_id_number")),
    )
    with op.batch_alter_table("asking") as batch_op:
        batch_op.create_index(batch_op.f("ix_asking_check"), ["check"], unique=False)
        batch_op.create_index(batch_op.f("ix_asking_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_asking_turn_id"), ["turn_id"], unique=False)

    op.create_table(
        "vote",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("proposal_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("voice", sa.LargeBinary(), nullable=False),
        sa.Column("arrival", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["proposal_id"], ["proposal.id"], name=op.f("fk_vote_proposal_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vote")),
        sa.UniqueConstraint("proposal_id", "seat", name=op.f("uq_vote_proposal_id_seat")),
    )
    with op.batch_alter_table("vote") as batch_op:
        batch_op.create_index(batch_op.f("ix_vote_proposal_id"), ["proposal_id"], unique=False)


def _columns() -> None:
    with op.batch_alter_table("game") as batch_op:
        batch_op.drop_constraint(op.f("ck_game_ck_status"), type_="check")
        batch_op.create_check_constraint(
            op.f("ck_game_ck_status"), "status IN ('created', 'starting', 'running', 'finished')"
        )
        batch_op.add_column(sa.Column("paused", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("final", sa.LargeBinary(), nullable=True))
        batch_op.add_column(sa.Column("desk", sa.DateTime(timezone=True), nullable=True))

    with op.batch_alter_table("invitation") as batch_op:
        batch_op.add_column(sa.Column("stranger", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch_op.add_column(sa.Column("substitute", sa.String(), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("second", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch_op.drop_constraint(op.f("uq_invitation_game_id_address"), type_="unique")
        batch_op.create_unique_constraint(
            op.f("uq_invitation_game_id_address_second"), ["game_id", "address", "second"]
        )

    with op.batch_alter_table("mail") as batch_op:
        batch_op.add_column(sa.Column("proof", sa.String(), nullable=False, server_default=""))

    with op.batch_alter_table("mailgame") as batch_op:
        batch_op.add_column(sa.Column("held", sa.String(), nullable=False, server_default=""))

    with op.batch_alter_table("player") as batch_op:
        batch_op.add_column(sa.Column("forgotten", sa.DateTime(timezone=True), nullable=True))

    with op.batch_alter_table("press") as batch_op:
        batch_op.add_column(sa.Column("anonymous", sa.Boolean(), nullable=False, server_default=sa.false()))

    with op.batch_alter_table("reading") as batch_op:
        batch_op.add_column(sa.Column("asking", sa.Integer(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("by", sa.String(), nullable=False, server_default=""))
        batch_op.alter_column("mail_id", existing_type=sa.INTEGER(), nullable=True)

    with op.batch_alter_table("tenure") as batch_op:
        batch_op.add_column(sa.Column("missed", sa.Integer(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("automatic", sa.Integer(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("counted", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("farewell", sa.LargeBinary(), nullable=True))

    with op.batch_alter_table("turn") as batch_op:
        batch_op.add_column(sa.Column("grace", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("frozen", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("let_go", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch_op.add_column(sa.Column("prolonged", sa.Boolean(), nullable=False, server_default=sa.false()))


def _drop_defaults() -> None:
    """The defaults have filled the rows there were; the program states every value itself."""
    with op.batch_alter_table("invitation") as batch_op:
        batch_op.alter_column("stranger", server_default=None)
        batch_op.alter_column("substitute", server_default=None)
        batch_op.alter_column("second", server_default=None)
    with op.batch_alter_table("mail") as batch_op:
        batch_op.alter_column("proof", server_default=None)
    with op.batch_alter_table("mailgame") as batch_op:
        batch_op.alter_column("held", server_default=None)
    with op.batch_alter_table("press") as batch_op:
        batch_op.alter_column("anonymous", server_default=None)
    with op.batch_alter_table("reading") as batch_op:
        batch_op.alter_column("asking", server_default=None)
        batch_op.alter_column("by", server_default=None)
    with op.batch_alter_table("tenure") as batch_op:
        batch_op.alter_column("missed", server_default=None)
        batch_op.alter_column("automatic", server_default=None)
    with op.batch_alter_table("turn") as batch_op:
        batch_op.alter_column("let_go", server_default=None)
        batch_op.alter_column("prolonged", server_default=None)
