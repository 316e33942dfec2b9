"""One method: how good is it, and how sure is that?"""
