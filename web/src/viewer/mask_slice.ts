// Masks cut by a plane: dense for the slice on screen only, then outlines and fills as paths.

import type { Plane } from "./plane.ts";
import type { RunMask, Voxel } from "./runs.ts";

// Pixels from left,top of the plane's slice; values hold 1 + entity inside and 0 outside.
export interface MaskSlice {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly values: Uint32Array;
  readonly pixels: number;
}

export const empty_slice: MaskSlice = { left: 0, top: 0, width: 0, height: 0, values: new Uint32Array(0), pixels: 0 };

// Whether a plane's slice can hold anything of a mask.
export function touches(mask: RunMask, plane: Plane, slice: number): boolean {
  return !mask.empty && slice >= mask.box.low[plane.slice_axis] && slice < mask.box.high[plane.slice_axis];
}

// Cost: the box's rows, the runs of the slice and its pixels inside the box.
export function mask_slice(mask: RunMask, plane: Plane, slice: number): MaskSlice {
  if (!touches(mask, plane, slice)) return empty_slice;
  const { low, high } = mask.box;
  const one = plane.screen(low);
  const other = plane.screen([high[0] - 1, high[1] - 1, high[2] - 1]);
  const left = Math.min(one.column, other.column);
  const top = Math.min(one.row, other.row);
  const width = Math.abs(one.column - other.column) + 1;
  const height = Math.abs(one.row - other.row) + 1;
  const values = new Uint32Array(width * height);
  const [from, to]: [number[], number[]] = [[...low], [...high]];
  from[plane.slice_axis] = slice;
  to[plane.slice_axis] = slice + 1;
  const x_step = plane.column_axis === 0 ? (plane.columns_reversed ? -1 : 1) : plane.row_axis === 0 ? (plane.rows_reversed ? -width : width) : 0;
  let pixels = 0;
  for (let z = from[2]!; z < to[2]!; ++z) {
    for (let y = from[1]!; y < to[1]!; ++y) {
      const runs = mask.row(y, z);
      if (runs.from === runs.to) continue;
      const origin = plane.screen([0, y, z]);
      const base = origin.column - left + width * (origin.row - top);
      for (let run = runs.from; run < runs.to; ++run) {
        const begin = Math.max(mask.begin[run]!, from[0]!);
        const end = Math.min(mask.end[run]!, to[0]!);
        const value = 1 + (mask.entity === null ? 0 : mask.entity[run]!);
        for (let x = begin; x < end; ++x) {
          values[base + x * x_step] = value;
          ++pixels;
        }
      }
    }
  }
  return pixels === 0 ? empty_slice : { left, top, width, height, values, pixels };
}

