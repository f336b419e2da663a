// Brings the slabs of a volume, the one on screen first. A new slice on screen changes the order of what is left.

import { decode_slab, type SlabCoding } from "./slab_coding.ts";
import { loading_order, most_bytes, type Volume } from "./volume.ts";

// A line this fast takes slabs as they are; on slower ones a third of the bytes is worth the decoding.
export const raw_bytes_per_second = 60e6;
const at_once = 3;
const attempts = 3;

export interface LoaderEvents {
  readonly progress: () => void;
  readonly failed: (error: Error) => void;
}

export type Fetcher = (url: string, signal: AbortSignal) => Promise<Uint8Array>;

export async function fetch_bytes(url: string, signal: AbortSignal): Promise<Uint8Array> {
  const reply = await fetch(url, { signal });
  if (!reply.ok) throw new Error(`${reply.status} ${reply.statusText}`.trim());
  return new Uint8Array(await reply.arrayBuffer());
}

export class VolumeLoader {
  private readonly stop = new AbortController();
  private readonly asked = new Set<number>();
  private readonly volume: Volume;
  private readonly base: string;
  private readonly events: LoaderEvents;
  private readonly fetcher: Fetcher;
  private focus: number;
  private coding: SlabCoding = "raw";
  private broken: Error | null = null;

  constructor(volume: Volume, base: string, slice: number, events: LoaderEvents, fetcher: Fetcher = fetch_bytes) {
    this.volume = volume;
    this.base = base;
    this.events = events;
    this.fetcher = fetcher;
    this.focus = volume.slab_of(slice);
    if (!volume.meta.coding.includes("raw")) this.coding = "dp";
  }

  get error(): Error | null {
    return this.broken;
  }

  // The first slab alone, which also says how fast the line is; then the others.
  async start(): Promise<void> {
    const started = performance.now();
    if (!(await this.bring(this.focus))) return;
    const seconds = (performance.now() - started) / 1000;
    if (2 * this.volume.voxels_of(this.focus) < raw_bytes_per_second * seconds) this.coding = "dp";
    await Promise.all(Array.from({ length: at_once }, () => this.bring_rest()));
  }

  // Asks for what is near a z slice next.
  look_at(z: number): void {
    this.focus = this.volume.slab_of(z);
    if (this.volume.fits || this.stop.signal.aborted) return;
    this.forget_far();
    void this.bring_rest();
  }

  // Once more after a failure.
  retry(): void {
    this.broken = null;
    void Promise.all(Array.from({ length: at_once }, () => this.bring_rest()));
  }

  close(): void {
    this.stop.abort();
  }

  private next(): number | undefined {
    const order = loading_order(this.volume.meta.slabs, this.focus).slice(0, this.room());
    return order.find((slab) => !this.volume.has(slab) && !this.asked.has(slab));
  }

  // How many slabs memory has room for.
  private room(): number {
    return Math.max(1, Math.floor(most_bytes / (2 * this.volume.voxels_of(0))));
  }

  private forget_far(): void {
    const near = new Set(loading_order(this.volume.meta.slabs, this.focus).slice(0, this.room()));
    for (let slab = 0; slab < this.volume.meta.slabs; ++slab) if (!near.has(slab)) this.volume.drop(slab);
  }

  private async bring_rest(): Promise<void> {
    for (let slab = this.next(); slab !== undefined && this.broken === null; slab = this.next()) {
      if (!(await this.bring(slab))) return;
    }
  }

  private async bring(slab: number): Promise<boolean> {
    this.asked.add(slab);
    try {
      this.volume.put(slab, await this.try_often(slab));
      if (!this.volume.fits) this.forget_far();
      this.events.progress();
      return true;
    } catch (error) {
      if (this.stop.signal.aborted) return false;
      this.broken = error instanceof Error ? error : new Error(String(error));
      this.events.failed(this.broken);
      return false;
    } finally {
      this.asked.delete(slab);
    }
  }

  private async try_often(slab: number): Promise<Int16Array> {
    const { dimensions } = this.volume.meta;
    for (let attempt = 1; ; ++attempt) {
      try {
        const coding = this.coding;
        const bytes = await this.fetcher(`${this.base}/slab/${slab}?coding=${coding}`, this.stop.signal);
        return await decode_slab(bytes, coding, dimensions[0], this.volume.voxels_of(slab));
      } catch (error) {
        if (attempt === attempts || this.stop.signal.aborted) throw error;
        await new Promise((resume) => setTimeout(resume, 200 * attempt));
      }
    }
  }
}
