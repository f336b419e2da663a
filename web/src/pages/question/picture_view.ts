// One picture on a canvas: zoom, pan, window, inversion. No framework inside, and the picture itself is never resampled
// before it is drawn.
import { is_whole, looks_grey, whole_window, window_table, type GreyWindow } from "./grey_window.ts";

export interface PictureEvents {
  changed: (text: string) => void;
  step: (by: number) => void;
  several: boolean; // the wheel goes through the images; with one image it zooms
}

const most_pixels = 64e6;

export class PictureView {
  window: GreyWindow = whole_window;
  is_grey = false;
  private readonly holder: HTMLElement;
  private readonly events: PictureEvents;
  private readonly canvas = document.createElement("canvas");
  private readonly listeners = new AbortController();
  private readonly sizes: ResizeObserver;
  private original: ImageData | null = null;
  private zoom = 1;
  private middle = { x: 0, y: 0 }; // of the holder, from the centre of the picture, in screen pixels
  private inverted = false;
  private wanted = "";
  private fitted = true;
  private readonly fingers = new Map<number, { x: number; y: number }>();

  constructor(holder: HTMLElement, events: PictureEvents) {
    this.holder = holder;
    this.events = events;
    holder.append(this.canvas);
    this.sizes = new ResizeObserver(() => (this.fitted ? this.fit() : this.place()));
    this.sizes.observe(holder);
    this.listen();
  }

  close(): void {
    this.listeners.abort();
    this.sizes.disconnect();
    this.canvas.remove();
  }

  // Shows another picture; one that is overtaken by the next is dropped. Where it fails, none is seen.
  async show(url: string): Promise<void> {
    this.wanted = url;
    this.holder.dataset["picture"] = "loading";
    try {
      await this.bring(url);
      if (this.wanted === url) this.holder.dataset["picture"] = url;
    } catch (error) {
      if (this.wanted !== url) return;
      this.holder.dataset["picture"] = "failed";
      throw error;
    }
  }

  private async bring(url: string): Promise<void> {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const bitmap = await createImageBitmap(await response.blob());
    if (this.wanted !== url) return bitmap.close();
    if (bitmap.width * bitmap.height > most_pixels) throw new Error(`it has ${bitmap.width} x ${bitmap.height} pixels`);
    this.canvas.width = bitmap.width;
    this.canvas.height = bitmap.height;
    const context = this.canvas.getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("this browser gives no canvas");
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
    this.original = context.getImageData(0, 0, this.canvas.width, this.canvas.height);
    this.is_grey = looks_grey(this.original.data);
    this.window = whole_window;
    this.inverted = false;
    this.fit();
  }

  fit(): void {
    const { clientWidth, clientHeight } = this.holder;
    this.zoom = Math.min(clientWidth / (this.canvas.width || 1), clientHeight / (this.canvas.height || 1));
    this.middle = { x: 0, y: 0 };
    this.fitted = true;
    this.place();
  }

  zoom_by(factor: number): void {
    this.zoom = Math.min(Math.max(this.zoom * factor, 0.05), 40);
    this.fitted = false;
    this.place();
  }

  pan(dx: number, dy: number): void {
    this.middle = { x: this.middle.x + dx, y: this.middle.y + dy };
    this.fitted = false;
    this.place();
  }

  set_window(width: number, level: number): void {
    if (!this.is_grey) return;
    this.window = { width: Math.min(Math.max(width, 1), 512), level: Math.min(Math.max(level, 0), 255) };
    this.paint();
  }

  invert(): void {
    this.inverted = !this.inverted;
    this.paint();
  }

  private paint(): void {
    const context = this.canvas.getContext("2d");
    if (!context || !this.original) return;
    const drawn = new ImageData(new Uint8ClampedArray(this.original.data), this.original.width);
    if (this.inverted || !is_whole(this.window)) {
      const table = window_table(this.window, this.inverted);
      for (let at = 0; at < drawn.data.length; ++at) if (at % 4 !== 3) drawn.data[at] = table[drawn.data[at] ?? 0] ?? 0;
    }
    context.putImageData(drawn, 0, 0);
    this.say();
  }

  private place(): void {
    const style = this.canvas.style;
    this.holder.style.touchAction = this.fitted ? "" : "none"; // a picture that fits lets fingers scroll the page
    style.width = `${this.canvas.width * this.zoom}px`;
    style.height = `${this.canvas.height * this.zoom}px`;
    style.transform = `translate(calc(-50% + ${this.middle.x}px), calc(-50% + ${this.middle.y}px))`;
    this.say();
  }

  private say(): void {
    const size = this.original ? `${this.original.width} × ${this.original.height}` : "";
    const window = this.is_grey && !is_whole(this.window) ? ` · W ${Math.round(this.window.width)} L ${Math.round(this.window.level)}` : "";
    this.events.changed(`${size} · ${Math.round(this.zoom * 100)} %${window}${this.inverted ? " · inverted" : ""}`);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    if (event.ctrlKey || !this.events.several) this.zoom_by(event.deltaY < 0 ? 1.15 : 1 / 1.15);
    else if (Math.abs(event.deltaY) > 4) this.events.step(event.deltaY > 0 ? 1 : -1);
  }

  // Left or middle button: pan. Right button: window; with Shift a quarter as fast.
  private drag(event: PointerEvent): void {
    if (event.buttons === 0) return;
    if (this.fingers.size === 2) return this.pinch(event);
    if (event.buttons & 2) {
      const speed = event.shiftKey ? 0.25 : 1;
      this.set_window(this.window.width + event.movementX * speed, this.window.level + event.movementY * speed);
      return;
    }
    this.pan(event.movementX, event.movementY);
  }

  private spread(): number {
    const [a, b] = [...this.fingers.values()];
    return a === undefined || b === undefined ? 1 : Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
  }

  private pinch(event: PointerEvent): void {
    const before = this.spread();
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.zoom_by(this.spread() / before);
  }

  private down(event: PointerEvent): void {
    this.holder.setPointerCapture(event.pointerId);
    if (event.pointerType === "touch") this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  private listen(): void {
    const options = { signal: this.listeners.signal };
    this.holder.addEventListener("wheel", (event) => this.wheel(event), { ...options, passive: false });
    this.holder.addEventListener("pointermove", (event) => this.drag(event), options);
    this.holder.addEventListener("pointerdown", (event) => this.down(event), options);
    for (const end of ["pointerup", "pointercancel"] as const) this.holder.addEventListener(end, (event) => this.fingers.delete(event.pointerId), options);
    this.holder.addEventListener("contextmenu", (event) => event.preventDefault(), options);
    this.holder.addEventListener("dblclick", () => this.fit(), options);
  }
}
