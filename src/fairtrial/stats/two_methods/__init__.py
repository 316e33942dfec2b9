"""Two methods on one data set: do they differ?"""
