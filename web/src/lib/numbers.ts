// Numbers as people read them. One that does not exist is an en dash, never 0.
export const absent = "–";

// Three decimals for shares, fewer for what is large; the sign of a difference is always shown.
export function number_text(value: number | null | undefined, unit?: string | null): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return absent;
  const size = Math.abs(value);
  let text: string;
  if (Number.isInteger(value) && size >= 10) text = grouped(value);
  else if (size >= 100) text = value.toFixed(1);
  else if (size >= 10) text = value.toFixed(2);
  else text = value.toFixed(3);
  text = text.replace("-", "−");
  return unit && unit !== "1" ? `${text} ${unit}` : text;
}

export function difference_text(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return absent;
  const text = number_text(Math.abs(value));
  if (Number(text) === 0) return "0.000";
  return (value < 0 ? "−" : "+") + text;
}

// Whole numbers with a thin space between thousands.
export function grouped(value: number): string {
  const digits = Math.abs(Math.round(value)).toString();
  return (value < 0 ? "−" : "") + digits.replace(/\B(?=(\d{3})+$)/g, "\u2009");
}

export function interval_text(interval: [number, number] | null | undefined): string {
  return interval ? `${number_text(interval[0])} – ${number_text(interval[1])}` : absent;
}

export function p_text(p: number | null | undefined): string {
  if (p === null || p === undefined) return absent;
  if (p < 0.001) return "< .001";
  return p.toFixed(3).replace(/^0/, "");
}

export function percent_text(share: number | null | undefined): string {
  return share === null || share === undefined ? absent : `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

export function counted_text(count: number, what: string): string {
  const one: Record<string, string> = { cases: "case", findings: "finding", questions: "question", categories: "category", images: "image", errors: "error", warnings: "warning", notes: "note" };
  return `${grouped(count)} ${count === 1 ? (one[what] ?? what) : what}`;
}
