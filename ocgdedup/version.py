"""The version of the program: apart, since modules of all layers import it."""

__version__ = "0.1.0"
