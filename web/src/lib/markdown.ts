// The few forms that cards use, as blocks: headings, lists, tables, code and paragraphs. No HTML passes through it.
export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "list"; items: string[] }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "code"; text: string }
  | { kind: "quote"; text: string }
  | { kind: "paragraph"; text: string };

const cells = (line: string): string[] =>
  line.replace(/^\s*\|/, "").replace(/\|\s*$/, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, "|"));

// Lines from the first on for which `takes` holds.
function run_of(lines: string[], from: number, takes: (line: string) => boolean): string[] {
  let end = from;
  while (end < lines.length && takes(lines[end] ?? "")) ++end;
  return lines.slice(from, end);
}

function without_front_matter(lines: string[]): string[] {
  if (lines[0] !== "---") return lines;
  const end = lines.indexOf("---", 1);
  return end < 0 ? lines : lines.slice(end + 1);
}

const is_item = (line: string): boolean => /^\s*([-*]|\d+\.)\s+/.test(line);
const is_row = (line: string): boolean => line.trimStart().startsWith("|");
const is_heading = (line: string): boolean => /^#{1,6} /.test(line);
const is_quote = (line: string): boolean => /^\s*>/.test(line);
const is_text = (line: string): boolean =>
  line.trim() !== "" && !is_quote(line) && !is_item(line) && !is_row(line) && !is_heading(line) && !line.startsWith("```");

export function blocks_of(markdown: string): Block[] {
  const lines = without_front_matter(markdown.split(/\r?\n/));
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (line.trim() === "") {
      ++at;
    } else if (line.startsWith("```")) {
      const code = run_of(lines, at + 1, (each) => !each.startsWith("```"));
      blocks.push({ kind: "code", text: code.join("\n") });
      at += code.length + 2;
    } else if (is_heading(line)) {
      blocks.push({ kind: "heading", level: line.indexOf(" "), text: line.replace(/^#+ /, "") });
      ++at;
    } else if (is_item(line)) {
      const items = run_of(lines, at, is_item);
      blocks.push({ kind: "list", items: items.map((item) => item.replace(/^\s*([-*]|\d+\.)\s+/, "")) });
      at += items.length;
    } else if (is_quote(line)) {
      const quoted = run_of(lines, at, is_quote);
      blocks.push({ kind: "quote", text: quoted.map((each) => each.replace(/^\s*>\s?/, "")).join(" ") });
      at += quoted.length;
    } else if (is_row(line)) {
      const rows = run_of(lines, at, is_row);
      const body = rows.slice(1).filter((row) => !/^[\s|:-]+$/.test(row));
      blocks.push({ kind: "table", head: cells(line), rows: body.map(cells) });
      at += rows.length;
    } else {
      const text = run_of(lines, at, is_text);
      blocks.push({ kind: "paragraph", text: text.join(" ") });
      at += Math.max(1, text.length);
    }
  }
  return blocks;
}

export type Inline = { kind: "text" | "code" | "strong"; text: string } | { kind: "link"; text: string; href: string };

// `code`, **strong** and [links](https://...); a link elsewhere than to the web stays text.
export function inlines_of(text: string): Inline[] {
  const out: Inline[] = [];
  const forms = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/g;
  let at = 0;
  for (const found of text.matchAll(forms)) {
    if (found.index > at) out.push({ kind: "text", text: text.slice(at, found.index) });
    if (found[1]) out.push({ kind: "code", text: found[1] });
    else if (found[2]) out.push({ kind: "strong", text: found[2] });
    else if (found[3] && found[4]) out.push({ kind: "link", text: found[3], href: found[4] });
    at = found.index + found[0].length;
  }
  if (at < text.length) out.push({ kind: "text", text: text.slice(at) });
  return out;
}
