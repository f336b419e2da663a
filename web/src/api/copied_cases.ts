// The list of cases in a copy without a server.
import { page_of, type Paged } from "./copied_list.ts";
import type { CaseRow } from "./types.ts";

// A case as the server lists it, with the words that a search looks through.
export interface KeptCases {
  items: (CaseRow & { words: string })[];
}

export function cases_in(kept: KeptCases, query: URLSearchParams): Paged<CaseRow> {
  const words = (query.get("q") ?? "").toLowerCase();
  const split = query.get("split");
  const group = query.get("group") ?? "";
  const [kind, label] = [group.slice(0, group.indexOf("=")), group.slice(group.indexOf("=") + 1)];
  const wanted = kept.items.filter(
    (row) => (!split || row.split === split) && (!group || row.groups[kind]?.includes(label) === true) && row.words.toLowerCase().includes(words),
  );
  const sort = query.get("sort");
  if (sort === "name") return page_of(wanted, query, (row) => row.id);
  return page_of(wanted, query, sort === "value" ? (row) => row.value ?? null : null);
}
