// Answers of a copy without a server: every question is a file, and lists are searched, sorted and paged here.
import { cases_in, type KeptCases } from "./copied_cases.ts";
import { rows_csv, rows_in, type KeptRows } from "./copied_rows.ts";
import { RequestFailed, type Problem } from "./problem.ts";
import { root_path } from "../lib/root.ts";

const api = `${root_path}/api/v1`;

const not_kept: Problem = {
  title: "This copy does not hold that",
  status: 404,
  code: "not_in_copy",
  detail: "A copy has what was served when it was written, without what a server would have to compute. Ask `fiducial serve` for the rest.",
};

async function file(name: string, signal?: AbortSignal | null): Promise<Response> {
  const response = await fetch(`${api}/${name}`, signal ? { signal } : {});
  if (!response.ok) throw new RequestFailed(not_kept);
  return response;
}

// Addresses of other files stand in answers as the server wrote them.
async function document_of(name: string, signal?: AbortSignal | null): Promise<unknown> {
  const text = await (await file(name, signal)).text();
  return JSON.parse(text.replaceAll('"/api/v1/', `"${api}/`));
}

// "/api/v1/x?y=z" and "x?y=z" as the path below the API and the query.
function parts_of(path: string): { path: string; query: URLSearchParams } {
  const below = path.startsWith("/") ? path.slice(path.indexOf("/api/v1/") + "/api/v1/".length) : path;
  const [plain = "", query = ""] = below.split("?");
  return { path: plain, query: new URLSearchParams(query) };
}

// The file with what a question asks for.
export function file_of(path: string, query: URLSearchParams): string {
  if (path.endsWith("/masks")) return `${path}/${(query.get("set") ?? "reference").replace(":", "/")}.runs`;
  if (path === "compare") {
    const slot = query.get("slot");
    const plain = (query.get("scorer") ?? "strict") === "strict" && query.get("seed") === null;
    return plain ? `compare/${query.get("runs") ?? ""}${slot ? `/${slot}` : ""}.json` : "compare/none.json";
  }
  return path.endsWith(".json") ? path : `${path}.json`;
}

export async function copied_json(asked: string, signal?: AbortSignal | null): Promise<unknown> {
  const { path, query } = parts_of(asked);
  if (/^datasets\/[^/]+\/cases$/.test(path)) {
    const run = query.get("run");
    return cases_in((await document_of(`${path}${run ? `/${run}` : ""}.json`, signal)) as KeptCases, query);
  }
  if (/^runs\/[^/]+\/rows$/.test(path)) return rows_in((await document_of(`${path}.json`, signal)) as KeptRows, query);
  return document_of(file_of(path, query), signal);
}

export async function copied_bytes(asked: string, signal?: AbortSignal | null): Promise<Response> {
  const { path, query } = parts_of(asked);
  return file(path.endsWith("/masks") ? file_of(path, query) : path, signal);
}

export async function copied_csv(asked: string): Promise<Blob> {
  const { path, query } = parts_of(asked);
  const kept = (await document_of(`${path}.json`)) as KeptRows;
  return new Blob([rows_csv(kept, query)], { type: "text/csv" });
}
