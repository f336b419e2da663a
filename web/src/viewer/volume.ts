// A CT as slabs of slices, each there or not yet, and planes cut through what is there.

import type { Plane, VolumeGrid } from "./plane.ts";
import type { SlabCoding } from "./slab_coding.ts";
import type { Extent, Voxel } from "./runs.ts";

export interface VolumeMeta {
  readonly dimensions: Extent;
  readonly spacing_mm: readonly number[];
  readonly affine: readonly number[];
  readonly axes: readonly string[];
  readonly range: readonly [number, number] | null; // null until the server has read all of it
  readonly slab: number;
  readonly slabs: number;
  readonly coding: readonly SlabCoding[]; // that slabs can be had in
  readonly pictures: boolean; // whether slices are drawn where slabs come from
}

// Values of voxels that are not loaded. No scanner writes it.
export const absent_hu = -32768;

// Slabs that cross the threshold are kept near the slice on screen only.
export const most_bytes = 1024 * 1024 * 1024;

export class Volume {
  private readonly slabs: (Int16Array | null)[];
  private loaded = 0;
  private changes_ = 0;
  readonly meta: VolumeMeta;

  constructor(meta: VolumeMeta) {
    this.meta = meta;
    this.slabs = new Array<Int16Array | null>(meta.slabs).fill(null);
  }

  get grid(): VolumeGrid {
    return { dimensions: this.meta.dimensions, affine: this.meta.affine, axes: this.meta.axes };
  }
  get slabs_loaded(): number {
    return this.loaded;
  }
  // Counts what came and went: a cut is good for as long as this stays.
  get changes(): number {
    return this.changes_;
  }
  get whole(): boolean {
    return this.loaded === this.meta.slabs;
  }
  get bytes(): number {
    const [nx, ny, nz] = this.meta.dimensions;
    return 2 * nx * ny * nz;
  }
  // Whether all of it may be in memory at once.
  get fits(): boolean {
    return this.bytes <= most_bytes;
  }

  slab_of(z: number): number {
    return Math.floor(z / this.meta.slab);
  }
  has(slab: number): boolean {
    return this.slabs[slab] != null;
  }
  voxels_of(slab: number): number {
    const [nx, ny, nz] = this.meta.dimensions;
    return nx * ny * (Math.min(nz, (slab + 1) * this.meta.slab) - slab * this.meta.slab);
  }

  put(slab: number, values: Int16Array): void {
    if (values.length !== this.voxels_of(slab)) throw new Error(`slab ${slab} has ${values.length} values instead of ${this.voxels_of(slab)}`);
    if (this.slabs[slab] == null) ++this.loaded;
    ++this.changes_;
    this.slabs[slab] = values;
  }
  // The least and the greatest value of what is loaded.
  range(): readonly [number, number] {
    if (this.meta.range !== null) return this.meta.range;
    let [low, high] = [32767, -32768];
    for (const values of this.slabs) {
      for (let i = 0; i < (values?.length ?? 0); ++i) {
        const hu = values![i]!;
        if (hu < low) low = hu;
        if (hu > high) high = hu;
      }
    }
    return low <= high ? [low, high] : [0, 1];
  }

  // All voxels in one array, which costs their size again.
  all(): Int16Array {
    const [nx, ny, nz] = this.meta.dimensions;
    const out = new Int16Array(nx * ny * nz);
    this.slabs.forEach((values, slab) => values != null && out.set(values, slab * this.meta.slab * nx * ny));
    return out;
  }
  drop(slab: number): void {
    if (this.slabs[slab] == null) return;
    --this.loaded;
    ++this.changes_;
    this.slabs[slab] = null;
  }

  // absent_hu outside and where nothing is loaded.
  hu([x, y, z]: Voxel): number {
    const [nx, ny, nz] = this.meta.dimensions;
    if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz) return absent_hu;
    const slab = this.slabs[this.slab_of(z)];
    return slab == null ? absent_hu : slab[x + nx * (y + ny * (z % this.meta.slab))]!;
  }

  // The slices of a plane that need a slab which is not there.
  covers(plane: Plane, slice: number): boolean {
    return plane.slice_axis === 2 ? this.has(this.slab_of(slice)) : this.whole;
  }

  // One slice as it lies on screen, rows from the top.
  cut(plane: Plane, slice: number, into: Int16Array = new Int16Array(plane.columns * plane.rows)): Int16Array {
    const [nx, ny] = this.meta.dimensions;
    const step = [1, nx, nx * ny] as const;
    const { columns, rows } = plane;
    // Both axes but z lie in one slab; z is walked slice by slice.
    for (let row = 0; row < rows; ++row) {
      if (plane.row_axis === 2 || plane.slice_axis === 2) this.cut_row(plane, slice, row, into, step);
    }
    if (plane.column_axis === 2) this.cut_columns(plane, slice, into, step);
    if (into.length !== columns * rows) throw new Error("a cut needs room for its plane");
    return into;
  }

  // A row of pixels in one slab.
  private cut_row(plane: Plane, slice: number, row: number, into: Int16Array, step: readonly [number, number, number]): void {
    const first = plane.voxel({ column: 0, row, slice });
    const values = this.slabs[this.slab_of(first[2])];
    const begin = row * plane.columns;
    if (values == null) {
      into.fill(absent_hu, begin, begin + plane.columns);
      return;
    }
    const stride = plane.columns_reversed ? -step[plane.column_axis] : step[plane.column_axis];
    let from = first[0] + step[1] * first[1] + step[2] * (first[2] % this.meta.slab);
    if (stride === 1) {
      into.set(values.subarray(from, from + plane.columns), begin);
      return;
    }
    for (let at = begin; at < begin + plane.columns; ++at, from += stride) into[at] = values[from]!;
  }

  // A column of pixels in one slab: for files whose z lies across the screen.
  private cut_columns(plane: Plane, slice: number, into: Int16Array, step: readonly [number, number, number]): void {
    for (let column = 0; column < plane.columns; ++column) {
      const first = plane.voxel({ column, row: 0, slice });
      const values = this.slabs[this.slab_of(first[2])];
      const stride = plane.rows_reversed ? -step[plane.row_axis] : step[plane.row_axis];
      let from = first[0] + step[1] * first[1] + step[2] * (first[2] % this.meta.slab);
      for (let at = column; at < into.length; at += plane.columns, from += stride) into[at] = values == null ? absent_hu : values[from]!;
    }
  }

  // The greatest value of a slab of slices as thick as wanted, centred on a slice.
  project(plane: Plane, slice: number, thickness_mm: number, into?: Int16Array): Int16Array {
    const out = this.cut(plane, slice, into);
    if (thickness_mm <= plane.slice_mm) return out;
    const reach = Math.max(1, Math.round((thickness_mm / plane.slice_mm - 1) / 2));
    const other = new Int16Array(out.length);
    for (let at = Math.max(0, slice - reach); at <= Math.min(plane.slices - 1, slice + reach); ++at) {
      if (at === slice) continue;
      this.cut(plane, at, other);
      for (let i = 0; i < out.length; ++i) if (other[i]! > out[i]!) out[i] = other[i]!;
    }
    return out;
  }
}

// The slab on screen first, then outward.
export function loading_order(slabs: number, first: number): number[] {
  const out: number[] = [];
  for (let reach = 0; out.length < slabs; ++reach) {
    if (first + reach < slabs && first + reach >= 0) out.push(first + reach);
    if (reach > 0 && first - reach >= 0 && first - reach < slabs) out.push(first - reach);
  }
  return out;
}