export interface PathSink {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

// Borders between pixels of different value, in pixels of the plane, as loops where they close: one moveTo for each
// loop, so that dashes run around a lesion instead of starting over at each voxel.
export function trace_outline(slice: MaskSlice, sink: PathSink): void {
  const { width, height, values, left, top } = slice;
  const at = (c: number, r: number): number => (c < 0 || r < 0 || c >= width || r >= height ? 0 : values[r * width + c]!);
  // Each inside pixel is walked with its inside on the right hand; an edge leaves a corner in one of 4 directions.
  const stride = width + 1;
  const leaving = new Map<number, number[]>();
  const add = (c: number, r: number, direction: number): void => {
    const corner = r * stride + c;
    const list = leaving.get(corner);
    if (list === undefined) leaving.set(corner, [direction]);
    else list.push(direction);
  };
  for (let r = 0; r < height; ++r) {
    for (let c = 0; c < width; ++c) {
      const value = at(c, r);
      if (value === 0) continue;
      if (at(c, r - 1) !== value) add(c, r, 0);
      if (at(c + 1, r) !== value) add(c + 1, r, 1);
      if (at(c, r + 1) !== value) add(c + 1, r + 1, 2);
      if (at(c - 1, r) !== value) add(c, r + 1, 3);
    }
  }
  const dc = [1, 0, -1, 0];
  const dr = [0, 1, 0, -1];
  for (const [first, directions] of leaving) {
    while (directions.length > 0) {
      let direction = directions.pop()!;
      let c = first % stride;
      let r = (first - c) / stride;
      sink.moveTo(left + c, top + r);
      for (;;) {
        c += dc[direction]!;
        r += dr[direction]!;
        const corner = r * stride + c;
        const next = corner === first && directions.length === 0 ? undefined : leaving.get(corner);
        if (next === undefined || next.length === 0) {
          sink.lineTo(left + c, top + r);
          break;
        }
        // The sharpest right turn keeps to the same pixel where two touch at a corner only.
        const previous = direction;
        const turn = [1, 0, 3].map((t) => (previous + t) % 4).find((d) => next.includes(d)) ?? next[0]!;
        next.splice(next.indexOf(turn), 1);
        if (turn !== previous) sink.lineTo(left + c, top + r);
        direction = turn;
      }
    }
  }
}

export interface RectangleSink {
  rect(x: number, y: number, width: number, height: number): void;
}

// The inside as rectangles one pixel high.
export function trace_fill(slice: MaskSlice, sink: RectangleSink): void {
  const { width, height, values, left, top } = slice;
  for (let r = 0; r < height; ++r) {
    for (let c = 0; c < width; ++c) {
      if (values[r * width + c] === 0) continue;
      const begin = c;
      while (c < width && values[r * width + c] !== 0) ++c;
      sink.rect(left + begin, top + r, c - begin, 1);
    }
  }
}

// A voxel of the mask to look at it from: on the axial slice with most of it, in the run that is longest and, among
// those, nearest to the middle of what that slice holds. Undefined where the mask is empty. `axis` is the slice axis
// of axial planes.
export function place_of(mask: RunMask, plane: Plane, entity = 0): Voxel | undefined {
  const slice = fullest_slice(mask, plane, entity);
  if (slice === undefined) return undefined;
  const cut = mask_slice(mask, plane, slice);
  const wanted = (value: number): boolean => value !== 0 && (entity === 0 || value === entity + 1);
  let sum_c = 0;
  let sum_r = 0;
  let count = 0;
  for (let i = 0; i < cut.values.length; ++i) {
    if (!wanted(cut.values[i]!)) continue;
    sum_c += i % cut.width;
    sum_r += Math.floor(i / cut.width);
    ++count;
  }
  let best = -1;
  let least = Infinity;
  for (let i = 0; i < cut.values.length; ++i) {
    if (!wanted(cut.values[i]!)) continue;
    const distance = (i % cut.width - sum_c / count) ** 2 + (Math.floor(i / cut.width) - sum_r / count) ** 2;
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return plane.voxel({ column: cut.left + (best % cut.width), row: cut.top + Math.floor(best / cut.width), slice });
}

// The slice of a plane that holds most voxels of a mask; the lowest of equals.
export function fullest_slice(mask: RunMask, plane: Plane, entity = 0): number | undefined {
  if (mask.empty) return undefined;
  const axis = plane.slice_axis;
  const { low, high } = mask.box;
  const counts = new Float64Array(high[axis] - low[axis]);
  for (let z = low[2]; z < high[2]; ++z) {
    for (let y = low[1]; y < high[1]; ++y) {
      const { from, to } = mask.row(y, z);
      for (let run = from; run < to; ++run) {
        if (entity !== 0 && mask.entity !== null && mask.entity[run] !== entity) continue;
        const begin = mask.begin[run]!;
        const end = mask.end[run]!;
        if (axis === 2) counts[z - low[2]]! += end - begin;
        else if (axis === 1) counts[y - low[1]]! += end - begin;
        else for (let x = begin; x < end; ++x) counts[x - low[0]]! += 1;
      }
    }
  }
  let best = -1;
  for (let i = 0; i < counts.length; ++i) if (counts[i]! > 0 && (best < 0 || counts[i]! > counts[best]!)) best = i;
  return best < 0 ? undefined : best + low[axis];
}
