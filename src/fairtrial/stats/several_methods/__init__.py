"""Procedures for several methods on one data set: do they differ, and which of them?"""
