// A length or a region drawn without a mouse: one end where the crosshair is, then the other.

import type { CaseViewer } from "./case_viewer.ts";
import type { Measure, PlanePoint } from "./measure.ts";
import type { Pane } from "./panes.ts";

interface Begun {
  readonly pane: Pane;
  readonly slice: number;
  readonly from: PlanePoint;
}

export class KeyedMeasure {
  private readonly viewer: CaseViewer;
  private begun: Begun | null = null;

  constructor(viewer: CaseViewer) {
    this.viewer = viewer;
  }

  private crosshair(pane: Pane): PlanePoint {
    const { column, row } = this.viewer.planes![pane.plane].screen(this.viewer.state.at!);
    return { column: column + 0.5, row: row + 0.5 };
  }

  // From the end that is set to the crosshair; null where none is set, or the slice is another one.
  sketch(): Measure | null {
    const { begun, viewer } = this;
    const { tool } = viewer.state;
    if (begun === null || (tool !== "length" && tool !== "roi") || viewer.slice_of(begun.pane) !== begun.slice) return null;
    return { kind: tool, plane: begun.pane.plane, slice: begun.slice, from: begun.from, to: this.crosshair(begun.pane) };
  }

  // Sets an end at the crosshair; the second one keeps the measure.
  set_end(pane: Pane): void {
    const { viewer } = this;
    const { tool, measures, at } = viewer.state;
    if ((tool !== "length" && tool !== "roi") || viewer.planes === null || at === null) return;
    const measure = this.begun?.pane.id === pane.id ? this.sketch() : null;
    this.begun = measure === null ? { pane, slice: viewer.slice_of(pane), from: this.crosshair(pane) } : null;
    viewer.set(measure === null ? {} : { measures: [...measures, measure] });
  }

  // Whether an end was set that is given up now.
  leave(): boolean {
    const had = this.begun !== null;
    this.begun = null;
    return had;
  }
}
