"""The rules of «Поднять паруса!», in the order of the page."""
