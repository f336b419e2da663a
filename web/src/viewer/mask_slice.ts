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

// Runs of a slice, clipped to it, as [begin, end, y, z, 1 + entity]; used again by the next slice.
let clipped = new Int32Array(5 * 256);
const fields = 5;

// How many numbers of `clipped` are of this slice.
function clip_runs(mask: RunMask, plane: Plane, slice: number): number {
  const [from, to]: [number[], number[]] = [[...mask.box.low], [...mask.box.high]];
  from[plane.slice_axis] = slice;
  to[plane.slice_axis] = slice + 1;
  let count = 0;
  for (let z = from[2]!; z < to[2]!; ++z) {
    for (let y = from[1]!; y < to[1]!; ++y) {
      const last = mask.row_end(y, z);
      for (let run = mask.row_begin(y, z); run < last; ++run) {
        const begin = Math.max(mask.begin[run]!, from[0]!);
        const end = Math.min(mask.end[run]!, to[0]!);
        if (begin >= end) continue;
        if (count + fields > clipped.length) {
          const larger = new Int32Array(2 * clipped.length);
          larger.set(clipped);
          clipped = larger;
        }
        clipped[count++] = begin;
        clipped[count++] = end;
        clipped[count++] = y;
        clipped[count++] = z;
        clipped[count++] = 1 + (mask.entity === null ? 0 : mask.entity[run]!);
      }
    }
  }
  return count;
}

// The box of clipped runs; its upper corner belongs to it.
function clipped_box(count: number): [Voxel, Voxel] {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-1, -1, -1];
  for (let at = 0; at < count; at += fields) {
    low[0] = Math.min(low[0], clipped[at]!);
    high[0] = Math.max(high[0], clipped[at + 1]! - 1);
    for (const axis of [1, 2] as const) {
      const value = clipped[at + 1 + axis]!;
      if (value < low[axis]) low[axis] = value;
      if (value > high[axis]) high[axis] = value;
    }
  }
  return [low, high];
}

// Cost: the rows of the mask's box that the slice cuts, the runs of the slice and the pixels of its own box.
export function mask_slice(mask: RunMask, plane: Plane, slice: number): MaskSlice {
  if (!touches(mask, plane, slice)) return empty_slice;
  const count = clip_runs(mask, plane, slice);
  if (count === 0) return empty_slice;
  const [low, high] = clipped_box(count);
  const [one, other] = [plane.screen(low), plane.screen(high)];
  const left = Math.min(one.column, other.column);
  const top = Math.min(one.row, other.row);
  const width = Math.abs(one.column - other.column) + 1;
  const height = Math.abs(one.row - other.row) + 1;
  const values = new Uint32Array(width * height);
  const step_of = (axis: number): number =>
    plane.column_axis === axis ? (plane.columns_reversed ? -1 : 1) : plane.row_axis === axis ? (plane.rows_reversed ? -width : width) : 0;
  const [x_step, y_step, z_step] = [step_of(0), step_of(1), step_of(2)];
  const origin = one.column - left + width * (one.row - top);
  let pixels = 0;
  for (let at = 0; at < count; at += fields) {
    const [begin, end, value] = [clipped[at]!, clipped[at + 1]!, clipped[at + 4]!];
    let pixel = origin + x_step * (begin - low[0]) + y_step * (clipped[at + 2]! - low[1]) + z_step * (clipped[at + 3]! - low[2]);
    for (let x = begin; x < end; ++x, pixel += x_step) values[pixel] = value;
    pixels += end - begin;
  }
  return { left, top, width, height, values, pixels };
}

export interface PathSink {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

// The sides of every pixel beside another value, as the directions in which they leave the corners of pixels: bit 0 to
// the right, 1 down, 2 to the left, 3 up, with the inside on the right hand.
function border_of({ width, height, values }: MaskSlice): Uint8Array {
  const stride = width + 1;
  const out = new Uint8Array(stride * (height + 1));
  for (let r = 0, i = 0, corner = 0; r < height; ++r, ++corner) {
    for (let c = 0; c < width; ++c, ++i, ++corner) {
      const value = values[i]!;
      if (value === 0) continue;
      if (r === 0 || values[i - width] !== value) out[corner]! |= 1;
      if (c === width - 1 || values[i + 1] !== value) out[corner + 1]! |= 2;
      if (r === height - 1 || values[i + width] !== value) out[corner + stride + 1]! |= 4;
      if (c === 0 || values[i - 1] !== value) out[corner + stride]! |= 8;
    }
  }
  return out;
}

// For a direction walked: where to look next. A right turn first, which keeps to the same pixel where two touch at a
// corner only.
const turns: readonly (readonly number[])[] = [0, 1, 2, 3].map((d) => [(d + 1) % 4, d, (d + 3) % 4, (d + 2) % 4]);

// Borders between pixels of different value, in pixels of the plane, as loops: one moveTo for each loop, so that dashes
// run around a lesion instead of starting over at each voxel. Holes wind the other way: a fill leaves them out.
export function trace_outline(slice: MaskSlice, sink: PathSink): void {
  const stride = slice.width + 1;
  const leaving = border_of(slice);
  const step = [1, stride, -1, -stride] as const;
  for (let first = 0; first < leaving.length; ++first) {
    while (leaving[first] !== 0) {
      let direction = 31 - Math.clz32(leaving[first]! & -leaving[first]!);
      let corner = first;
      sink.moveTo(slice.left + (corner % stride), slice.top + Math.floor(corner / stride));
      for (;;) {
        leaving[corner]! &= ~(1 << direction);
        corner += step[direction]!;
        const open = leaving[corner]!;
        const next = corner === first && open === 0 ? undefined : turns[direction]!.find((turn) => (open & (1 << turn)) !== 0);
        if (next !== direction) sink.lineTo(slice.left + (corner % stride), slice.top + Math.floor(corner / stride));
        if (next === undefined) break;
        direction = next;
      }
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
