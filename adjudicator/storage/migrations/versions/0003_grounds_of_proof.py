"""What was found in a mail for or against its sender is kept with it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("mail") as batch_op:
        batch_op.add_column(sa.Column("grounds", sa.Text(), nullable=False, server_default=""))
    with op.batch_alter_table("mail") as batch_op:
        batch_op.alter_column("grounds", server_default=None)
