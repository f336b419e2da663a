// What each action of the key table does.

import type { CaseViewer } from "./case_viewer.ts";
import type { Pane } from "./panes.ts";
import type { Action } from "./keys.ts";
import { shows, slab_choices_mm, type Tool } from "./view_state.ts";
import { clamp } from "./plane.ts";
import { least_width_hu, window_presets } from "./windows.ts";

const opacity_step = 0.06;
const zoom_step = 1.25;
const level_step_hu = 20;
const width_step_hu = 50;

// What a page does about actions that leave the viewer.
export interface PageCommands {
  readonly three_d: () => void;
  readonly next_case: () => void;
  readonly previous_case: () => void;
  readonly search: () => void;
  readonly help: () => void;
  readonly cine: () => void;
}

function next_of<T>(list: readonly T[], now: T): T {
  return list[(list.indexOf(now) + 1) % list.length]!;
}

// Also for the button of the same name.
export function preset(viewer: CaseViewer, number: number): void {
  const { centre_hu, width_hu } = window_presets[number - 1]!;
  viewer.set({ window: { centre_hu, width_hu } });
}

function own_window(viewer: CaseViewer): void {
  if (viewer.volume === null) return;
  const [low, high] = viewer.volume.range();
  viewer.set({ window: { centre_hu: Math.round((low + high) / 2), width_hu: Math.max(1, high - low) } });
}

function shift_window(viewer: CaseViewer, level_hu: number, width_hu: number): void {
  const { window } = viewer.state;
  viewer.set({ window: { centre_hu: window.centre_hu + level_hu, width_hu: Math.max(least_width_hu, window.width_hu + width_hu) } });
}

// Moves the crosshair within a plane.
function move(viewer: CaseViewer, pane: Pane, columns: number, rows: number): void {
  if (viewer.planes === null || viewer.state.at === null) return;
  const plane = viewer.planes[pane.plane];
  const { column, row, slice } = plane.screen(viewer.state.at);
  viewer.set({ at: plane.voxel({ column: clamp(column + columns, 0, plane.columns - 1), row: clamp(row + rows, 0, plane.rows - 1), slice }) });
}

export function step_finding(viewer: CaseViewer, step: 1 | -1): void {
  const indices = viewer.source.findings.map((finding) => finding.index);
  if (indices.length === 0) return;
  const here = viewer.state.finding === null ? -1 : indices.indexOf(viewer.state.finding);
  const next = here < 0 ? (step > 0 ? 0 : indices.length - 1) : (here + step + indices.length) % indices.length;
  viewer.go_to_finding(indices[next]!);
}

function take(viewer: CaseViewer, tool: Tool): void {
  viewer.set({ tool: viewer.state.tool === tool ? "crosshair" : tool });
}

function leave(viewer: CaseViewer): void {
  viewer.pointer = null;
  if (viewer.keyed.leave()) return viewer.set({});
  viewer.set(viewer.state.tool === "crosshair" ? { measures: [] } : { tool: "crosshair" });
}

const all_slices = 1e6;

export function perform(viewer: CaseViewer, action: Action, pane: Pane, page: PageCommands): void {
  const { state } = viewer;
  const commands: Record<Action, () => void> = {
    slice_back: () => viewer.scroll(pane, -1),
    slice_on: () => viewer.scroll(pane, 1),
    slices_back: () => viewer.scroll(pane, -10),
    slices_on: () => viewer.scroll(pane, 10),
    first_slice: () => viewer.scroll(pane, -all_slices),
    last_slice: () => viewer.scroll(pane, all_slices),
    window_1: () => preset(viewer, 1),
    window_2: () => preset(viewer, 2),
    window_3: () => preset(viewer, 3),
    window_4: () => preset(viewer, 4),
    window_5: () => preset(viewer, 5),
    window_6: () => preset(viewer, 6),
    window_own: () => own_window(viewer),
    level_down: () => shift_window(viewer, -level_step_hu, 0),
    level_up: () => shift_window(viewer, level_step_hu, 0),
    narrower: () => shift_window(viewer, 0, -width_step_hu),
    wider: () => shift_window(viewer, 0, width_step_hu),
    invert: () => viewer.set({ inverted: !state.inverted }),
    layout: () => viewer.set({ layout: state.layout === "mpr" ? pane.plane : "mpr" }),
    axial: () => viewer.set({ layout: "axial" }),
    coronal: () => viewer.set({ layout: "coronal" }),
    sagittal: () => viewer.set({ layout: "sagittal" }),
    three_d: page.three_d,
    fit: () => viewer.fit(),
    zoom_in: () => viewer.zoom_by(pane, zoom_step),
    zoom_out: () => viewer.zoom_by(pane, 1 / zoom_step),
    move_left: () => move(viewer, pane, -1, 0),
    move_right: () => move(viewer, pane, 1, 0),
    move_up: () => move(viewer, pane, 0, -1),
    move_down: () => move(viewer, pane, 0, 1),
    crosshair: () => viewer.set({ crosshair: !state.crosshair }),
    slab: () => viewer.set({ slab_mm: next_of(slab_choices_mm, state.slab_mm) }),
    cine: page.cine,
    next_finding: () => step_finding(viewer, 1),
    previous_finding: () => step_finding(viewer, -1),
    largest_slice: () => viewer.planes !== null && viewer.go_to_largest_slice(viewer.planes[pane.plane]),
    show: () => state.run !== null && viewer.set({ show: next_of(shows, state.show) }),
    overlay: () => viewer.set({ overlay: !state.overlay }),
    fill: () => viewer.set({ fill: !state.fill }),
    fainter: () => viewer.set({ opacity: Math.max(0, state.opacity - opacity_step) }),
    stronger: () => viewer.set({ opacity: Math.min(1, state.opacity + opacity_step) }),
    length: () => take(viewer, "length"),
    roi: () => take(viewer, "roi"),
    probe: () => take(viewer, "probe"),
    set_end: () => viewer.keyed.set_end(pane),
    leave: () => leave(viewer),
    sync: () => viewer.set(state.together ? { together: false } : { together: true, apart: 0 }),
    next_case: page.next_case,
    previous_case: page.previous_case,
    search: page.search,
    help: page.help,
  };
  commands[action]();
}
