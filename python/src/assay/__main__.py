"""python -m assay is the program."""

from ._binary import main

main()
