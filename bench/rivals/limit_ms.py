"""No program but a promise: what is divided by it takes at most so many milliseconds."""

import sys

print("ready", flush=True)
for _ in sys.stdin:
    print(sys.argv[1], sys.argv[1], flush=True)
