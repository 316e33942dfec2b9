"""Procedures for one method: how good is it, and how uncertain is that number?"""
