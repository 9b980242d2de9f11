"""The compiled kernels, built from kernels/*.pyx; each .pyi here describes one.

There is no slower stand-in. If one does not import, build them with
`python3 -m pip install .` in the source folder (a C compiler and Python.h are needed).
"""
