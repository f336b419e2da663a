#!/usr/bin/env python3
"""The model behind docs/scaling.md: how long 25,692 volumes take on N cores, with slow cores and cores that die.

    python bench/cluster_model.py

Units are dealt longest first, as `fiducial plan` deals them; cores take them from a queue, as `fiducial work` does. A core in a
hundred is five times slower, two in a thousand die at a moment of the run. The units of the dead are taken again after the
patience; idle cores copy the unit that was begun first among those that take longer than 1.5 times the usual. The store gives
all cores together so many bytes a second. Everything is drawn from one seed, so the table is the same everywhere.
"""

import heapq
import random

VOLUMES, SEED = 25_692, 1
MEAN_MB, CORE_MB_S, START_S, OPENING_S = 70, 60, 1.0, 1.0
SLOW, SLOWER, DEAD, PATIENCE_S = 0.01, 5, 0.002, 180
STORES_MB_S = (1_000, 10_000, 50_000)


def volumes():
    chance = random.Random(SEED)
    sizes = [chance.lognormvariate(0, 0.35) for _ in range(VOLUMES)]
    scale = MEAN_MB * VOLUMES / sum(sizes)
    return [size * scale for size in sizes]


def dealt(sizes, units):
    loads = [(0.0, unit) for unit in range(units)]
    for size in sorted(sizes, reverse=True):
        load, unit = heapq.heappop(loads)
        heapq.heappush(loads, (load + size, unit))
    return [load for load, _ in sorted(loads, key=lambda each: each[1])]


def run(units, cores, faults, copies=True):
    """Seconds until every unit has a result, with a store that is as fast as anybody wants."""
    chance = random.Random(SEED + cores)
    speed = [1 / SLOWER if faults and chance.random() < SLOW else 1 for _ in range(cores)]
    usual = sum(units) / len(units) / CORE_MB_S + OPENING_S
    whole = usual * len(units) / cores
    dies = [chance.random() * whole if faults and chance.random() < DEAD else float("inf") for _ in range(cores)]
    free = [(START_S, core) for core in range(cores)]
    heapq.heapify(free)
    waiting = sorted(((0.0, number) for number in range(len(units))))  # when it may be taken
    heapq.heapify(waiting)
    ends, begun, done = {}, {}, 0.0
    while waiting:
        ready, number = heapq.heappop(waiting)
        now, core = heapq.heappop(free)
        begin = max(now, ready)
        end = begin + (units[number] / CORE_MB_S + OPENING_S) / speed[core]
        begun.setdefault(number, begin)
        if end > dies[core]:
            heapq.heappush(waiting, (max(begin, dies[core]) + PATIENCE_S, number))
            continue
        ends[number] = end
        heapq.heappush(free, (end, core))
        done = max(done, end)
    if not copies:
        return done
    # Idle cores copy what is slow; the first result counts.
    for number, end in sorted(ends.items(), key=lambda each: begun[each[0]]):
        now, core = heapq.heappop(free)
        begin = max(now, begun[number] + 1.5 * usual)
        copy = begin + (units[number] / CORE_MB_S + OPENING_S) / speed[core]
        if copy < end and dies[core] > copy:
            ends[number] = copy
            heapq.heappush(free, (copy, core))
        else:
            heapq.heappush(free, (now, core))
    return max(ends.values())


def main():
    sizes = volumes()
    total = sum(sizes)
    print(f"{VOLUMES} volumes, {total / 1e6:.2f} TB, {total / CORE_MB_S / 3600:.1f} core hours\n")
    print("| cores | " + " | ".join(f"store of {store / 1000:.0f} GB/s" for store in STORES_MB_S) + " |")
    print("|---|" + "---|" * len(STORES_MB_S))
    for cores in (2, 16, 64, 256, 1000):
        alone = run(dealt(sizes, min(VOLUMES, 16 * cores)), cores, faults=False)
        print(f"| {cores} | " + " | ".join(f"{max(alone, total / store):,.0f} s" for store in STORES_MB_S) + " |")
    print("\n| 1,000 cores, a store without limit | no faults | slow and dying cores, no copies | with copies |")
    print("|---|---|---|---|")
    for units in (1_000, 4_000, 16_000, VOLUMES):
        loads = dealt(sizes, units)
        times = [run(loads, 1000, False), run(loads, 1000, True, copies=False), run(loads, 1000, True)]
        print(f"| {units:,} units | " + " | ".join(f"{each:,.0f} s" for each in times) + " |")


if __name__ == "__main__":
    main()
