// Masks drawn over a slice: crisp at every zoom, told apart by more than colour.
//
// One rule everywhere: the reference is blue, the prediction is orange, agreement is white. Findings have colours of
// their own where no prediction is held against them, with their number beside the outline.

import { mask_slice, touches, trace_outline, type MaskSlice } from "./mask_slice.ts";
import type { Plane } from "./plane.ts";
import type { RunMask } from "./runs.ts";

export const finding_colours = ["#56B4E9", "#009E73", "#F0E442", "#CC79A7", "#0072B2", "#E69F00", "#D55E00", "#C8C8C8"] as const;
export const both_colour = "#F0F0F0";
export const missed_colour = "#56B4E9";
export const extra_colour = "#E69F00";

export const colour_of = (index: number): string => finding_colours[index % finding_colours.length]!;

// Hues of organs: far apart for neighbours in the list.
export function organ_colour(number: number): string {
  return `hsl(${Math.round((number * 137.508) % 360)} 55% 65%)`;
}

export type LayerStyle = "plain" | "both" | "missed" | "extra";

export interface Layer {
  readonly mask: RunMask;
  readonly colour: string;
  readonly style: LayerStyle;
  readonly label: string; // beside the outline; "" for none
  readonly strong: boolean; // what is selected
}

// Where a number stands, in device pixels.
interface Place {
  readonly label: string;
  readonly x: number;
  readonly y: number;
}

interface Traced {
  readonly outline: Path2D; // closed loops, holes the other way round: what is filled, too
  readonly labels: readonly { text: string; column: number; row: number }[];
}

// Where an entity of a slice is named: its topmost pixel.
function label_places(slice: MaskSlice, label: string, named: boolean): Traced["labels"] {
  if (label === "") return [];
  const found = new Map<number, { text: string; column: number; row: number }>();
  let last = 0; // pixels of a run look it up once
  for (let i = 0; i < slice.values.length && (named || found.size === 0); ++i) {
    const value = slice.values[i]!;
    if (value === last || value === 0) continue;
    last = value;
    const key = named ? value : 1;
    if (found.has(key)) continue;
    const text = named && value > 1 ? `${label}·${value - 1}` : label;
    found.set(key, { text, column: slice.left + (i % slice.width), row: slice.top + Math.floor(i / slice.width) });
  }
  return [...found.values()];
}

function traced(mask: RunMask, plane: Plane, slice: number, label: string): Traced {
  const cut = mask_slice(mask, plane, slice);
  const outline = new Path2D();
  trace_outline(cut, outline);
  return { outline, labels: label_places(cut, label, mask.entities().length > 1) };
}

const number_reach = 60; // CSS pixels
const most_kept = 2000;
const fault_strength = 2.5; // how much fuller faults are drawn than findings

// Outlines that were drawn before, by mask and slice: zooming and going back cost nothing.
export class OutlineStore {
  private readonly kept = new Map<string, Traced>();
  private readonly numbers = new WeakMap<RunMask, number>();
  private count = 0;

  of(layer: Layer, plane: Plane, slice: number): Traced {
    let number = this.numbers.get(layer.mask);
    if (number === undefined) this.numbers.set(layer.mask, (number = this.count++));
    const name = `${number} ${plane.name} ${slice} ${layer.label}`;
    let found = this.kept.get(name);
    if (found === undefined) {
      if (this.kept.size >= most_kept) this.kept.clear();
      this.kept.set(name, (found = traced(layer.mask, plane, slice, layer.label)));
    }
    return found;
  }
}

function hatching(context: CanvasRenderingContext2D, colour: string, ratio: number): CanvasPattern | null {
  const side = Math.max(4, Math.round(6 * ratio));
  const tile = document.createElement("canvas");
  tile.width = tile.height = side;
  const pen = tile.getContext("2d");
  if (pen === null) return null;
  pen.strokeStyle = colour;
  pen.lineWidth = Math.max(1, ratio);
  pen.beginPath();
  for (const shift of [-side, 0, side]) {
    pen.moveTo(shift - 1, side + 1);
    pen.lineTo(shift + side + 1, -1);
  }
  pen.stroke();
  return context.createPattern(tile, "repeat");
}

