"""Documents that are made from the program, or checked against it."""
