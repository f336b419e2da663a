// Made by web/make_schema_types.mjs from the server's schemas (api_schemas.json): change those.

export type Problem = {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  place?: string;
};

export type Health = {
  status: "ok";
};

export type OpenApi = Record<string, unknown>;

export type Dataset = {
  id: string;
  title: string;
  benchmark: string;
  layout: string;
  path: string;
  kinds: Array<"grounded" | "questions" | "tables">;
  splits: Array<{
    name: string;
    cases: number;
  }>;
  cases: number;
  has_volumes: boolean;
  problem: string | null;
};

export type Headline = {
  slot: string;
  metric: string | null;
  value: number | null;
  ci95: [number, number] | null;
  n: number | null;
  counted: string | null;
  unit: string;
  direction: string | null;
};

export type Run = {
  id: string;
  kind: "scores" | "asked";
  path: string;
  system: string | null;
  task: string | null;
  benchmark: string | null;
  dataset: {
    id: string | null;
  } | null;
  split: string | null;
  headline: Headline | null;
  cases: number;
  problem: string | null;
};

export type PathProblem = {
  path: string;
  message: string;
};

export type Info = {
  version: string;
  datasets: Dataset[];
  runs: Run[];
  problems: PathProblem[];
};

export type DatasetList = {
  items: Dataset[];
  next: string | null;
  total: number;
};

export type RunList = {
  items: Run[];
  next: string | null;
  total: number;
};

export type DatasetPage = Dataset & {
  description: Record<string, unknown> | null;
  card: string | null;
};

export type Lint = {
  schema: string;
  problems?: Array<Record<string, unknown>>;
};

export type CaseRow = {
  id: string;
  name: string;
  split: string;
  kind: string;
  title: string;
  patient: string;
  counts: Record<string, number>;
  groups: Record<string, string[]>;
  thumb: string | null;
  value: number | null;
  status: string | null;
};

export type CaseList = {
  items: CaseRow[];
  next: string | null;
  total: number;
};

export type CaseVolume = {
  available: boolean;
  reason: string | null;
  base: string;
};

export type Finding = {
  index: number;
  text: string;
  category: string;
  category_title: string;
  focality: string | null;
  entities: number | null;
  voxels: number | null;
  place: [number, number, number] | null;
  largest_slice: number | null;
};

export type MaskSet = {
  id: string;
  label: string;
  available: boolean;
  reason: string | null;
  names: Array<{
    id: number;
    text: string;
  }> | null;
};

export type Sentence = {
  text: string;
  region: string | null;
  begin: number | null;
  end: number | null;
};

export type Report = {
  text: string;
  sentences: Sentence[];
  answers?: TableAnswer[];
};

export type Region = {
  region: string;
  text: string;
  organs: string[];
  answers?: TableAnswer[];
};

export type QuestionImage = {
  slot: number;
  label: string;
  caption: string | null;
  modality: string | null;
  sub_modality: string | null;
  url: string;
};

export type Question = {
  history: string;
  options: string[];
  key: string | null;
  findings: string | null;
  discussion: string | null;
  icd: string[];
  interval: string | null;
  images: QuestionImage[];
  answers: QuestionAnswer[];
};

export type Step = {
  step: string;
  text: string;
  reference: string | null;
  verdict: unknown;
  image?: number;
};

export type QuestionAnswer = {
  run: string;
  system: string;
  problem: string | null;
  letter: string | null;
  rule: string | null;
  correct: boolean | null;
  status: string | null;
  reply: string | null;
  rationale: string | null;
  taken: {
    start: number;
    end: number;
  } | null;
  steps: Step[];
  judged: JudgedStep[];
};

export type JudgedStep = {
  number: number;
  text: string;
  verdict: "factual" | "false" | "missing" | "invalid";
  critical: boolean | null;
  errors: string[];
  reason: string | null;
};

export type TableAnswer = {
  run: string;
  text: string | null;
  correct: boolean | null;
};

export type TableQuestion = {
  family: string;
  question: string;
  place: string | null;
  finding: string | null;
  answer: string;
  region: string | null;
  answers: TableAnswer[];
};

export type CaseScores = {
  run: string;
  system: string;
  task: string;
  unit: "finding" | "case" | "region";
  rows: ScoreRow[];
};

export type ScoreRow = {
  finding: number | null;
  metric: string | null;
  scorer: string | null;
  value: number | null;
  status: string | null;
  reason: string | null;
};

export type Case = {
  id: string;
  name: string;
  dataset: string;
  split: string;
  kind: string;
  title: string;
  patient: string;
  counts: Record<string, number>;
  groups: Record<string, string[]>;
  thumb: string | null;
  previous: string | null;
  next: string | null;
  volume: CaseVolume | null;
  findings: Finding[];
  sets: MaskSet[];
  report: Report | null;
  question: Question | null;
  regions: Region[];
  questions: TableQuestion[];
  scores: CaseScores[];
  answer_problems?: Array<{
    run: string;
    message: string;
  }>;
};

export type CaseNotes = {
  texts: NotedText[];
  marks: NotedMark[];
  chains: Chain[];
  stages: string[];
  problems: NoteProblem[];
};

export type NotedText = {
  column: string;
  text: string;
};

export type NotedMark = {
  stage: string;
  text: string;
  begin: number | null;
  end: number | null;
  kind: "sentence" | "region" | "finding" | "possible" | "denied" | "label" | "code" | "question";
  label: string;
  detail: string | null;
  organs: string[];
};

export type Chain = {
  stage: string;
  statement?: string | null;
  finding?: string | null;
  status: string;
  reason?: string | null;
  places?: string[];
  steps: ChainStep[];
};

export type ChainStep = {
  level: string;
  structure: string;
  source?: string;
  status: string;
  box: Array<number[]> | null;
  box_mm?: Array<number[]> | null;
  reason?: string | null;
  sentence?: string;
  organs: string[];
};

export type NoteProblem = {
  file: string;
  message: string;
};

export type OrganList = {
  items: Organ[];
  next: string | null;
  total: number;
};

export type Organ = {
  id: number;
  name: string;
  voxels: number;
};

export type VolumeMeta = {
  dimensions: [number, number, number];
  spacing_mm: [number, number, number];
  affine: [number, number, number, number, number, number, number, number, number, number, number, number, number, number, number, number];
  axes: ["R" | "L" | "A" | "P" | "S" | "I", "R" | "L" | "A" | "P" | "S" | "I", "R" | "L" | "A" | "P" | "S" | "I"];
  range: [number, number] | null;
  slab: number;
  slabs: number;
  pictures: boolean;
  coding: Array<"raw" | "dp">;
};

export type RunPage = Run & {
  summary: Record<string, unknown> | null;
  plan: Record<string, unknown> | null;
  manifest: Record<string, unknown> | null;
};

export type RunRow = {
  case_id: string | null;
};

export type RowList = {
  items: RunRow[];
  next: string | null;
  total: number;
  columns: string[];
};

export type WorstList = {
  items: RunRow[];
  next: string | null;
  total: number;
};

export type Moved = {
  case: string;
  case_id: string | null;
  finding: number;
  a: number;
  b: number;
  difference: number;
};

export type Comparison = {
  schema: string;
  runs: string[];
  dataset_id: string | null;
  moved: Moved[];
  systems: Array<Record<string, unknown>>;
  slots: unknown;
};

export type Metric = {
  id: string;
  title: string;
  version: number;
  better: string;
  definition: string;
};

export type MetricList = {
  items: Metric[];
  next: string | null;
  total: number;
};
