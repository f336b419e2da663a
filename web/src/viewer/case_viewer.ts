// The viewer of one case: state, volume, masks and panes. Pages attach canvases and listen; nothing here knows them.

import type { CaseValue } from "./case_value.ts";
import { own_names, set_of_run } from "./case_value.ts";
import { KeyedMeasure } from "./keyed_measure.ts";
import { layers_of, names_at, sets_of, sets_to_name, type Named } from "./layers.ts";
import { fullest_slice, place_of } from "./mask_slice.ts";
import { MaskStore } from "./mask_store.ts";
import type { Measure } from "./measure.ts";
import { OutlineStore, OverlayPainter } from "./overlay.ts";
import { panes_of, type Pane } from "./panes.ts";
import { clamp, planes_of, voxel_of, type Plane, type PlaneName } from "./plane.ts";
import type { RunMask, Voxel } from "./runs.ts";
import { runs_of, with_run } from "./run_choice.ts";
import { inside, type ViewState } from "./view_state.ts";
import { Viewport, type FirstPicture, type Scene, type WorldBox } from "./viewport.ts";
import { Volume, absent_hu, type VolumeMeta } from "./volume.ts";
import { VolumeLoader } from "./volume_loader.ts";
import { window_of_category, window_table, type IntensityWindow } from "./windows.ts";

export interface Connection {
  readonly bytes: (path: string) => Promise<Uint8Array>;
  readonly json: <T>(path: string) => Promise<T>;
}

const crosshair_bright_ms = 1500;
const redraws_kept = 400;

export class CaseViewer {
  readonly source: CaseValue;
  readonly store: MaskStore;
  readonly redraw_ms: number[] = []; // of all panes together, the latest last
  state: ViewState;
  volume: Volume | null = null;
  planes: Record<PlaneName, Plane> | null = null;
  problem = ""; // why there is no volume
  sketch: Measure | null = null; // being drawn
  readonly keyed = new KeyedMeasure(this); // the same, by keys
  pointer: Voxel | null = null; // what the probe reads
  box: WorldBox | null = null; // drawn over the planes: a step of a chain
  private first: FirstPicture | null = null;
  private loader: VolumeLoader | null = null;
  private readonly connection: Connection;
  private readonly viewports = new Map<string, Viewport>();
  private readonly overlay = new OverlayPainter(new OutlineStore());
  private readonly listeners = new Set<() => void>();
  private table: { of: string; values: Uint32Array } | null = null;
  private frame = 0;
  private moved_at = 0;
  private dimming: ReturnType<typeof setTimeout> | undefined;
  private window_chosen: boolean;
  private closed = false;

  constructor(source: CaseValue, state: ViewState, connection: Connection, window_chosen: boolean) {
    this.source = source;
    this.connection = connection;
    this.window_chosen = window_chosen;
    const masks = (set: string): Promise<Uint8Array> => connection.bytes(this.address(`masks?set=${encodeURIComponent(set)}`));
    this.store = new MaskStore(masks, () => this.masks_came());
    this.state = with_run(source, state);
  }

  private address(rest: string): string {
    return `/api/v1/cases/${encodeURIComponent(this.source.dataset)}/${encodeURIComponent(this.source.id)}/${rest}`;
  }

  runs(): string[] {
    return runs_of(this.source);
  }

