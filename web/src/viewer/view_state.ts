// What is on screen, as one value, and as the query of the address that brings it back.

import { parse_measures, words_of_measures, type Measure } from "./measure.ts";
import type { PlaneName } from "./plane.ts";
import type { Extent, Voxel } from "./runs.ts";
import { parse_window, window_words, type IntensityWindow } from "./windows.ts";

export type Show = "reference" | "prediction" | "difference";
export const shows: readonly Show[] = ["reference", "prediction", "difference"];
export type Layout = "mpr" | PlaneName | "three_d";
const layouts: readonly Layout[] = ["mpr", "axial", "coronal", "sagittal", "three_d"];
export type Tool = "crosshair" | "length" | "roi" | "probe";
export const slab_choices_mm: readonly number[] = [0, 5, 10];

// A step of a chain of places, both counted from 0.
export interface ChainPlace {
  readonly chain: number;
  readonly step: number;
}

export interface ViewState {
  readonly at: Voxel | null; // null until the grid is known
  readonly finding: number | null;
  readonly window: IntensityWindow;
  readonly inverted: boolean;
  readonly run: string | null;
  readonly versus: string | null;
  readonly show: Show;
  readonly layout: Layout;
  readonly slab_mm: number;
  readonly zoom: number;
  readonly overlay: boolean;
  readonly fill: boolean;
  readonly opacity: number;
  readonly hidden: ReadonlySet<number>;
  readonly organs: ReadonlySet<number>;
  readonly crosshair: boolean;
  readonly apart: number; // side by side: slices by which the second plane is ahead; 0 = together
  readonly together: boolean;
  readonly tool: Tool;
  readonly tab: string | null; // of the list beside the picture
  readonly region: string | null;
  readonly question: number | null;
  readonly step: ChainPlace | null;
  readonly measures: readonly Measure[];
}

export const first_state: ViewState = {
  at: null,
  finding: null,
  window: { centre_hu: -600, width_hu: 1500 },
  inverted: false,
  run: null,
  versus: null,
  show: "reference",
  layout: "mpr",
  slab_mm: 0,
  zoom: 1,
  overlay: true,
  fill: true,
  opacity: 0.12,
  hidden: new Set(),
  organs: new Set(),
  crosshair: true,
  apart: 0,
  together: true,
  tool: "crosshair",
  tab: null,
  region: null,
  question: null,
  step: null,
  measures: [],
};

const whole = (text: string | null, high: number): number | null => {
  if (text === null || !/^\d{1,6}$/.test(text)) return null;
  const value = Number(text);
  return value <= high ? value : null;
};

const list_of = (text: string | null): Set<number> =>
  new Set((text ?? "").split(",").map((word) => whole(word, 65535)).filter((n): n is number => n !== null));

function voxel_in(text: string | null): Voxel | null {
  const numbers = (text ?? "").split(",").map((word) => whole(word, 65535));
  return numbers.length === 3 && numbers.every((n) => n !== null) ? (numbers as [number, number, number]) : null;
}

function share_in(text: string | null): number | null {
  const value = Number(text ?? NaN);
  return value >= 0 && value <= 1 ? value : null;
}

// "2.4": the fourth step of the second chain.
function chain_place(text: string | null): ChainPlace | null {
  const found = /^(\d{1,4})\.(\d{1,3})$/.exec(text ?? "");
  if (found === null || Number(found[1]) === 0 || Number(found[2]) === 0) return null;
  return { chain: Number(found[1]) - 1, step: Number(found[2]) - 1 };
}

const one_of = <T extends string | number>(list: readonly T[], value: string | null): T | undefined =>
  list.find((known) => String(known) === value);

// Words that mean nothing are passed over: an old link still opens the case.
export function parse_state(query: URLSearchParams): ViewState {
  const window = parse_window(query.get("w") ?? "");
  const zoom = Number(query.get("zoom") ?? 1);
  const asked_apart = Number(query.get("apart") ?? 0);
  const apart = Number.isInteger(asked_apart) && Math.abs(asked_apart) < 65536 ? asked_apart : 0;
  const run = query.get("run");
  const show = one_of(shows, query.get("show") === "diff" ? "difference" : query.get("show"));
  return {
    ...first_state,
    at: voxel_in(query.get("at")),
    finding: whole(query.get("finding"), 1e6),
    window: window ?? first_state.window,
    inverted: query.get("invert") === "1",
    run,
    versus: query.get("vs"),
    show: show ?? (run === null ? "reference" : "difference"),
    layout: one_of(layouts, query.get("view")) ?? "mpr",
    slab_mm: one_of(slab_choices_mm, query.get("slab")) ?? 0,
    zoom: zoom >= 0.25 && zoom <= 32 ? zoom : 1,
    overlay: query.get("masks") !== "off",
    fill: query.get("fill") !== "off",
    hidden: list_of(query.get("hide")),
    organs: list_of(query.get("organs")),
    crosshair: query.get("cross") !== "off",
    apart,
    together: apart === 0,
    tab: /^[a-z]{1,20}$/.test(query.get("tab") ?? "") ? query.get("tab") : null,
    region: query.get("region") || null,
    question: whole(query.get("question"), 1e6),
    step: chain_place(query.get("step")),
    measures: parse_measures(query.get("measures") ?? ""),
    opacity: share_in(query.get("opacity")) ?? first_state.opacity,
  };
}

type Words = Record<string, string | null>;

// null where the state is what it is without a word. The run is always named, so that a link keeps meaning what it
// meant when another run is scored.
export function state_words(state: ViewState): Words {
  const set = (numbers: ReadonlySet<number>): string | null => (numbers.size === 0 ? null : [...numbers].sort((a, b) => a - b).join(","));
  return {
    finding: state.finding === null ? null : String(state.finding),
    at: state.at === null ? null : state.at.join(","),
    w: window_words(state.window),
    invert: state.inverted ? "1" : null,
    run: state.run,
    vs: state.versus,
    show: state.show === "difference" ? "diff" : state.show,
    view: state.layout === "mpr" ? null : state.layout,
    slab: state.slab_mm === 0 ? null : String(state.slab_mm),
    zoom: state.zoom === 1 ? null : state.zoom.toFixed(2),
    masks: state.overlay ? null : "off",
    fill: state.fill ? null : "off",
    hide: set(state.hidden),
    organs: set(state.organs),
    cross: state.crosshair ? null : "off",
    apart: state.apart === 0 ? null : String(state.apart),
    opacity: state.opacity === first_state.opacity ? null : String(Math.round(state.opacity * 100) / 100),
    measures: words_of_measures(state.measures),
    tab: state.tab,
    region: state.region,
    question: state.question === null ? null : String(state.question),
    step: state.step === null ? null : `${state.step.chain + 1}.${state.step.step + 1}`,
  };
}

// Commas stay readable.
export function query_words(words: Words): string {
  const pairs = Object.entries(words).filter((pair): pair is [string, string] => pair[1] !== null);
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`).join("&");
}

export function inside(extent: Extent, voxel: Voxel): boolean {
  return voxel.every((n, axis) => n >= 0 && n < extent[axis as 0 | 1 | 2]);
}
