// A text cut at the ends of its spans, so that every piece lies wholly inside or outside each of them.
import type { Span } from "../api/types.ts";

export interface Piece {
  text: string;
  spans: Span[];
}

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

// The server counts bytes of UTF-8, a text here UTF-16 units: the place in the text of each byte offset.
export function places_of_bytes(text: string, offsets: number[]): number[] {
  if (/^[\0-\x7f]*$/.test(text)) return offsets;
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  return offsets.map((offset) => decoder.decode(bytes.subarray(0, Math.max(0, offset))).length);
}

export function span_of_bytes(text: string, span: { start: number; end: number }): { start: number; end: number } {
  const [start = 0, end = 0] = places_of_bytes(text, [span.start, span.end]);
  return { start, end };
}
