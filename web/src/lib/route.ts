// Patterns of paths: "/c/:dataset/:case" matches "/c/demo/train_1" and gives {dataset: "demo", case: "train_1"}.
import { root_path } from "./root.ts";

export type Params = Record<string, string>;

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null; // a percent sign that is no escape
  }
}

export function match_path(pattern: string, path: string): Params | null {
  const wanted = pattern.split("/");
  const parts = path.replace(/\/+$/, "").split("/");
  if (pattern === "/") return parts.length <= 1 ? {} : null;
  if (wanted.length !== parts.length) return null;
  const params: Params = {};
  for (let i = 0; i < wanted.length; ++i) {
    const word = wanted[i] ?? "";
    const part = decoded(parts[i] ?? "");
    if (part === null) return null;
    if (word.startsWith(":")) {
      if (part === "") return null;
      params[word.slice(1)] = part;
    } else if (word !== part) {
      return null;
    }
  }
  return params;
}

// Addresses, written once.
const word = encodeURIComponent;

export function query_text(query: Record<string, string | number | null | undefined>): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return pairs.length ? "?" + pairs.map(([name, value]) => `${word(name)}=${word(String(value))}`).join("&") : "";
}

type Query = Record<string, string | number | null | undefined>;
export const to = {
  home: () => `${root_path}/`,
  dataset: (dataset: string, query: Query = {}) => `${root_path}/d/${word(dataset)}${query_text(query)}`,
  cases: (dataset: string, query: Query = {}) => `${root_path}/d/${word(dataset)}/cases${query_text(query)}`,
  case: (dataset: string, id: string, query: Query = {}) => `${root_path}/c/${word(dataset)}/${word(id)}${query_text(query)}`,
  run: (run: string, query: Query = {}) => `${root_path}/r/${word(run)}${query_text(query)}`,
  rows: (run: string, query: Query = {}) => `${root_path}/r/${word(run)}/rows${query_text(query)}`,
  compare: (runs: string[], query: Query = {}) => `${root_path}/compare${query_text({ runs: runs.join(","), ...query })}`,
  metric: (id: string) => `${root_path}/help/metrics/${word(id)}`,
  metrics: () => `${root_path}/help/metrics`,
  keys: () => `${root_path}/help/keys`,
  api: () => `${root_path}/api`,
};
