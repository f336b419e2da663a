// Organs that a sentence, a question or a step speaks of: lit alone, and gone to.
import type { CaseValue } from "../../viewer/case_value.ts";
import type { CaseViewer } from "../../viewer/case_viewer.ts";
import type { ViewState } from "../../viewer/view_state.ts";
import type { Organs } from "./organs.ts";

export function organs_named(organs: Organs, names: readonly string[]): Organs["items"] {
  return organs.items.filter((organ) => organ.voxels > 0 && names.includes(organ.name));
}

export const organs_of_region = (value: CaseValue, region: string | null): readonly string[] =>
  value.regions.find((one) => one.region === region)?.organs ?? [];

// The crosshair goes into the largest of them.
export async function light(viewer: CaseViewer, organs: Organs, names: readonly string[], changes: Partial<ViewState> = {}): Promise<void> {
  const found = organs_named(organs, names);
  viewer.show_box(null, { step: null, ...changes, organs: new Set(found.map((organ) => organ.id)) });
  if (found.length === 0) return;
  if (viewer.store.state("organs") !== "there") await viewer.store.bring("organs");
  viewer.go_to_mask("organs", found.reduce((most, organ) => (organ.voxels > most.voxels ? organ : most)).id);
}

// Whether the crosshair lies in one of the organs.
export function points_at(viewer: CaseViewer, organs: Organs, names: readonly string[]): boolean {
  const { at } = viewer.state;
  if (at === null || names.length === 0) return false;
  return organs_named(organs, names).some((organ) => viewer.store.mask("organs", organ.id)?.contains(at) === true);
}