export interface OverlayStyle {
  readonly fill: boolean;
  readonly opacity: number; // of fills, 0..1
  readonly ratio: number; // device pixels a CSS pixel
}

export class OverlayPainter {
  private readonly store: OutlineStore;
  private readonly hatches = new Map<string, CanvasPattern | null>();

  constructor(store: OutlineStore) {
    this.store = store;
  }

  // `place` takes pixels of the plane to device pixels.
  draw(context: CanvasRenderingContext2D, layers: readonly Layer[], plane: Plane, slice: number, place: DOMMatrix, style: OverlayStyle): void {
    const shown = layers.filter((layer) => touches(layer.mask, plane, slice));
    const ordered = [...shown.filter((layer) => !layer.strong), ...shown.filter((layer) => layer.strong)];
    const parts = ordered.map((layer) => ({ layer, traced: this.store.of(layer, plane, slice) }));
    context.save();
    for (const { layer, traced: shape } of parts) this.fill(context, layer, shape, place, style);
    context.lineJoin = "round";
    for (const { layer, traced: shape } of parts) this.outline(context, layer, shape, place, style);
    const named: Place[] = [];
    for (const { layer, traced: shape } of parts) this.name(context, layer, shape, place, style, named);
    context.restore();
  }

  private fill(context: CanvasRenderingContext2D, layer: Layer, shape: Traced, place: DOMMatrix, style: OverlayStyle): void {
    if (layer.style === "both" || !style.fill) return;
    const path = new Path2D();
    path.addPath(shape.outline, place);
    const strength = layer.style === "plain" ? (layer.strong ? 1.5 : 1) : fault_strength;
    context.globalAlpha = Math.min(1, style.opacity * strength);
    context.fillStyle = layer.colour;
    context.fill(path);
    const hatch = layer.style === "missed" ? this.hatch(context, layer.colour, style.ratio) : null;
    if (hatch !== null) {
      context.globalAlpha = Math.min(1, 0.25 + 2 * style.opacity);
      context.fillStyle = hatch;
      context.fill(path);
    }
    context.globalAlpha = 1;
  }

  private outline(context: CanvasRenderingContext2D, layer: Layer, shape: Traced, place: DOMMatrix, style: OverlayStyle): void {
    const path = new Path2D();
    path.addPath(shape.outline, place);
    const width = (layer.style === "plain" ? (layer.strong ? 2 : 1.5) : layer.strong ? 1.25 : 1) * style.ratio;
    context.setLineDash([]);
    if (layer.style === "plain" || layer.style === "both") {
      context.strokeStyle = "rgb(0 0 0 / 0.7)"; // a casing would hide faults of a voxel's width
      context.lineWidth = width + 1.5 * style.ratio;
      context.stroke(path);
    }
    if (layer.style === "extra") context.setLineDash([4 * style.ratio, 3 * style.ratio]);
    context.strokeStyle = layer.colour;
    context.lineWidth = width;
    context.stroke(path);
    context.setLineDash([]);
  }

  private name(context: CanvasRenderingContext2D, layer: Layer, shape: Traced, place: DOMMatrix, style: OverlayStyle, named: Place[]): void {
    context.font = `600 ${Math.round(11 * style.ratio)}px system-ui, sans-serif`;
    context.textBaseline = "bottom";
    for (const { text, column, row } of shape.labels) {
      const x = place.a * column + place.e;
      const y = place.d * row + place.f - 3 * style.ratio;
      // Parts of a difference that lie together share their number.
      const near = layer.style !== "plain" && named.some((one) => one.label === layer.label && Math.hypot(one.x - x, one.y - y) < number_reach * style.ratio);
      if (near) continue;
      named.push({ label: layer.label, x, y });
      context.strokeStyle = "rgb(0 0 0 / 0.8)";
      context.lineWidth = 3 * style.ratio;
      context.strokeText(text, x, y);
      context.fillStyle = layer.style === "plain" ? layer.colour : both_colour;
      context.fillText(text, x, y);
    }
  }

  private hatch(context: CanvasRenderingContext2D, colour: string, ratio: number): CanvasPattern | null {
    const name = `${colour} ${ratio}`;
    let found = this.hatches.get(name);
    if (found === undefined) this.hatches.set(name, (found = hatching(context, colour, ratio)));
    return found;
  }
}
