// One plane on one canvas: where it lies, and how it is drawn. The picture is the browser's to scale; everything
// drawn over it is drawn at the screen's own resolution.

import { measure_words, type Measure, type PlanePoint } from "./measure.ts";
import type { Layer, OverlayPainter } from "./overlay.ts";
import { clamp, place_in_voxels, type Plane } from "./plane.ts";
import type { Voxel } from "./runs.ts";
import { SliceImage } from "./slice_image.ts";
import type { Volume } from "./volume.ts";

// What is drawn while the slabs are on their way: the server's own picture of one slice.
export interface FirstPicture {
  readonly image: CanvasImageSource;
  readonly plane: Plane["name"];
  readonly slice: number;
}

// Opposite corners in millimetres of the world.
export interface WorldBox {
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly label: string;
}

export interface Scene {
  readonly volume: Volume | null;
  readonly first: FirstPicture | null;
  readonly at: Voxel;
  readonly slice: number;
  readonly table: Uint32Array;
  readonly slab_mm: number;
  readonly layers: readonly Layer[];
  readonly fill: boolean;
  readonly opacity: number;
  readonly crosshair: "bright" | "dim" | "off";
  readonly box: WorldBox | null;
  readonly measures: readonly Measure[];
}

const least_zoom = 0.25;
const most_zoom = 32;
const fit_share = 0.98;
const hole_pixels = 12;
const box_colour = "#F0E442"; // of boxes and measures

export class Viewport {
  readonly canvas: HTMLCanvasElement;
  private plane_: Plane;
  private readonly image: SliceImage;
  private readonly overlay: OverlayPainter;
  private zoom_ = 1;
  private middle: PlanePoint;
  private width = 0; // CSS pixels
  private height = 0;
  private ratio = 1;

  constructor(canvas: HTMLCanvasElement, plane: Plane, overlay: OverlayPainter) {
    this.canvas = canvas;
    this.plane_ = plane;
    this.overlay = overlay;
    this.image = new SliceImage(document.createElement("canvas"));
    this.middle = { column: plane.columns / 2, row: plane.rows / 2 };
  }

  get plane(): Plane {
    return this.plane_;
  }
  get zoom(): number {
    return this.zoom_;
  }

  turn_to(plane: Plane): void {
    if (plane === this.plane_) return;
    this.plane_ = plane;
    this.fit();
  }

  resize(width: number, height: number, ratio: number): void {
    if (width === this.width && height === this.height && ratio === this.ratio) return;
    [this.width, this.height, this.ratio] = [width, height, ratio];
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
  }

  fit(): void {
    this.zoom_ = 1;
    this.middle = { column: this.plane_.columns / 2, row: this.plane_.rows / 2 };
  }

  // CSS pixels a millimetre.
  private get scale(): number {
    return fit_share * this.zoom_ * Math.min(this.width / this.plane_.width_mm, this.height / this.plane_.height_mm);
  }

  // Keeps what is under a point of the canvas in its place.
  zoom_to(zoom: number, x: number, y: number): void {
    const before = this.point(x, y);
    this.zoom_ = clamp(zoom, least_zoom, most_zoom);
    const after = this.point(x, y);
    this.middle = { column: this.middle.column + before.column - after.column, row: this.middle.row + before.row - after.row };
  }

  pan(dx: number, dy: number): void {
    const { column_mm, row_mm } = this.plane_;
    this.middle = { column: this.middle.column - dx / (this.scale * column_mm), row: this.middle.row - dy / (this.scale * row_mm) };
  }

  // The same look at the same plane, for planes that move together.
  follow(other: Viewport): void {
    this.zoom_ = other.zoom_;
    this.middle = other.middle;
  }

  look_at(voxel: Voxel, zoom: number): void {
    this.zoom_ = clamp(zoom, least_zoom, most_zoom);
    const { column, row } = this.plane_.screen(voxel);
    if (this.zoom_ > 1) this.middle = { column: column + 0.5, row: row + 0.5 };
  }

  // CSS pixels of the canvas to pixels of the plane, and back.
  point(x: number, y: number): PlanePoint {
    const { column_mm, row_mm } = this.plane_;
    return {
      column: this.middle.column + (x - this.width / 2) / (this.scale * column_mm),
      row: this.middle.row + (y - this.height / 2) / (this.scale * row_mm),
    };
  }
  pixel(point: PlanePoint): { x: number; y: number } {
    const { column_mm, row_mm } = this.plane_;
    return {
      x: this.width / 2 + (point.column - this.middle.column) * this.scale * column_mm,
      y: this.height / 2 + (point.row - this.middle.row) * this.scale * row_mm,
    };
  }

  // The voxel under a place of the canvas; the nearest one outside of the picture.
  voxel(x: number, y: number, slice: number): Voxel {
    const { column, row } = this.point(x, y);
    const { columns, rows } = this.plane_;
    return this.plane_.voxel({ column: clamp(Math.floor(column), 0, columns - 1), row: clamp(Math.floor(row), 0, rows - 1), slice });
  }

