// The questions that pages ask the server, one function each.
import { get_blob, get_json, root } from "./client.ts";
import type { Case, CaseNotes, CaseRow, Comparison, Contract, DatasetPage, Info, Lint, Listed, Rows, RunPage } from "./types.ts";
import { query_text } from "../lib/route.ts";

type Query = Record<string, string | number | null | undefined>;
const word = encodeURIComponent;

export const ask = {
  info: (signal?: AbortSignal) => get_json<Info>("info", signal),
  dataset: (id: string, signal?: AbortSignal) => get_json<DatasetPage>(`datasets/${word(id)}`, signal),
  lint: (id: string, signal?: AbortSignal) => get_json<Lint>(`datasets/${word(id)}/lint`, signal),
  cases: (id: string, query: Query, signal?: AbortSignal) =>
    get_json<Listed<CaseRow>>(`datasets/${word(id)}/cases${query_text(query)}`, signal),
  case: (dataset: string, id: string, signal?: AbortSignal) => get_json<Case>(`cases/${word(dataset)}/${word(id)}`, signal),
  notes: (dataset: string, id: string, signal?: AbortSignal) => get_json<CaseNotes>(`cases/${word(dataset)}/${word(id)}/notes`, signal),
  run: (id: string, signal?: AbortSignal) => get_json<RunPage>(`runs/${word(id)}`, signal),
  rows: (id: string, query: URLSearchParams, signal?: AbortSignal) => get_json<Rows>(`runs/${word(id)}/rows?${query}`, signal),
  rows_csv: (id: string, query: URLSearchParams) => get_blob(`${root}/runs/${word(id)}/rows?${query}`, "text/csv"),
  compare: (query: Query, signal?: AbortSignal) => get_json<Comparison>(`compare${query_text(query)}`, signal),
  metrics: async (signal?: AbortSignal) => contracts(await get_json<unknown>("metrics", signal)),
  metric: (id: string, signal?: AbortSignal) => get_json<Contract>(`metrics/${word(id)}`, signal),
  openapi: (signal?: AbortSignal) => get_json<Record<string, unknown>>("openapi.json", signal),
};

// A list as other lists, or what `info --json` says.
function contracts(answer: unknown): Contract[] {
  const fields = answer as { items?: Contract[]; metrics?: Contract[] };
  return fields.items ?? fields.metrics ?? [];
}
