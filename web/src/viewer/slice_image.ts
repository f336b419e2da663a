// A slice of Hounsfield units as pixels on a canvas of its own, one pixel a voxel.

import type { Plane } from "./plane.ts";
import type { Volume } from "./volume.ts";
import { absent_hu } from "./volume.ts";

// Voxels that are not loaded are black and clear, so that a picture drawn below shows through.
export function shade(values: Int16Array, table: Uint32Array, pixels: Uint32Array): void {
  for (let i = 0; i < values.length; ++i) {
    const hu = values[i]!;
    pixels[i] = hu === absent_hu ? 0 : table[hu + 32768]!;
  }
}

export interface SliceWish {
  readonly volume: Volume;
  readonly plane: Plane;
  readonly slice: number;
  readonly slab_mm: number; // greatest value over this thickness; 0 = the slice alone
  readonly table: Uint32Array;
}

// Kept between redraws: a slice is cut again when another one is wanted, and shaded again when the window changes.
export class SliceImage {
  readonly canvas: HTMLCanvasElement;
  private cut = new Int16Array(0);
  private picture: ImageData | null = null;
  private cut_of = "";
  private shaded_with: Uint32Array | null = null;

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
  }

  draw(wish: SliceWish): void {
    const { volume, plane, slice, slab_mm, table } = wish;
    const name = `${plane.name} ${slice} ${slab_mm} ${volume.changes}`;
    const fresh = name !== this.cut_of || this.picture === null;
    if (!fresh && table === this.shaded_with) return;
    const picture = this.room(plane);
    if (fresh) volume.project(plane, slice, slab_mm, this.cut);
    shade(this.cut, table, new Uint32Array(picture.data.buffer));
    this.canvas.getContext("2d")?.putImageData(picture, 0, 0);
    this.cut_of = name;
    this.shaded_with = table;
  }

  private room(plane: Plane): ImageData {
    const { columns, rows } = plane;
    if (this.picture === null || this.picture.width !== columns || this.picture.height !== rows) {
      this.picture = new ImageData(columns, rows);
      this.cut = new Int16Array(columns * rows);
      this.canvas.width = columns;
      this.canvas.height = rows;
    }
    return this.picture;
  }
}
