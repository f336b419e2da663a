"""`python -m fiducial`: the command, as `fiducial` itself."""

from fiducial._command import main

if __name__ == "__main__":
    main()
