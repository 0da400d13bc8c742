"""Mail: decoding, own words, senders, bounces, mailboxes, letters and their hand-over."""
