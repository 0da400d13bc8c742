"""Words: the templates' environment, whose text is whose, languages, layout for fixed-width mail, and HTML."""
