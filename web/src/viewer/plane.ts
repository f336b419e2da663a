// How the slices of an array lie on a screen: the patient's right on the left, anterior on top, and in sagittal
// slices anterior on the left. Oblique grids are drawn along their nearest axes.

import type { Extent, Voxel } from "./runs.ts";

export type PlaneName = "axial" | "coronal" | "sagittal";
export const plane_names: readonly PlaneName[] = ["axial", "coronal", "sagittal"];

export type Axis = 0 | 1 | 2;

// Rows of 4, voxel index to millimetres in the RAS+ world of NIfTI.
export type AffineNumbers = readonly number[];

export interface VolumeGrid {
  readonly dimensions: Extent;
  readonly affine: AffineNumbers;
  readonly axes?: readonly string[]; // where each index grows, where the server has said so
}

// The positive ends of the world's axes.
const positive_letters = ["R", "A", "S"] as const;
const opposite: Readonly<Record<string, string>> = { R: "L", L: "R", A: "P", P: "A", S: "I", I: "S" };

function column(affine: AffineNumbers, axis: number): [number, number, number] {
  return [affine[axis]!, affine[4 + axis]!, affine[8 + axis]!];
}

const length = (v: readonly number[]): number => Math.hypot(v[0]!, v[1]!, v[2]!);

// The three voxel edges in millimetres; 1 where an affine has none.
export function spacing_of(affine: AffineNumbers): [number, number, number] {
  const edge = (axis: number) => {
    const mm = length(column(affine, axis));
    return Number.isFinite(mm) && mm > 0 ? mm : 1;
  };
  return [edge(0), edge(1), edge(2)];
}

const orders: readonly (readonly [Axis, Axis, Axis])[] = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

function determinant(a: AffineNumbers): number {
  const minor = (c1: number, c2: number): number => a[4 + c1]! * a[8 + c2]! - a[4 + c2]! * a[8 + c1]!;
  return a[0]! * minor(1, 2) - a[1]! * minor(0, 2) + a[2]! * minor(0, 1);
}

// The letter of the direction in which each index grows, of the assignment of axes that fits best. An array of which
// no header says how it lies is taken for left, posterior, superior.
export function axis_letters(affine: AffineNumbers): [string, string, string] {
  const volume = determinant(affine);
  if (!Number.isFinite(volume) || volume === 0) return ["L", "P", "S"];
  const unit = [0, 1, 2].map((axis) => {
    const v = column(affine, axis);
    const l = length(v) || 1;
    return v.map((n) => n / l);
  });
  let best = orders[0]!;
  let most = -1;
  for (const order of orders) {
    const fit = order.reduce<number>((sum, world, axis) => sum + Math.abs(unit[axis]![world]!), 0);
    if (fit > most + 1e-9) {
      most = fit;
      best = order;
    }
  }
  return [0, 1, 2].map((axis) => {
    const world = best[axis as Axis];
    const positive = positive_letters[world];
    return unit[axis]![world]! < 0 ? opposite[positive]! : positive;
  }) as [string, string, string];
}

// Degrees between the voxel axes and the body"s, at most.
export function obliqueness(affine: AffineNumbers): number {
  let worst = 0;
  for (let axis = 0; axis < 3; ++axis) {
    const v = column(affine, axis);
    const l = length(v);
    if (l > 0) worst = Math.max(worst, Math.acos(Math.min(1, Math.max(...v.map(Math.abs)) / l)));
  }
  return (worst * 180) / Math.PI;
}

export interface Screen {
  readonly column: number;
  readonly row: number;
  readonly slice: number;
}

export interface PlaneLetters {
  readonly left: string;
  readonly right: string;
  readonly top: string;
  readonly bottom: string;
}

// What lies to the left and on top of each plane's screen, and where its first slice is.
const screens: Readonly<Record<PlaneName, { left: string; top: string; first: string }>> = {
  axial: { left: "R", top: "A", first: "S" },
  coronal: { left: "R", top: "S", first: "A" },
  sagittal: { left: "A", top: "S", first: "R" },
};

// One plane through a volume. Slices are counted as the array stores them, so that "slice 36" is the same number
// here, in the files and in every table.
export class Plane {
  readonly name: PlaneName;
  readonly grid: VolumeGrid;
  readonly column_axis: Axis;
  readonly row_axis: Axis;
  readonly slice_axis: Axis;
  readonly columns_reversed: boolean;
  readonly rows_reversed: boolean;
  // How the slice index changes on the way to the feet, to the back or to the patient's left: where the wheel goes.
  readonly onward: 1 | -1;
  readonly column_mm: number;
  readonly row_mm: number;
  readonly slice_mm: number;

