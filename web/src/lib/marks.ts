// A text cut at the ends of its spans, so that every piece lies wholly inside or outside each of them.
import type { Span } from "../api/types.ts";

export interface Piece {
  text: string;
  spans: Span[];
}

// Spans count code points or UTF-16 units alike for plain text; those outside the text are left out.
export function pieces_of(text: string, spans: Span[]): Piece[] {
  const inside = spans.filter((span) => span.start >= 0 && span.end <= text.length && span.start < span.end);
  const cuts = new Set([0, text.length]);
  for (const span of inside) {
    cuts.add(span.start);
    cuts.add(span.end);
  }
  const sorted = [...cuts].sort((a, b) => a - b);
  const pieces: Piece[] = [];
  for (let i = 0; i + 1 < sorted.length; ++i) {
    const start = sorted[i] ?? 0;
    const end = sorted[i + 1] ?? 0;
    pieces.push({ text: text.slice(start, end), spans: inside.filter((span) => span.start <= start && span.end >= end) });
  }
  return pieces;
}
