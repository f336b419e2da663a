// What stages of curation wrote about a case: asked for once, beside the case itself.
import { ask } from "../../api/ask.ts";
import type { CaseNotes } from "../../api/types.ts";
import { useLoaded, type Loaded } from "../../lib/loaded.ts";
import type { CaseValue } from "../../viewer/case_value.ts";

export type Notes = Loaded<CaseNotes>;

export function useNotes(value: CaseValue): Notes {
  return useLoaded(`notes ${value.dataset} ${value.id}`, (signal) => ask.notes(value.dataset, value.id, signal));
}
