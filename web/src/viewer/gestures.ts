// What mouse, wheel and fingers do to a pane.

import type { CaseViewer } from "./case_viewer.ts";
import type { Pane } from "./panes.ts";
import type { Measure, PlanePoint } from "./measure.ts";
import type { Viewport } from "./viewport.ts";
import { least_width_hu, type IntensityWindow } from "./windows.ts";

type Drag = "crosshair" | "measure" | "window" | "pan" | "scroll";

const wheel_step = 40; // pixels of a smooth wheel that are one slice
const zoom_per_pixel = 0.0025;
const tap_pixels = 6;
const finger_slice_pixels = 8;

interface Finger {
  x: number;
  y: number;
}

export class Gestures {
  private readonly viewer: CaseViewer;
  private readonly viewport: Viewport;
  private readonly pane: Pane;
  private readonly fingers = new Map<number, Finger>();
  private drag: Drag | null = null;
  private began: Finger = { x: 0, y: 0 };
  private window_hu: IntensityWindow = { centre_hu: 0, width_hu: 1 }; // not rounded, while it is dragged
  private wheel = 0;
  private travelled = 0;
  private spread = 0;
  space_held = false;

  constructor(viewer: CaseViewer, viewport: Viewport, pane: Pane) {
    this.viewer = viewer;
    this.viewport = viewport;
    this.pane = pane;
  }

  // Returns what takes the listeners off again.
  listen(element: HTMLElement): () => void {
    const stop = new AbortController();
    const { signal } = stop;
    element.addEventListener("pointerdown", (event) => this.down(event, element), { signal });
    element.addEventListener("pointermove", (event) => this.move(event), { signal });
    element.addEventListener("pointerup", (event) => this.up(event), { signal });
    element.addEventListener("pointercancel", (event) => this.up(event), { signal });
    element.addEventListener("pointerleave", () => this.leave(), { signal });
    element.addEventListener("wheel", (event) => this.turn(event), { signal, passive: false });
    element.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
    element.addEventListener("dblclick", () => this.alone(), { signal });
    return () => stop.abort();
  }

  private alone(): void {
    const { layout, versus } = this.viewer.state;
    if (versus !== null || this.viewer.state.tool !== "crosshair") return;
    this.viewer.set({ layout: layout === "mpr" || layout === "three_d" ? this.pane.plane : "mpr" });
  }

