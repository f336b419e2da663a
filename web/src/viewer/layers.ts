// Which masks are drawn over a plane, for a state: findings, a prediction, their difference, organs.

import type { CaseValue } from "./case_value.ts";
import { own_names, set_of_run } from "./case_value.ts";
import type { Difference } from "./mask_algebra.ts";
import type { MaskStore } from "./mask_store.ts";
import { both_colour, colour_of, extra_colour, missed_colour, organ_colour, type Layer } from "./overlay.ts";
import type { RunMask, Voxel } from "./runs.ts";
import type { Show, ViewState } from "./view_state.ts";

// What is shown of a run: a case without that run's masks shows the reference.
export function shown_for(state: ViewState, run: string | null): Show {
  return run === null ? "reference" : state.show;
}

function finding_layers(store: MaskStore, set: string, source: CaseValue, state: ViewState): Layer[] {
  if (own_names(source, set) !== null) return own_layers(store, set);
  const out: Layer[] = [];
  for (const mask of store.masks(set).values()) {
    if (mask.empty || state.hidden.has(mask.id)) continue;
    out.push({ mask, colour: colour_of(mask.id), style: "plain", label: String(mask.id + 1), strong: mask.id === state.finding });
  }
  return out;
}

// Masks that a run numbers itself: "s2" is that of its second sentence.
function own_layers(store: MaskStore, set: string): Layer[] {
  const masks = [...store.masks(set).values()].filter((mask) => !mask.empty);
  return masks.map((mask) => ({ mask, colour: colour_of(mask.id), style: "plain", label: own_label(mask.id), strong: false }));
}

export const own_label = (id: number): string => `s${id + 1}`;

function parts_of(found: Difference, label: string, strong: boolean): Layer[] {
  const parts: readonly (readonly [RunMask, string, Layer["style"]])[] = [
    [found.both, both_colour, "both"],
    [found.missed, missed_colour, "missed"],
    [found.extra, extra_colour, "extra"],
  ];
  return parts.filter(([mask]) => !mask.empty).map(([mask, colour, style]) => ({ mask, colour, style, label, strong }));
}

function difference_layers(store: MaskStore, run: string, source: CaseValue, state: ViewState): Layer[] {
  if (own_names(source, set_of_run(run)) !== null) {
    const whole = store.whole_difference("reference", set_of_run(run)); // which mask belongs to which finding nobody knows
    return whole === undefined ? [] : parts_of(whole, "", false);
  }
  const out: Layer[] = [];
  for (const { index } of source.findings) {
    if (state.hidden.has(index)) continue;
    const found = store.difference("reference", set_of_run(run), index);
    if (found === undefined) continue;
    out.push(...parts_of(found, String(index + 1), index === state.finding));
  }
  return out;
}

function organ_layers(store: MaskStore, state: ViewState): Layer[] {
  const out: Layer[] = [];
  for (const id of state.organs) {
    const mask = store.mask("organs", id);
    if (mask !== undefined) out.push({ mask, colour: organ_colour(id), style: "plain", label: "", strong: false });
  }
  return out;
}

export function layers_of(store: MaskStore, source: CaseValue, state: ViewState, run: string | null): Layer[] {
  if (!state.overlay) return [];
  const show = shown_for(state, run);
  const findings =
    show === "difference" && run !== null
      ? difference_layers(store, run, source, state)
      : finding_layers(store, show === "prediction" && run !== null ? set_of_run(run) : "reference", source, state);
  return [...organ_layers(store, state), ...findings];
}

// Sets that the state needs.
export function sets_of(source: CaseValue, state: ViewState): string[] {
  const wanted = ["reference", ...[state.run, state.versus].filter((run) => run !== null).map(set_of_run)];
  if (state.organs.size > 0) wanted.push("organs");
  return wanted.filter((id) => source.sets.some((set) => set.id === id && set.available));
}

const most_runs_named = 8;

// Sets that a click on a voxel names things of, whether they are drawn or not: the organs, and the runs of a case with few.
export function sets_to_name(source: CaseValue): string[] {
  const there = source.sets.filter((set) => set.available && set.id !== "reference").map((set) => set.id);
  const runs = there.filter((id) => id !== "organs");
  return [...runs.slice(0, runs.length <= most_runs_named ? runs.length : 0), ...there.filter((id) => id === "organs")];
}

// Something that lies at a voxel.
export interface Named {
  readonly set: string;
  readonly id: number;
  readonly entity: number;
  readonly voxels: number;
}

// All masks of all sets at hand that hold a voxel; the smallest of a set first.
export function names_at(store: MaskStore, sets: readonly string[], voxel: Voxel): Named[] {
  return sets.flatMap((set) => {
    const found: Named[] = [];
    for (const mask of store.masks(set).values()) {
      if (mask.contains(voxel)) found.push({ set, id: mask.id, entity: mask.entity_at(voxel), voxels: mask.voxels });
    }
    return found.sort((a, b) => a.voxels - b.voxels);
  });
}
