// Lengths and regions of interest on one slice. All in voxels of the array and millimetres of its grid.

import type { Plane } from "./plane.ts";
import type { Volume } from "./volume.ts";
import { absent_hu } from "./volume.ts";

export interface PlanePoint {
  readonly column: number; // in pixels of the plane; a pixel's middle is at .5
  readonly row: number;
}

export interface Measure {
  readonly kind: "length" | "roi";
  readonly plane: Plane["name"];
  readonly slice: number;
  readonly from: PlanePoint;
  readonly to: PlanePoint;
}

export function length_mm(plane: Plane, from: PlanePoint, to: PlanePoint): number {
  return Math.hypot((to.column - from.column) * plane.column_mm, (to.row - from.row) * plane.row_mm);
}

export interface RegionValues {
  readonly n: number;
  readonly mean: number;
  readonly sd: number; // of a sample; 0 for a single voxel
  readonly least: number;
  readonly most: number;
  readonly area_mm2: number;
}

// Voxels whose middle lies in the ellipse between two corners; null where none does, or none is loaded.
export function region_values(volume: Volume, plane: Plane, measure: Measure): RegionValues | null {
  const middle_c = (measure.from.column + measure.to.column) / 2;
  const middle_r = (measure.from.row + measure.to.row) / 2;
  const half_c = Math.abs(measure.to.column - measure.from.column) / 2;
  const half_r = Math.abs(measure.to.row - measure.from.row) / 2;
  const values: number[] = [];
  for (let row = Math.max(0, Math.floor(middle_r - half_r)); row < Math.min(plane.rows, middle_r + half_r); ++row) {
    for (let column = Math.max(0, Math.floor(middle_c - half_c)); column < Math.min(plane.columns, middle_c + half_c); ++column) {
      const inside = ((column + 0.5 - middle_c) / half_c) ** 2 + ((row + 0.5 - middle_r) / half_r) ** 2 <= 1;
      if (!inside) continue;
      const hu = volume.hu(plane.voxel({ column, row, slice: measure.slice }));
      if (hu !== absent_hu) values.push(hu);
    }
  }
  if (values.length === 0) return null;
  const n = values.length;
  const mean = values.reduce((sum, hu) => sum + hu, 0) / n;
  const spread = values.reduce((sum, hu) => sum + (hu - mean) ** 2, 0);
  return {
    n,
    mean,
    sd: n > 1 ? Math.sqrt(spread / (n - 1)) : 0,
    least: values.reduce((low, hu) => Math.min(low, hu)),
    most: values.reduce((high, hu) => Math.max(high, hu)),
    area_mm2: n * plane.column_mm * plane.row_mm,
  };
}

export function measure_words(volume: Volume | null, plane: Plane, measure: Measure): string {
  if (measure.kind === "length") return `${length_mm(plane, measure.from, measure.to).toFixed(1)} mm`;
  const values = volume === null ? null : region_values(volume, plane, measure);
  if (values === null) return "no voxels";
  return `mean ${values.mean.toFixed(0)} HU, sd ${values.sd.toFixed(0)}, n ${values.n}`;
}

const most_measures = 20;

// "length-axial-58-12.5_40.0_60.5_41.0": kind, plane, slice and two points, a comma between measures.
export function words_of_measures(measures: readonly Measure[]): string | null {
  const point = ({ column, row }: PlanePoint): string => `${column.toFixed(1)}_${row.toFixed(1)}`;
  return measures.length === 0 ? null : measures.slice(-most_measures).map(({ kind, plane, slice, from, to }) => `${kind}-${plane}-${slice}-${point(from)}_${point(to)}`).join(",");
}

export function parse_measures(words: string): Measure[] {
  const form = /^(length|roi)-(axial|coronal|sagittal)-(\d{1,6})-(-?\d{1,6}\.\d)_(-?\d{1,6}\.\d)_(-?\d{1,6}\.\d)_(-?\d{1,6}\.\d)$/;
  return words.split(",").slice(0, most_measures).flatMap((word): Measure[] => {
    const found = form.exec(word);
    if (found === null) return [];
    const [, kind, plane, slice, ...numbers] = found;
    const [a, b, c, d] = numbers.map(Number) as [number, number, number, number];
    return [{ kind: kind as Measure["kind"], plane: plane as Measure["plane"], slice: Number(slice), from: { column: a, row: b }, to: { column: c, row: d } }];
  });
}