  private placement(): DOMMatrix {
    const { column_mm, row_mm } = this.plane_;
    const origin = this.pixel({ column: 0, row: 0 });
    const scale = this.scale * this.ratio;
    return new DOMMatrix([scale * column_mm, 0, 0, scale * row_mm, origin.x * this.ratio, origin.y * this.ratio]);
  }

  draw(scene: Scene): void {
    const context = this.canvas.getContext("2d", { alpha: false });
    if (context === null || this.width === 0) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = "#000";
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    const place = this.placement();
    this.draw_picture(context, scene, place);
    if (scene.layers.length > 0) {
      const style = { fill: scene.fill, opacity: scene.opacity, ratio: this.ratio };
      this.overlay.draw(context, scene.layers, this.plane_, scene.slice, place, style);
    }
    if (scene.box !== null) this.draw_box(context, scene, scene.box);
    if (scene.crosshair !== "off") this.draw_crosshair(context, scene);
    for (const measure of scene.measures) this.draw_measure(context, scene, measure);
  }

  private draw_picture(context: CanvasRenderingContext2D, scene: Scene, place: DOMMatrix): void {
    context.setTransform(place);
    context.imageSmoothingEnabled = true;
    const { columns, rows } = this.plane_;
    const { first, volume } = scene;
    const covered = volume !== null && volume.covers(this.plane_, scene.slice);
    if (!covered && first !== null && first.plane === this.plane_.name && first.slice === scene.slice) {
      context.drawImage(first.image, 0, 0, columns, rows);
    }
    if (volume !== null && volume.slabs_loaded > 0) {
      this.image.draw({ volume, plane: this.plane_, slice: scene.slice, slab_mm: scene.slab_mm, table: scene.table });
      context.drawImage(this.image.canvas, 0, 0, columns, rows);
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
  }

  // Two lines with a hole, so that they never hide what they point at.
  private draw_crosshair(context: CanvasRenderingContext2D, scene: Scene): void {
    const { column, row } = this.plane_.screen(scene.at);
    const { x, y } = this.pixel({ column: column + 0.5, row: row + 0.5 });
    const [px, py, hole] = [Math.round(x * this.ratio), Math.round(y * this.ratio), hole_pixels * this.ratio];
    const { width, height } = this.canvas;
    context.globalAlpha = scene.crosshair === "bright" ? 0.85 : 0.4;
    context.fillStyle = "#6CB6FF";
    const thick = Math.max(1, Math.round(this.ratio));
    context.fillRect(0, py, px - hole, thick);
    context.fillRect(px + hole, py, width - px - hole, thick);
    context.fillRect(px, 0, thick, py - hole);
    context.fillRect(px, py + hole, thick, height - py - hole);
    context.globalAlpha = 1;
  }

  private draw_box(context: CanvasRenderingContext2D, scene: Scene, box: WorldBox): void {
    const plane = this.plane_;
    const [one, other] = [place_in_voxels(plane.grid, box.low), place_in_voxels(plane.grid, box.high)];
    const slices = [one[plane.slice_axis]!, other[plane.slice_axis]!];
    if (scene.slice < Math.min(...slices) - 0.5 || scene.slice > Math.max(...slices) + 0.5) return;
    const [a, b] = [this.pixel(plane.point(one)), this.pixel(plane.point(other))];
    const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    for (const [colour, width] of [["rgb(0 0 0 / 0.7)", 3.5], [box_colour, 1.5]] as const) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.strokeRect(x, y, Math.abs(a.x - b.x), Math.abs(a.y - b.y));
    }
    this.words(context, box.label, x + 2, y - 6);
    context.setTransform(1, 0, 0, 1, 0, 0);
  }

  private words(context: CanvasRenderingContext2D, words: string, x: number, y: number): void {
    context.font = "12px ui-monospace, Menlo, Consolas, monospace";
    context.textBaseline = "alphabetic";
    context.lineWidth = 3;
    context.strokeStyle = "rgb(0 0 0 / 0.8)";
    context.fillStyle = box_colour;
    context.strokeText(words, x, y);
    context.fillText(words, x, y);
  }

  private draw_measure(context: CanvasRenderingContext2D, scene: Scene, measure: Measure): void {
    if (measure.plane !== this.plane_.name || measure.slice !== scene.slice) return;
    const [from, to] = [this.pixel(measure.from), this.pixel(measure.to)];
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.beginPath();
    if (measure.kind === "length") {
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
    } else {
      context.ellipse((from.x + to.x) / 2, (from.y + to.y) / 2, Math.abs(to.x - from.x) / 2, Math.abs(to.y - from.y) / 2, 0, 0, 2 * Math.PI);
    }
    for (const [colour, width] of [["rgb(0 0 0 / 0.7)", 3.5], [box_colour, 1.5]] as const) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.stroke();
    }
    this.words(context, measure_words(scene.volume, this.plane_, measure), Math.max(from.x, to.x) + 6, Math.max(from.y, to.y) + 4);
    context.setTransform(1, 0, 0, 1, 0, 0);
  }
}