  constructor(name: PlaneName, grid: VolumeGrid) {
    this.name = name;
    this.grid = grid;
    const axes = grid.axes?.length === 3 ? grid.axes : axis_letters(grid.affine);
    const screen = screens[name];
    const along = (letter: string): Axis => axes.findIndex((a) => a === letter || a === opposite[letter]) as Axis;
    this.column_axis = along(screen.left);
    this.row_axis = along(screen.top);
    this.slice_axis = along(screen.first);
    this.columns_reversed = axes[this.column_axis] === screen.left;
    this.rows_reversed = axes[this.row_axis] === screen.top;
    this.onward = axes[this.slice_axis] === screen.first ? -1 : 1;
    const mm = spacing_of(grid.affine);
    this.column_mm = mm[this.column_axis];
    this.row_mm = mm[this.row_axis];
    this.slice_mm = mm[this.slice_axis];
  }

  get columns(): number {
    return this.grid.dimensions[this.column_axis];
  }
  get rows(): number {
    return this.grid.dimensions[this.row_axis];
  }
  get slices(): number {
    return this.grid.dimensions[this.slice_axis];
  }
  get width_mm(): number {
    return this.columns * this.column_mm;
  }
  get height_mm(): number {
    return this.rows * this.row_mm;
  }

  get letters(): PlaneLetters {
    const { left, top } = screens[this.name];
    return { left, right: opposite[left]!, top, bottom: opposite[top]! };
  }

  voxel(at: Screen): Voxel {
    const out: [number, number, number] = [0, 0, 0];
    out[this.column_axis] = this.columns_reversed ? this.columns - 1 - at.column : at.column;
    out[this.row_axis] = this.rows_reversed ? this.rows - 1 - at.row : at.row;
    out[this.slice_axis] = at.slice;
    return out;
  }

  // Where a place in voxels lies on the screen, in pixels of the plane: a pixel's middle is at .5.
  point(voxels: readonly number[]): { column: number; row: number } {
    const c = voxels[this.column_axis]! + 0.5;
    const r = voxels[this.row_axis]! + 0.5;
    return { column: this.columns_reversed ? this.columns - c : c, row: this.rows_reversed ? this.rows - r : r };
  }

  screen(voxel: Voxel): Screen {
    const c = voxel[this.column_axis];
    const r = voxel[this.row_axis];
    return {
      column: this.columns_reversed ? this.columns - 1 - c : c,
      row: this.rows_reversed ? this.rows - 1 - r : r,
      slice: voxel[this.slice_axis],
    };
  }
}

export function planes_of(grid: VolumeGrid): Record<PlaneName, Plane> {
  return { axial: new Plane("axial", grid), coronal: new Plane("coronal", grid), sagittal: new Plane("sagittal", grid) };
}

export function world_mm(affine: AffineNumbers, voxel: Voxel): [number, number, number] {
  const row = (r: number) => affine[4 * r]! * voxel[0] + affine[4 * r + 1]! * voxel[1] + affine[4 * r + 2]! * voxel[2] + affine[4 * r + 3]!;
  return [row(0), row(1), row(2)];
}

// A place of the world in voxels; a voxel's middle is at a whole number.
export function place_in_voxels(grid: VolumeGrid, mm: readonly number[]): [number, number, number] {
  const a = grid.affine;
  const m = [0, 1, 2].map((r) => [a[4 * r]!, a[4 * r + 1]!, a[4 * r + 2]!]) as [number[], number[], number[]];
  const b = [0, 1, 2].map((r) => mm[r]! - a[4 * r + 3]!);
  const minor = (r: number, c: number): number => {
    const [r1, r2] = [(r + 1) % 3, (r + 2) % 3];
    const [c1, c2] = [(c + 1) % 3, (c + 2) % 3];
    return m[r1]![c1]! * m[r2]![c2]! - m[r1]![c2]! * m[r2]![c1]!;
  };
  const determinant = m[0]![0]! * minor(0, 0) + m[0]![1]! * minor(0, 1) + m[0]![2]! * minor(0, 2);
  return [0, 1, 2].map((axis) => {
    return (minor(0, axis) * b[0]! + minor(1, axis) * b[1]! + minor(2, axis) * b[2]!) / determinant;
  }) as [number, number, number];
}

// The nearest voxel of a place, clamped to the grid.
export function voxel_of(grid: VolumeGrid, mm: readonly number[]): Voxel {
  return place_in_voxels(grid, mm).map((value, axis) => clamp(Math.round(value), 0, grid.dimensions[axis as Axis] - 1)) as [number, number, number];
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
