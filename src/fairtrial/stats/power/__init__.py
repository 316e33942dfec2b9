"""Before the run: with how many pieces of evidence would which difference be found?"""
