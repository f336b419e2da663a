// A report cut into sentences, with what stages of curation marked in each.
import type { CaseNotes, NotedMark, Span } from "../api/types.ts";
import { places_of_bytes } from "./marks.ts";

export interface NotedSentence {
  readonly text: string;
  readonly regions: readonly NotedMark[]; // that the sentence as a whole was given to
  readonly marks: readonly NotedMark[]; // of words in it
  readonly spans: readonly Span[]; // of these marks, in the sentence
}

export interface NotedColumn {
  readonly column: string;
  readonly sentences: readonly NotedSentence[];
}

interface Placed {
  readonly mark: NotedMark;
  readonly start: number;
  readonly end: number;
}

const whole_sentences = new Set(["sentence", "region"]);

function placed_marks(text: string, marks: readonly NotedMark[]): Placed[] {
  const known = marks.filter((mark) => mark.begin !== null && mark.end !== null && mark.begin < mark.end);
  const places = places_of_bytes(text, known.flatMap((mark) => [mark.begin ?? 0, mark.end ?? 0]));
  return known.map((mark, i) => ({ mark, start: places[2 * i] ?? 0, end: Math.min(text.length, places[2 * i + 1] ?? 0) }));
}

// Where sentences begin: as stages cut them, else behind full stops.
function cuts_of(text: string, placed: readonly Placed[]): number[] {
  const given = placed.filter(({ mark }) => mark.kind === "sentence");
  const sentences = given.length > 0 ? given : placed.filter(({ mark }) => mark.kind === "region");
  const starts = sentences.length > 0 ? sentences.map(({ start }) => start) : [...text.matchAll(/[.!?]\s+(?=[A-Z])/g)].map((found) => found.index + found[0].length);
  return [...new Set([0, ...starts, text.length])].sort((a, b) => a - b);
}

function sentences_of(text: string, marks: readonly NotedMark[]): NotedSentence[] {
  const placed = placed_marks(text, marks);
  const cuts = cuts_of(text, placed);
  const out: NotedSentence[] = [];
  for (let i = 0; i + 1 < cuts.length; ++i) {
    const [begin, end] = [cuts[i]!, cuts[i + 1]!];
    const cut = text.slice(begin, end);
    if (cut.trim() === "") continue;
    const inside = placed.filter(({ start, end: stop }) => start < end && stop > begin);
    const words = inside.filter(({ mark }) => !whole_sentences.has(mark.kind));
    out.push({
      text: cut,
      regions: inside.filter(({ mark }) => mark.kind === "region").map(({ mark }) => mark),
      marks: words.map(({ mark }) => mark),
      spans: words.map(({ mark, start, end: stop }) => ({ start: Math.max(0, start - begin), end: Math.min(cut.length, stop - begin), kind: mark.kind, label: mark.label })),
    });
  }
  return out;
}

// Marks without a column belong to the first text.
export function noted_columns(notes: CaseNotes): NotedColumn[] {
  return notes.texts.map(({ column, text }, i) => {
    const marks = notes.marks.filter((mark) => mark.text === column || (mark.text === "" && i === 0));
    return { column, sentences: sentences_of(text, marks) };
  });
}

const words_in = (text: string): Set<string> => new Set(text.toLowerCase().match(/[a-z0-9]+/g) ?? []);
const least_shared = 0.6;

// The finding that a sentence states, by the words both have; null where none, or more than one, comes near.
export function finding_said(sentence: string, findings: readonly { index: number; text: string }[]): number | null {
  const said = words_in(sentence);
  const close = findings
    .map(({ index, text }) => {
      const words = words_in(text);
      const shared = [...words].filter((word) => said.has(word)).length;
      return { index, share: shared / Math.max(1, said.size + words.size - shared) };
    })
    .filter(({ share }) => share >= least_shared)
    .sort((a, b) => b.share - a.share);
  const [best, next] = close;
  return best === undefined || (next !== undefined && next.share === best.share) ? null : best.index;
}
