"""Two or more methods over several data sets, each data set one independent piece of evidence."""
