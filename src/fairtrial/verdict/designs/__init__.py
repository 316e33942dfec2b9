"""A file per design: over data sets, one data set, each data set, fixed models, one method, and what they share."""
