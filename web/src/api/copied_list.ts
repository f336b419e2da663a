// What the server does with a list, for copies without one: the order, and a page of it.
export interface Paged<T> {
  items: T[];
  next: string | null;
  total: number;
}

export type SortKey = number | string | null; // what has none comes last in either order

function compared(a: SortKey, b: SortKey, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (a === b) return 0;
  return a < b ? -sign : sign;
}

// Items in the order that is asked for, those with the same key as they stood.
export function page_of<T>(items: readonly T[], query: URLSearchParams, key_of: ((item: T) => SortKey) | null): Paged<T> {
  const sign = query.get("order") === "desc" ? -1 : 1;
  const keyed = items.map((item, at) => ({ item, at, key: key_of ? key_of(item) : at }));
  keyed.sort((a, b) => compared(a.key, b.key, sign) || a.at - b.at);
  const first = Number(query.get("after") ?? 0) || 0;
  const last = first + (Number(query.get("limit") ?? 100) || 100);
  const next = last < keyed.length ? String(last) : null;
  return { items: keyed.slice(first, last).map((one) => one.item), next, total: keyed.length };
}
