"""No program but a promise: what is divided by it takes at most so long."""

import sys

print("ready", flush=True)
for _ in sys.stdin:
    print("50.0 50.0", flush=True)
