// What the viewer says in words.
import type { CaseValue, ScoreRow } from "../../viewer/case_value.ts";
import type { CaseViewer } from "../../viewer/case_viewer.ts";
import type { Pane } from "../../viewer/panes.ts";
import { preset_of } from "../../viewer/windows.ts";

// The score that stands beside a finding.
export const shown_metric = "dice";

export function rows_of(value: CaseValue, run: string | null, finding: number): readonly ScoreRow[] {
  const scores = value.scores.find((one) => one.run === run);
  const rows = scores === undefined || (scores.unit ?? "finding") !== "finding" ? [] : scores.rows; // others are of the case as a whole
  return rows.filter((row) => row.finding === finding);
}

export function score_of(value: CaseValue, run: string | null, finding: number): ScoreRow | undefined {
  const rows = rows_of(value, run, finding).filter((row) => row.metric === shown_metric || row.metric.startsWith(`${shown_metric}_`));
  return rows.find((row) => row.metric === shown_metric && row.scorer === "strict") ?? rows.find((row) => row.scorer === "strict") ?? rows[0];
}

export const number_words = (value: number | null | undefined): string => (value == null ? "–" : value.toFixed(2));

export function run_label(value: CaseValue, run: string): string {
  return value.sets.find((set) => set.id === `run:${run}`)?.label || run;
}

// Also of a run without masks.
export function run_name(value: CaseValue, run: string): string {
  return value.sets.find((set) => set.id === `run:${run}`)?.label || value.scores.find((scores) => scores.run === run)?.system || run;
}

export function window_title(viewer: CaseViewer): string {
  const { window } = viewer.state;
  return preset_of(window)?.name ?? "own";
}

export function slice_words(viewer: CaseViewer, pane: Pane): string {
  if (viewer.planes === null || viewer.state.at === null) return pane.plane;
  return `${pane.plane} ${viewer.slice_of(pane) + 1}/${viewer.planes[pane.plane].slices}`;
}

// For those who hear the page: where they are and what is selected.
export function spoken(viewer: CaseViewer, pane: Pane | undefined): string {
  const { source, state } = viewer;
  if (viewer.planes === null || state.at === null || pane === undefined) return "";
  const parts = [`${pane.plane} slice ${viewer.slice_of(pane) + 1} of ${viewer.planes[pane.plane].slices}`, `${window_title(viewer)} window`];
  const finding = source.findings.find((f) => f.index === state.finding);
  if (finding !== undefined) {
    const score = score_of(source, state.run, finding.index);
    const value = score === undefined ? "" : score.value === null ? ", Dice undefined" : `, Dice ${number_words(score.value)}`;
    parts.push(`finding ${finding.index + 1}: ${finding.text}${value}`);
  }
  if (state.run !== null) parts.push(`showing ${state.show}`);
  return parts.join(", ");
}

export const count_words = (n: number, one: string): string => `${n} ${one}${n === 1 ? "" : "s"}`;
