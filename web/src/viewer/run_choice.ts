// Which run a case is shown with.

import { run_of_set, type CaseValue } from "./case_value.ts";
import type { ViewState } from "./view_state.ts";

// Runs with masks for a case.
export function runs_of(source: CaseValue): string[] {
  return source.sets.filter((set) => set.available).map((set) => run_of_set(set.id)).filter((run) => run !== null);
}

// The one whose masks fit the case best; the first where none was scored by its masks.
function telling_run(source: CaseValue, runs: readonly string[]): string | undefined {
  const fit = (run: string): number => {
    const rows = source.scores.find((scores) => scores.run === run)?.rows ?? [];
    const values = rows.filter((row) => row.metric === "dice" && row.scorer === "strict").map((row) => row.value ?? 0);
    return values.length === 0 ? -1 : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return runs.reduce<string | undefined>((best, run) => (best === undefined || fit(run) > fit(best) ? run : best), undefined);
}

// A run that the case does not have is dropped; without one the first is taken.
export function with_run(source: CaseValue, state: ViewState): ViewState {
  const runs = runs_of(source);
  const known = (run: string | null): string | null => (run !== null && runs.includes(run) ? run : null);
  const run = known(state.run) ?? telling_run(source, runs) ?? null;
  return { ...state, run, versus: known(state.versus), show: run === null ? "reference" : state.show };
}
