// Regions are paths, "lung/left lung"; a sentence may stand at several of them.
import type { RegionText } from "../api/types.ts";

export const head_of = (region: string): string => region.split("/")[0] ?? region;

export interface PlacedText {
  text: string;
  places: string[]; // the shortest first
  organs: string[];
  answers: NonNullable<RegionText["answers"]>;
}

// Sentences that stand at several places of a region are shown once, with all of them.
export function placed_texts(regions: RegionText[]): PlacedText[] {
  const found = new Map<string, PlacedText>();
  for (const region of regions) {
    const key = `${head_of(region.region)}\n${region.text}`;
    const known = found.get(key);
    if (known) known.places.push(region.region);
    else found.set(key, { text: region.text, places: [region.region], organs: region.organs, answers: region.answers ?? [] });
  }
  for (const text of found.values()) text.places.sort((a, b) => a.length - b.length);
  return [...found.values()];
}

// Whether a question is about a region or a part of it.
export function is_about(question: { region: string | null; place?: string | null }, region: string): boolean {
  const place = question.place ?? question.region ?? "";
  return place === region || place.startsWith(`${region}/`) || (!region.includes("/") && question.region === region);
}