  async open(): Promise<void> {
    for (const set of sets_of(this.source, this.state)) this.store.want(set);
    if (this.source.volume === null || !this.source.volume.available) {
      this.problem = this.source.volume?.reason ?? "this case has no volume";
      return this.changed();
    }
    try {
      const meta = await this.connection.json<VolumeMeta>(`${this.source.volume.base}/meta`);
      if (!this.closed) this.begin(meta, this.source.volume.base);
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
    this.changed();
  }

  private begin(meta: VolumeMeta, base: string): void {
    this.problem = "";
    this.volume = new Volume(meta);
    this.planes = planes_of(this.volume.grid);
    const at = this.state.at;
    const given = at !== null && inside(meta.dimensions, at) ? at : this.first_place(meta);
    this.state = { ...this.state, at: given };
    this.choose_window();
    this.masks_came();
    if (meta.pictures) this.bring_first_picture(base);
    this.loader = new VolumeLoader(this.volume, base, this.state.at![2], {
      progress: () => this.slab_came(),
      failed: () => this.changed(),
    });
    void this.loader.start();
  }

  private slab_came(): void {
    if (this.volume?.slabs_loaded === 1) performance.mark("fiducial:first_slab");
    // What is not drawn comes last: a click on a voxel names it, too.
    const later = this.volume?.whole === true ? sets_to_name(this.source) : [];
    for (const set of later) if (this.store.state(set) === undefined) this.store.want(set);
    this.changed();
  }

  private first_place(meta: VolumeMeta): Voxel {
    const place = this.source.findings.find((f) => f.index === this.state.finding)?.place;
    if (place != null && place.length === 3) return [place[0]!, place[1]!, place[2]!];
    return meta.dimensions.map((n) => Math.floor(n / 2)) as [number, number, number];
  }

  private choose_window(): void {
    if (this.window_chosen) return;
    const finding = this.source.findings.find((f) => f.index === this.state.finding) ?? null;
    this.state = { ...this.state, window: window_of_category(finding?.category ?? null) };
  }

  // The server draws the slice on screen sooner than it can send the slab.
  private bring_first_picture(base: string): void {
    const plane = this.planes!.axial;
    const slice = this.state.at![plane.slice_axis];
    const { centre_hu, width_hu } = this.state.window;
    const image = new Image();
    image.onload = () => {
      performance.mark("fiducial:first_picture");
      this.first = { image, plane: "axial", slice };
      this.redraw();
    };
    image.src = `${base}/slice/axial/${slice}.png?l=${centre_hu}&w=${width_hu}`;
  }

  private masks_came(): void {
    const { finding, at } = this.state;
    if (this.store.state("reference") === "there") performance.mark("fiducial:masks");
    // A link that names a finding but no place goes to it once the masks it may mean are there.
    const on_their_way = ["reference", set_of_run(this.state.run ?? "")].some((set) => this.store.state(set) === "wanted");
    if (finding !== null && this.volume !== null && this.waits_for_mask && !on_their_way) {
      const mask = this.mask_of(finding);
      if (mask !== undefined) {
        this.waits_for_mask = false;
        this.go_to_finding(finding);
      }
    }
    if (at !== null) this.changed();
  }
  waits_for_mask = false;

  close(): void {
    this.closed = true;
    this.loader?.close();
    this.listeners.clear();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.dimming);
  }

  retry(): void {
    if (this.loader === null) void this.open();
    else this.loader.retry();
    for (const set of sets_of(this.source, this.state)) this.store.want(set);
    this.changed();
  }

