// What the server answers. schema.ts is made from its schemas; here stand the documents that docs/formats describes and the
// schemas only name: summaries, comparisons, lint reports, rows, contracts.
import type * as schema from "./schema.ts";

export type {
  CaseNotes, CaseRow, Chain, ChainStep, Dataset, Finding, Headline, Info, MaskSet, NotedMark, NotedText, Question, QuestionImage, Run, TableQuestion,
} from "./schema.ts";
export type Answer = schema.QuestionAnswer;
export type AnswerStep = schema.Step & { verdict?: unknown };
export type RegionText = schema.Region & { answers?: schema.TableAnswer[] };
export type ReportSentence = schema.Sentence & { spans?: Span[] };
export type CaseScores = Omit<schema.CaseScores, "rows"> & { rows: CaseScoreRow[] };
export type Case = Omit<schema.Case, "scores"> & { scores: CaseScores[] };
export type CaseKind = "grounded" | "questions" | "tables";
export type DatasetPage = schema.DatasetPage;

export interface CaseScoreRow {
  finding: number | null;
  metric: string;
  scorer: string;
  value: number | null;
  status: string;
  reason: string | null;
}

export interface Listed<T> {
  items: T[];
  next: string | null;
  total: number;
}

export interface Span {
  start: number;
  end: number;
  kind: string; // finding, denied, label, region, measurement
  label?: string;
}

export interface LintFinding {
  code: string;
  severity: "error" | "warning" | "note";
  file: string;
  place: string;
  message: string;
  case_id?: string | null;
  voxel?: number[] | null;
}

export interface Lint {
  benchmark: string;
  findings: LintFinding[];
  counts: Record<string, number>;
}

export interface Slot {
  value: number | null;
  reason?: string;
  metric: string;
  version?: number;
  ci95?: [number, number] | null;
  ceiling?: number;
  floor?: number | { value: number | null };
  n: number;
  counted: string;
  n_undefined?: number;
  n_failed?: number;
  unit?: string;
  better: "higher" | "lower" | "none";
}

export type Slots = Record<string, Slot>;
export type SlotGroups = Record<string, Record<string, Slots>>;

export interface Summary {
  benchmark: string;
  task: string;
  split: string;
  mode: string;
  system: string;
  metrics: Slots;
  official?: Slots;
  groups?: SlotGroups;
  official_groups?: SlotGroups;
  baselines?: Record<string, unknown>;
  counts?: Record<string, number>;
  orientation?: { transform: string; cases?: number } | null;
  remarks?: { case: string; code: string; text: string; failed?: boolean }[];
  remarks_left_out?: Record<string, number>;
  provenance?: Record<string, unknown>;
}

export type RunPage = schema.Run & { summary: Summary; plan: Record<string, unknown> };

export type Cell = string | number | boolean | null;
export interface Row {
  case: string;
  case_id?: string | null;
  finding: number | null;
  metric: string;
  scorer: string;
  status: string;
  value: number | null;
  reason: string | null;
  [column: string]: Cell | undefined;
}

export interface Rows extends Listed<Row> {
  columns: string[];
}

export interface Difference {
  value: number | null;
  ci95: [number, number] | null;
  p: number | null;
  exact?: boolean;
  permutations?: number;
  wins: number;
  losses: number;
  ties: number;
  unpaired?: number;
  reason?: string;
}

export interface ComparedValue {
  value: number | null;
  ci95: [number, number] | null;
  n: number;
  counted: string;
  reason?: string;
}

export interface ComparedSlot {
  metric: string;
  version: number;
  better: "higher" | "lower" | "none";
  unit?: string;
  values: ComparedValue[];
  difference?: Difference;
}

export type Moved = schema.Moved;

export interface RankedSystem {
  system: number;
  rank: number;
  rank_ci95: [number, number] | null;
  tie_group: number;
  value: number | null;
  ci95: [number, number] | null;
}

export interface Comparison {
  benchmark: string;
  split: string;
  mode: string;
  metric: string;
  patients: number;
  findings: number;
  unit: string;
  resampled: string;
  systems: { system: string; missing: number; failed: number }[];
  slots: Record<string, ComparedSlot>;
  groups?: Record<string, Record<string, { findings?: number; values: ComparedValue[]; difference: Difference }>>;
  ranking?: RankedSystem[];
  pairs?: { first: number; second: number; difference: Difference; p_holm: number | null }[];
  least_p?: number;
  least_p_holm?: number;
  provenance?: Record<string, unknown>;
  moved?: Moved[];
}

export interface Contract {
  id: string;
  title: string;
  version: number;
  scorer: string;
  input?: string;
  better: string;
  range: string;
  unit: string;
  definition: string;
  parameters: string;
  valid_for?: string;
  needs_spacing?: boolean;
  empty?: Record<string, string>;
  less_is_never_better?: boolean;
  citation: string;
}
