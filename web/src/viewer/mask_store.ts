// The sets of masks of a case, fetched when they are first wanted, and what is computed of them, once.

import { difference, united, type Difference } from "./mask_algebra.ts";
import { decode_runs, type RunMask } from "./runs.ts";

export type SetState = "wanted" | "there" | "failed";

interface HeldSet {
  state: SetState;
  masks: Map<number, RunMask>;
  error: string;
}

export type MaskFetcher = (set: string) => Promise<Uint8Array>;

export class MaskStore {
  private readonly sets = new Map<string, HeldSet>();
  private readonly differences = new Map<string, Difference>();
  private readonly fetcher: MaskFetcher;
  private readonly changed: () => void;

  constructor(fetcher: MaskFetcher, changed: () => void) {
    this.fetcher = fetcher;
    this.changed = changed;
  }

  // Asks for a set unless it is there or on its way.
  want(set: string): void {
    const held = this.sets.get(set);
    if (held !== undefined && held.state !== "failed") return;
    void this.bring(set);
  }

  async bring(set: string): Promise<void> {
    const held: HeldSet = { state: "wanted", masks: new Map(), error: "" };
    this.sets.set(set, held);
    try {
      const decoded = decode_runs(await this.fetcher(set));
      held.masks = new Map(decoded.masks.map((mask) => [mask.id, mask]));
      held.state = "there";
    } catch (error) {
      held.state = "failed";
      held.error = error instanceof Error ? error.message : String(error);
    }
    this.changed();
  }

  state(set: string): SetState | undefined {
    return this.sets.get(set)?.state;
  }
  error(set: string): string {
    return this.sets.get(set)?.error ?? "";
  }
  masks(set: string): ReadonlyMap<number, RunMask> {
    return this.sets.get(set)?.masks ?? new Map();
  }
  mask(set: string, id: number): RunMask | undefined {
    return this.sets.get(set)?.masks.get(id);
  }
  get bytes(): number {
    let sum = 0;
    for (const held of this.sets.values()) for (const mask of held.masks.values()) sum += mask.bytes;
    return sum;
  }

  // Undefined where both sides lack the mask; a side that lacks it is empty.
  difference(reference: string, prediction: string, id: number): Difference | undefined {
    return this.kept_difference(`${reference} ${prediction} ${id}`, reference, prediction, (set) => this.mask(set, id));
  }

  // Of all masks of each side together.
  whole_difference(reference: string, prediction: string): Difference | undefined {
    return this.kept_difference(`${reference} ${prediction}`, reference, prediction, (set) => all_of(this.masks(set)));
  }

  private kept_difference(name: string, reference: string, prediction: string, side: (set: string) => RunMask | undefined): Difference | undefined {
    const kept = this.differences.get(name);
    if (kept !== undefined) return kept;
    if (this.state(reference) !== "there" || this.state(prediction) !== "there") return undefined;
    const [a, b] = [side(reference), side(prediction)];
    if (a === undefined && b === undefined) return undefined;
    const made = difference(a ?? empty_like(b!), b ?? empty_like(a!));
    this.differences.set(name, made);
    return made;
  }
}

function all_of(masks: ReadonlyMap<number, RunMask>): RunMask | undefined {
  return masks.size === 0 ? undefined : [...masks.values()].reduce(united);
}

function empty_like(mask: RunMask): RunMask {
  return difference(mask, mask).missed;
}
