"""Which procedure fits: the rule table, the situations that it distinguishes, and how people are led to a row."""
