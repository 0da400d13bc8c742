"""Imported by the process that workers are forked from: they find the words of orders read already."""

from adjudicator.services import warming

warming.warm_up()
