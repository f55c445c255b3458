"""`python -m siteseer` is `siteseer`."""

from siteseer.cli.main import main

if __name__ == "__main__":
    main()
