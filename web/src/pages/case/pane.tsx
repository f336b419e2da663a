// One plane with its letters and numbers. To those who hear the page it is a slider over slices, which is what it is.
import { useEffect, useRef } from "preact/hooks";

import type { CaseViewer } from "../../viewer/case_viewer.ts";
import type { Pane } from "../../viewer/panes.ts";
import { Gestures } from "../../viewer/gestures.ts";
import { obliqueness, type Plane } from "../../viewer/plane.ts";
import { run_label, slice_words, window_title } from "./words.ts";

const oblique_degrees = 5;

// Keeps the canvas as large as its place.
function useCanvas(viewer: CaseViewer, pane: Pane, frame: { current: HTMLDivElement | null }, canvas: { current: HTMLCanvasElement | null }): void {
  const ready = viewer.planes !== null;
  useEffect(() => {
    const [box, surface] = [frame.current, canvas.current];
    if (box === null || surface === null) return;
    const viewport = viewer.attach(pane, surface);
    if (viewport === null) return;
    const gestures = new Gestures(viewer, viewport, pane);
    const stop = gestures.listen(box);
    const space = (event: KeyboardEvent): void => {
      if (event.key === " ") gestures.space_held = event.type === "keydown";
    };
    document.addEventListener("keydown", space);
    document.addEventListener("keyup", space);
    const sizes = new ResizeObserver(() => {
      viewport.resize(box.clientWidth, box.clientHeight, window.devicePixelRatio || 1);
      viewer.draw_now(); // in the same frame: a resized canvas is blank
    });
    sizes.observe(box);
    return () => {
      sizes.disconnect();
      document.removeEventListener("keydown", space);
      document.removeEventListener("keyup", space);
      stop();
    };
  }, [viewer, pane.id, pane.plane, pane.run, pane.apart, ready]);
}

function Letters({ plane }: { plane: Plane }) {
  const { left, right, top, bottom } = plane.letters;
  return (
    <div class="letters" aria-hidden="true">
      <span class="at_left">{left}</span>
      <span class="at_right">{right}</span>
      <span class="at_top">{top}</span>
      <span class="at_bottom">{bottom}</span>
    </div>
  );
}

function Corner({ viewer, pane }: { viewer: CaseViewer; pane: Pane }) {
  const { state } = viewer;
  const at = viewer.pointer ?? state.at;
  const hu = at === null ? null : viewer.hu_at(at);
  return (
    <div class="corner" aria-hidden="true">
      {viewer.pointer !== null && <span>{viewer.pointer.join(", ")} </span>}
      <span>
        W {state.window.width_hu} L {state.window.centre_hu}
      </span>
      <span class="hu">{hu === null ? "" : `HU ${hu}`}</span>
      {state.slab_mm > 0 && <span>MIP {state.slab_mm} mm</span>}
      {pane.apart !== 0 && <span>apart {pane.apart > 0 ? `+${pane.apart}` : pane.apart}</span>}
    </div>
  );
}

export function PlanePane({ viewer, pane, used, use }: { viewer: CaseViewer; pane: Pane; used: boolean; use: () => void }) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useCanvas(viewer, pane, frame, canvas);
  const plane = viewer.planes?.[pane.plane];
  const slice = plane === undefined ? 0 : viewer.slice_of(pane);
  const first = pane.id === "left" || pane.id === "axial" || viewer.panes().length === 1;
  const oblique = plane === undefined ? 0 : obliqueness(plane.grid.affine);
  return (
    <div
      ref={frame}
      class={`pane pane_${pane.id}${used ? " used" : ""}`}
      data-pane={pane.id}
      role="slider"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`${pane.plane} plane${pane.run !== null && viewer.state.versus !== null ? `, ${run_label(viewer.source, pane.run)}` : ""}`}
      aria-valuemin={1}
      aria-valuemax={plane?.slices ?? 1}
      aria-valuenow={slice + 1}
      aria-valuetext={`slice ${slice + 1} of ${plane?.slices ?? 1}, ${window_title(viewer)} window`}
      onPointerEnter={use}
      onFocus={use}
    >
      <canvas ref={canvas} aria-hidden="true" />
      <div class="headline" aria-hidden="true">
        {slice_words(viewer, pane)}
        {viewer.state.versus !== null && pane.run !== null && <b> {run_label(viewer.source, pane.run)}</b>}
      </div>
      {plane !== undefined && <Letters plane={plane} />}
      {first && plane !== undefined && <Corner viewer={viewer} pane={pane} />}
      {first && oblique > oblique_degrees && (
        <div class="oblique">oblique by {oblique.toFixed(0)}°: planes follow the nearest axes of the file, nothing is resampled</div>
      )}
    </div>
  );
}
