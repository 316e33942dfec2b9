"""Several methods on one data set: do they differ, and which?"""
