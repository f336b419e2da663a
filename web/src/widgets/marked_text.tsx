// A text with spans marked where the words stand. What kind a mark is, is said by its line as well as its colour.
import type { Span } from "../api/types.ts";
import { pieces_of } from "../lib/marks.ts";

const kinds: Record<string, string> = {
  finding: "finding",
  denied: "denied",
  possible: "possible",
  label: "label",
  code: "code",
  question: "question",
  region: "region",
  measurement: "measurement",
  taken: "taken by the parser",
};

export function MarkedText({ text, spans }: { text: string; spans: Span[] }) {
  return (
    <>
      {pieces_of(text, spans).map((piece, i) => {
        if (piece.spans.length === 0) return piece.text;
        const names = piece.spans.map((each) => (each.label ? `${kinds[each.kind] ?? each.kind}: ${each.label}` : (kinds[each.kind] ?? each.kind)));
        return (
          <mark key={i} class={piece.spans.map((each) => `mark_${each.kind}`).join(" ")} title={names.join(", ")}>
            {piece.text}
          </mark>
        );
      })}
    </>
  );
}

export function MarkLegend({ spans }: { spans: Span[] }) {
  const present = [...new Set(spans.map((span) => span.kind))];
  if (present.length === 0) return null;
  return (
    <p class="legend small">
      {present.map((kind) => (
        <mark key={kind} class={`mark_${kind}`}>
          {kinds[kind] ?? kind}
        </mark>
      ))}
    </p>
  );
}
