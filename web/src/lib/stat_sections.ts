// What `stats --json` says, in parts that can be drawn whatever the dataset is: numbers, and counts by label.
export interface StatChart {
  title: string;
  field: string;
  bars: { label: string; count: number }[];
}

export interface StatSection {
  title: string;
  split: string | null;
  numbers: { name: string; value: number }[];
  charts: StatChart[];
}

type Fields = Record<string, unknown>;

const is_fields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const is_number = (value: unknown): value is number => typeof value === "number";

function counts_of(value: unknown): { label: string; count: number }[] | null {
  if (!is_fields(value)) return null;
  const entries = Object.entries(value);
  if (entries.length === 0 || !entries.every(([, count]) => is_number(count))) return null;
  return entries.map(([label, count]) => ({ label, count: count as number }));
}

// [{"from_log10": 2.0, "findings": 2}, ...] as bars labelled by where they begin.
function bins_of(value: unknown): { label: string; count: number }[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const bars = value.map((bin: unknown) => {
    if (!is_fields(bin) || !is_number(bin["from_log10"])) return null;
    const count = Object.values(bin).filter(is_number)[1];
    return count === undefined ? null : { label: `from ${Math.round(10 ** bin["from_log10"])}`, count };
  });
  return bars.every((bar) => bar !== null) ? bars : null;
}

function section_of(title: string, split: string | null, fields: Fields): StatSection {
  const section: StatSection = { title, split, numbers: [], charts: [] };
  const chart = (name: string, bars: { label: string; count: number }[]): void => {
    const some = bars.filter((bar) => bar.count > 0);
    if (some.length > 0) section.charts.push({ title: name.replaceAll("_", " "), field: name, bars: some });
  };
  for (const [name, value] of Object.entries(fields)) {
    if (is_number(value)) section.numbers.push({ name, value });
    const histogram = is_fields(value) ? counts_of(value["histogram"]) : null;
    if (histogram) chart(name, histogram);
    else if (!(is_fields(value) && "mean" in value)) chart(name, counts_of(value) ?? bins_of(value) ?? []);
  }
  return section;
}

export function stat_sections(description: unknown): StatSection[] {
  if (!is_fields(description)) return [];
  if (is_fields(description["splits"]))
    return Object.entries(description["splits"]).map(([split, fields]) => section_of(split, split, is_fields(fields) ? fields : {}));
  if (Array.isArray(description["tables"]))
    return description["tables"].filter(is_fields).map((table) => {
      const split = typeof table["split"] === "string" ? table["split"] : null;
      return section_of([split, table["task"]].filter(Boolean).join(" · "), split, table);
    });
  return [];
}
