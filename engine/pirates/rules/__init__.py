"""The rules of «Пираты», in the order of the rulebook: one module a chapter, one short function a rule."""