  private place(event: MouseEvent): Finger {
    const box = this.viewport.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private down(event: PointerEvent, element: HTMLElement): void {
    const at = this.place(event);
    this.fingers.set(event.pointerId, at);
    element.setPointerCapture(event.pointerId);
    this.began = at;
    this.travelled = 0;
    if (this.fingers.size === 2) {
      this.drag = null;
      this.spread = this.finger_spread();
      return;
    }
    this.drag = this.drag_of(event);
    this.window_hu = this.viewer.state.window;
    if (this.drag === "crosshair") this.pick(at);
    if (this.drag === "measure") this.sketch(at, at);
  }

  private drag_of(event: PointerEvent): Drag {
    if (event.button === 1 || (event.button === 0 && this.space_held)) return "pan";
    if (event.button === 2) return "window";
    const { tool } = this.viewer.state;
    if (tool === "length" || tool === "roi") return "measure";
    return event.pointerType === "touch" ? "scroll" : "crosshair";
  }

  private move(event: PointerEvent): void {
    const at = this.place(event);
    const before = this.fingers.get(event.pointerId);
    this.probe(at);
    if (before === undefined) return;
    this.fingers.set(event.pointerId, at);
    if (this.fingers.size === 2) return this.pinch();
    const [dx, dy] = [at.x - before.x, at.y - before.y];
    this.travelled += Math.abs(dx) + Math.abs(dy);
    if (this.drag === "crosshair") this.viewer.set({ at: this.voxel(at) });
    else if (this.drag === "measure") this.sketch(this.began, at);
    else if (this.drag === "window") this.window(dx, dy, event.shiftKey);
    else if (this.drag === "scroll") this.swipe(dy);
    else if (this.drag === "pan") {
      this.viewport.pan(dx, dy);
      this.viewer.looked(this.pane);
    }
  }

  private up(event: PointerEvent): void {
    const at = this.place(event);
    this.fingers.delete(event.pointerId);
    if (this.drag === "scroll" && this.travelled < tap_pixels) this.pick(at);
    if (this.drag === "measure") this.keep_sketch();
    this.drag = null;
    this.wheel = 0;
  }

  private leave(): void {
    if (this.viewer.pointer === null) return;
    this.viewer.pointer = null;
    this.viewer.set({});
  }

  private probe(at: Finger): void {
    if (this.viewer.state.tool !== "probe") return;
    this.viewer.pointer = this.voxel(at);
    this.viewer.set({});
  }

  private voxel(at: Finger): readonly [number, number, number] {
    return this.viewport.voxel(at.x, at.y, this.viewer.slice_of(this.pane));
  }

  private pick(at: Finger): void {
    this.viewer.pick(this.voxel(at));
  }

  private swipe(dy: number): void {
    this.wheel += dy;
    const slices = Math.trunc(this.wheel / finger_slice_pixels);
    this.wheel -= slices * finger_slice_pixels;
    if (slices !== 0) this.viewer.scroll(this.pane, slices);
  }

  private finger_spread(): number {
    const [a, b] = [...this.fingers.values()];
    return a === undefined || b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y);
  }

  private pinch(): void {
    const [a, b] = [...this.fingers.values()];
    if (a === undefined || b === undefined || this.spread === 0) return;
    const now = this.finger_spread();
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    this.viewport.zoom_to(this.viewport.zoom * (now / this.spread), middle.x, middle.y);
    this.spread = now;
    this.viewer.looked(this.pane);
  }

  private window(dx: number, dy: number, fine: boolean): void {
    const step = fine ? 1 : 4;
    this.window_hu = { centre_hu: this.window_hu.centre_hu + dy * step, width_hu: this.window_hu.width_hu + dx * step };
    const { centre_hu, width_hu } = this.window_hu;
    this.viewer.set({ window: { centre_hu: Math.round(centre_hu), width_hu: Math.max(least_width_hu, Math.round(width_hu)) } });
  }

  private turn(event: WheelEvent): void {
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * wheel_step;
    if (event.ctrlKey || event.metaKey) {
      const { x, y } = this.place(event);
      this.viewport.zoom_to(this.viewport.zoom * Math.exp(-pixels * zoom_per_pixel), x, y);
      return this.viewer.looked(this.pane);
    }
    // A mouse's notch is one slice however far it says it turned; a touchpad's small steps add up.
    if (Math.abs(pixels) >= wheel_step) {
      this.wheel = 0;
      return this.viewer.scroll(this.pane, Math.sign(pixels));
    }
    this.wheel += pixels;
    const slices = Math.trunc(this.wheel / wheel_step);
    this.wheel -= slices * wheel_step;
    if (slices !== 0) this.viewer.scroll(this.pane, slices);
  }

  private sketch(from: Finger, to: Finger): void {
    const point = ({ x, y }: Finger): PlanePoint => this.viewport.point(x, y);
    const kind = this.viewer.state.tool === "roi" ? "roi" : "length";
    const measure: Measure = { kind, plane: this.pane.plane, slice: this.viewer.slice_of(this.pane), from: point(from), to: point(to) };
    this.viewer.sketch = measure;
    this.viewer.redraw();
  }

  private keep_sketch(): void {
    const { sketch } = this.viewer;
    this.viewer.sketch = null;
    const { measures } = this.viewer.state;
    this.viewer.set(sketch !== null && this.travelled >= tap_pixels ? { measures: [...measures, sketch] } : {});
  }
}
