"""Procedures for two methods on one data set: do they differ?"""
