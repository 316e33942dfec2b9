"""``python -m fairtrial.cli``."""

from fairtrial.cli import main

if __name__ == "__main__":
    main()