  get loading_error(): Error | null {
    return this.loader?.error ?? null;
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private changed(): void {
    if (this.closed) return;
    for (const listener of this.listeners) listener();
    this.redraw();
  }

  set(changes: Partial<ViewState>): void {
    const before = this.state;
    this.state = { ...before, ...changes };
    if (changes.window !== undefined) this.window_chosen = true;
    for (const set of sets_of(this.source, this.state)) this.store.want(set);
    if (changes.at !== undefined && changes.at !== null) {
      this.loader?.look_at(changes.at[2]);
      this.brighten();
    }
    if (changes.layout !== undefined || changes.versus !== undefined) this.forget_viewports();
    this.changed();
  }

  // A state from an address.
  adopt(state: ViewState): void {
    const extent = this.volume?.meta.dimensions;
    const at = state.at !== null && extent !== undefined && inside(extent, state.at) ? state.at : this.state.at;
    const moved = state.at === null && state.finding !== null && state.finding !== this.state.finding;
    this.set({ ...with_run(this.source, state), at });
    if (moved) this.go_to_finding(state.finding!);
  }

  private brighten(): void {
    this.moved_at = performance.now();
    clearTimeout(this.dimming);
    this.dimming = setTimeout(() => this.redraw(), crosshair_bright_ms + 20);
  }

  // Places.

  mask_of(finding: number): RunMask | undefined {
    const reference = this.store.mask("reference", finding);
    if (reference !== undefined && !reference.empty && this.state.show !== "prediction") return reference;
    const { run } = this.state;
    const prediction = run === null || own_names(this.source, set_of_run(run)) !== null ? undefined : this.store.mask(set_of_run(run), finding);
    return prediction !== undefined && !prediction.empty ? prediction : reference;
  }

  // Into the mask, never just into its box. A finding that is selected already goes on to its next entity.
  go_to_finding(finding: number): void {
    const mask = this.mask_of(finding);
    const at = mask === undefined || this.planes === null ? undefined : place_of(mask, this.planes.axial, this.next_entity(finding, mask));
    this.waits_for_mask = at === undefined && this.store.state("reference") !== "there";
    if (at !== undefined) this.centre(at);
    this.set({ finding, ...(at === undefined ? {} : { at }) });
  }

  private next_entity(finding: number, mask: RunMask): number {
    const entities = mask.entities();
    if (finding !== this.state.finding || this.state.at === null || entities.length < 2) return 0;
    const here = entities.indexOf(mask.entity_at(this.state.at));
    return entities[(here + 1) % entities.length]!;
  }

  // The middle of a box, which is drawn from now on; null takes it off.
  show_box(box: WorldBox | null, changes: Partial<ViewState> = {}): void {
    this.box = box;
    const at = box === null || this.volume === null ? null : voxel_of(this.volume.grid, [0, 1, 2].map((axis) => (box.low[axis]! + box.high[axis]!) / 2));
    if (at !== null) this.centre(at);
    this.set({ ...changes, ...(at === null ? {} : { at }) });
  }

  go_to_mask(set: string, id: number): void {
    const mask = this.store.mask(set, id);
    const at = mask === undefined || this.planes === null ? undefined : place_of(mask, this.planes.axial);
    if (at === undefined) return;
    this.centre(at);
    this.set({ at });
  }

  // What is zoomed into keeps the crosshair in sight.
  private centre(at: Voxel): void {
    for (const viewport of this.viewports.values()) if (viewport.zoom > 1) viewport.look_at(at, viewport.zoom);
  }

  go_to_largest_slice(plane: Plane): void {
    const { finding, at } = this.state;
    const mask = finding === null ? undefined : this.mask_of(finding);
    const slice = mask === undefined ? undefined : fullest_slice(mask, plane);
    if (slice === undefined || at === null) return;
    const moved: [number, number, number] = [...at];
    moved[plane.slice_axis] = slice;
    this.set({ at: moved });
  }

  names_at(voxel: Voxel): Named[] {
    return names_at(this.store, ["reference", ...this.runs().map(set_of_run), "organs"], voxel);
  }

  // A click: the crosshair goes there, and the smallest finding there is selected.
  pick(at: Voxel): void {
    const set = this.state.show === "prediction" && this.state.run !== null ? set_of_run(this.state.run) : "reference";
    const named = this.names_at(at).filter((name) => name.set !== "organs" && own_names(this.source, name.set) === null);
    const found = named.find((name) => name.set === set) ?? named[0];
    this.set(found === undefined ? { at } : { at, finding: found.id });
  }

  hu_at(voxel: Voxel): number | null {
    const hu = this.volume?.hu(voxel) ?? absent_hu;
    return hu === absent_hu ? null : hu;
  }

  // Panes.

  panes(): Pane[] {
    return panes_of(this.state);
  }

  attach(pane: Pane, canvas: HTMLCanvasElement): Viewport | null {
    if (this.planes === null) return null;
    const plane = this.planes[pane.plane];
    let viewport = this.viewports.get(pane.id);
    if (viewport === undefined || viewport.canvas !== canvas) {
      viewport = new Viewport(canvas, plane, this.overlay);
      if (this.state.at !== null && this.state.zoom !== 1) viewport.look_at(this.state.at, this.state.zoom);
      this.viewports.set(pane.id, viewport);
    }
    viewport.turn_to(plane);
    return viewport;
  }

  private forget_viewports(): void {
    const kept = new Set(this.panes().map((pane) => pane.id));
    for (const id of [...this.viewports.keys()]) if (!kept.has(id)) this.viewports.delete(id);
  }

  slice_of(pane: Pane): number {
    const plane = this.planes![pane.plane];
    return clamp(this.state.at![plane.slice_axis] + pane.apart, 0, plane.slices - 1);
  }

  // Scrolls a pane; side by side and apart, the second one alone.
  scroll(pane: Pane, slices: number): void {
    if (this.planes === null || this.state.at === null) return;
    const plane = this.planes[pane.plane];
    const step = slices * plane.onward;
    if (this.state.versus !== null && !this.state.together && pane.id === "right") {
      const wanted = clamp(this.slice_of(pane) + step, 0, plane.slices - 1);
      return this.set({ apart: wanted - this.state.at[plane.slice_axis] });
    }
    const moved: [number, number, number] = [...this.state.at];
    const before = moved[plane.slice_axis]!;
    moved[plane.slice_axis] = clamp(before + step, 0, plane.slices - 1);
    const apart = this.state.versus !== null && !this.state.together ? this.state.apart + before - moved[plane.slice_axis]! : this.state.apart;
    this.set({ at: moved, apart });
  }

  // Zooms on the crosshair.
  zoom_by(pane: Pane, factor: number): void {
    const viewport = this.viewports.get(pane.id);
    if (viewport === undefined || this.state.at === null) return;
    const zoom = viewport.zoom * factor;
    if (Math.abs(zoom - 1) < 0.01) viewport.fit();
    else viewport.look_at(this.state.at, zoom);
    this.looked(pane);
  }

  // After a zoom or a pan of one plane.
  looked(pane: Pane): void {
    const from = this.viewports.get(pane.id);
    if (from === undefined) return;
    if (this.state.versus !== null && this.state.together) {
      for (const viewport of this.viewports.values()) if (viewport !== from) viewport.follow(from);
    }
    this.set({ zoom: Math.round(from.zoom * 100) / 100 });
  }

  fit(): void {
    for (const viewport of this.viewports.values()) viewport.fit();
    this.set({ zoom: 1 });
  }

  redraw(): void {
    if (this.frame !== 0 || this.closed) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw_now();
    });
  }

  draw_now(): void {
    if (this.planes === null || this.state.at === null) return;
    const started = performance.now();
    for (const pane of this.panes()) this.viewports.get(pane.id)?.draw(this.scene(pane));
    this.redraw_ms.push(performance.now() - started);
    if (this.redraw_ms.length > redraws_kept) this.redraw_ms.shift();
  }

  private scene(pane: Pane): Scene {
    const { state } = this;
    const bright = performance.now() - this.moved_at < crosshair_bright_ms;
    return {
      volume: this.volume,
      first: this.first,
      at: state.at!,
      slice: this.slice_of(pane),
      table: this.window_values(state.window),
      slab_mm: state.slab_mm,
      layers: layers_of(this.store, this.source, state, pane.run),
      fill: state.fill,
      opacity: state.opacity,
      crosshair: !state.crosshair ? "off" : bright ? "bright" : "dim",
      box: this.box,
      measures: [...state.measures, this.sketch, this.keyed.sketch()].filter((measure) => measure !== null),
    };
  }

  private window_values(window: IntensityWindow): Uint32Array {
    const of = `${window.centre_hu} ${window.width_hu} ${this.state.inverted}`;
    if (this.table?.of !== of) this.table = { of, values: window_table(window, this.state.inverted) };
    return this.table.values;
  }
}
