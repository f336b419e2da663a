// What the server says of a case, as far as the viewer reads it.

export interface Finding {
  readonly index: number;
  readonly text: string;
  readonly category: string | null;
  readonly category_title: string | null;
  readonly focality: string | null;
  readonly entities: number | null;
  readonly voxels: number | null;
  readonly place: readonly number[] | null;
  readonly largest_slice: number | null;
}

export interface SetEntry {
  readonly id: string; // "reference", "organs" or "run:NAME"
  readonly label: string;
  readonly available: boolean;
  readonly reason: string | null;
  // Of a run whose masks are not those of the findings: what it says of each. Null where they are the findings'.
  readonly names: readonly { readonly id: number; readonly text: string }[] | null;
}

export interface ScoreRow {
  readonly finding: number | null;
  readonly metric: string;
  readonly scorer: string;
  readonly value: number | null;
  readonly status: string;
  readonly reason: string | null;
}

export interface Region {
  readonly region: string;
  readonly text: string;
  readonly organs: string[];
  readonly answers?: { run: string; text: string | null; correct: boolean | null }[];
}

export interface Question {
  readonly family: string;
  readonly question: string;
  readonly answer: string | null;
  readonly region: string | null;
  readonly answers?: readonly { readonly run: string; readonly text: string | null; readonly correct: boolean | null }[];
}

export interface CaseValue {
  readonly id: string;
  readonly dataset: string;
  readonly split: string | null;
  readonly title: string | null;
  readonly previous: string | null;
  readonly next: string | null;
  readonly volume: { readonly available: boolean; readonly reason: string | null; readonly base: string } | null;
  readonly findings: readonly Finding[];
  readonly sets: readonly SetEntry[];
  readonly report: { readonly text: string } | null;
  readonly regions: readonly Region[];
  readonly questions: readonly Question[];
  readonly scores: readonly { readonly run: string; readonly system?: string; readonly unit?: string | null; readonly rows: readonly ScoreRow[] }[];
}

export interface Organ {
  readonly id: number;
  readonly name: string;
  readonly voxels: number;
}

export const run_of_set = (set: string): string | null => (set.startsWith("run:") ? set.slice(4) : null);
export const set_of_run = (run: string): string => `run:${run}`;

// What a run says of each of its masks, where these are not the findings'; null where they are.
export const own_names = (source: CaseValue, set: string): SetEntry["names"] => source.sets.find((one) => one.id === set)?.names ?? null;

// "lung_upper_lobe_left" as people write it.
export const organ_title = (name: string): string => name.replaceAll("_", " ");
