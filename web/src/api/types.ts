// What the server answers, as docs/formats/api.md says.
export interface Listed<T> {
  items: T[];
  next: string | null;
  total: number;
}

export interface Split {
  name: string;
  cases: number;
}

export interface Dataset {
  id: string;
  title: string;
  benchmark: string;
  layout: string;
  path?: string;
  kinds: CaseKind[];
  splits: Split[];
  cases: number;
  has_volumes: boolean;
  problem?: string | null;
}

export interface DatasetPage extends Dataset {
  description: Record<string, unknown> | null;
  card: string | null;
}

export type CaseKind = "grounded" | "questions" | "tables";

export interface Headline {
  slot: string;
  metric?: string;
  value: number | null;
  ci95: [number, number] | null;
  n: number;
  counted: string;
  unit: string | null;
  direction: string;
}

export interface Run {
  id: string;
  system: string | null;
  task: string | null;
  benchmark: string | null;
  dataset: { id: string | null } | null;
  split: string | null;
  cases: number;
  headline: Headline | null;
  kind: "scores" | "asked";
  path?: string;
  problem?: string | null;
}

export interface Info {
  version: string;
  datasets: Dataset[];
  runs: Run[];
  problems: { path: string; message: string }[];
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
  dataset_file?: string;
  findings: LintFinding[];
  counts: Record<string, number>;
}

export interface CaseRow {
  id: string;
  name?: string;
  split: string;
  kind: CaseKind;
  title: string;
  patient?: string;
  counts: Record<string, number>;
  groups?: Record<string, string[]>;
  thumb: string | null;
  value?: number | null;
  status?: string | null;
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
  orientation?: { transform: string; mean_dice_now?: number; mean_dice_after?: number; cases?: number } | null;
  remarks?: { case: string; code: string; text: string; failed?: boolean }[];
  remarks_left_out?: Record<string, number>;
  provenance?: Record<string, unknown>;
  labels?: string;
  [extra: string]: unknown;
}

export interface RunPage extends Run {
  summary: Summary;
  plan: Record<string, unknown>;
}

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

export interface Answer {
  run: string;
  system?: string;
  letter: string | null;
  correct: boolean | null;
  status: string;
  reply: string | null;
  rationale?: string | null;
  reason?: string | null;
  taken: { start: number; end: number } | null;
  steps: AnswerStep[];
}

export interface AnswerStep {
  text: string;
  step?: string; // findings, summary, reasoning, discussion
  image?: number | null;
  verdict?: string | null;
  reference?: string | null;
}

export interface QuestionImage {
  slot: number | string;
  label: string;
  url: string;
  caption: string | null;
  modality: string | null;
  sub_modality?: string | null;
  width?: number;
  height?: number;
}

export interface Question {
  history: string | null;
  options: (string | { letter: string; text: string })[];
  key: string | null;
  findings: string | null;
  discussion: string | null;
  images: QuestionImage[];
  answers: Answer[];
}

export interface Span {
  start: number;
  end: number;
  kind: string; // finding, denied, label, region, measurement
  text?: string;
  label?: string;
}

export interface ReportSentence {
  text: string;
  region: string | null;
  begin?: number | null; // in bytes of the report
  end?: number | null;
  spans?: Span[];
}

export interface RegionText {
  region: string;
  text: string;
  abnormal?: boolean | null;
  organs: string[];
  answers?: { run: string; system?: string; text: string | null; correct: boolean | null }[];
}

export interface TableQuestion {
  family: string;
  question: string;
  answer: string | null;
  region: string | null;
  place?: string | null;
  finding?: string | null;
  answers: { run: string; system?: string; text: string | null; correct: boolean | null; status?: string }[];
}

export interface Finding {
  index: number;
  text: string;
  category: string | null;
  category_title: string | null;
  focality: string | null;
  entities: number | null;
  voxels: number | null;
  place: [number, number, number] | null;
  largest_slice: number | null;
}

export interface Case {
  id: string;
  name?: string;
  dataset: string;
  split: string;
  kind: CaseKind;
  title: string;
  patient?: string;
  groups?: Record<string, string[]>;
  previous: string | null;
  next: string | null;
  volume: null | { available: boolean; reason: string | null; base: string };
  findings: Finding[];
  sets: { id: string; label: string; available: boolean; reason: string | null }[];
  report: null | { text: string; sentences: ReportSentence[] };
  question: Question | null;
  regions: RegionText[];
  questions: TableQuestion[];
  scores: { run: string; system?: string; rows: Row[] }[];
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

export interface ComparedSlot {
  metric: string;
  version: number;
  better: "higher" | "lower" | "none";
  unit?: string;
  values: { value: number | null; ci95: [number, number] | null; n: number; counted: string; reason?: string }[];
  difference?: Difference;
}

export interface Moved {
  case: string;
  case_id?: string | null;
  finding: number | null;
  a: number | null;
  b: number | null;
  difference: number | null;
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
  groups?: Record<string, Record<string, { findings?: number; values: ComparedSlot["values"]; difference: Difference }>>;
  ranking?: { system: number; rank: number; rank_ci95: [number, number] | null; tie_group: number; value: number | null; ci95: [number, number] | null }[];
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
  group?: string;
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
  [extra: string]: unknown;
}
