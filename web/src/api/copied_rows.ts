// The rows of a run in a copy without a server.
import { page_of, type Paged } from "./copied_list.ts";
import type { Row } from "./types.ts";

type Cell = string | number | null;

// Rows as lists of cells, in the order of the columns; of each the id of its case, where it has one.
export interface KeptRows {
  columns: string[];
  rows: Cell[][];
  case_ids: (string | null)[];
}

const separator = "; "; // between several labels of a cell

function has_label(cell: Cell | undefined, wanted: string): boolean {
  const text = cell === null || cell === undefined ? "" : String(cell);
  return text === wanted || (separator + text + separator).includes(separator + wanted + separator);
}

// The numbers of the rows that meet all conditions.
function chosen(kept: KeptRows, query: URLSearchParams): number[] {
  const conditions = query.getAll("where").map((each) => [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)] as const);
  for (const name of ["metric", "scorer"]) {
    const value = query.get(name);
    if (value) conditions.push([name, value]);
  }
  const column = (name: string): number => (kept.columns.includes(name) ? kept.columns.indexOf(name) : kept.columns.indexOf(`group_${name}`));
  const wanted = conditions.map(([name, value]) => ({ at: column(name), value }));
  const words = query.get("q") ?? "";
  const fits = (row: Cell[]): boolean =>
    wanted.every(({ at, value }) => has_label(row[at], value)) && (words === "" || row.some((cell) => typeof cell === "string" && cell.includes(words)));
  return kept.rows.flatMap((row, number) => (fits(row) ? [number] : []));
}

function row_of(kept: KeptRows, number: number): Row {
  const cells = kept.columns.map((name, at) => [name, kept.rows[number]?.[at] ?? null]);
  return { ...Object.fromEntries(cells), case_id: kept.case_ids[number] ?? null } as Row;
}

export function rows_in(kept: KeptRows, query: URLSearchParams): Paged<Row> & { columns: string[] } {
  const sort = query.get("sort");
  const at = kept.columns.indexOf(sort === "value" ? "value" : "case");
  const page = page_of(chosen(kept, query), query, sort ? (number) => kept.rows[number]?.[at] ?? null : null);
  return { columns: kept.columns, items: page.items.map((number) => row_of(kept, number)), next: page.next, total: page.total };
}

function quoted(cell: Cell): string {
  const text = cell === null ? "" : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function rows_csv(kept: KeptRows, query: URLSearchParams): string {
  const lines = [kept.columns, ...chosen(kept, query).map((number) => kept.rows[number] ?? [])];
  return lines.map((cells) => cells.map(quoted).join(",")).join("\n") + "\n";
}
