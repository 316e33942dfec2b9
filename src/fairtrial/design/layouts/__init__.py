"""Layouts: how the settings of an experiment with several factors are chosen."""

from fairtrial.design.layouts.layout import Axis, CodedRows, Layout

__all__ = ["Axis", "CodedRows", "Layout"]
