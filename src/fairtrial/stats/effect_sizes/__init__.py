"""Effect sizes with confidence intervals: how large is a difference?"""
