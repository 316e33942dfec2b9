"""What should be known before a verdict is believed: guards of results, scores, training, decisions, comparisons."""
