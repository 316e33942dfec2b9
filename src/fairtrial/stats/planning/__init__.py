"""Power analysis before a study: power, sample size, and the smallest detectable effect."""
