// Three dimensions, fetched when they are first asked for.
import { useEffect, useRef, useState } from "preact/hooks";

import type { CaseViewer } from "../../viewer/case_viewer.ts";
import { has_webgl, union_of, type ThreeD } from "../../viewer/three_d.ts";
import { world_mm } from "../../viewer/plane.ts";
import { useChanges } from "./use_viewer.ts";

function useThreeD(viewer: CaseViewer, canvas: { current: HTMLCanvasElement | null }): { words: string } {
  const [words, say] = useState("");
  const scene = useRef<ThreeD | null>(null);
  const whole = viewer.volume?.whole === true;
  const { state } = viewer;
  useEffect(() => {
    if (!has_webgl()) return say("Three dimensions need WebGL, which this browser does not offer. The planes do without it.");
    if (!whole) return say("Three dimensions appear when the whole CT is here.");
    let gone = false;
    say("Preparing three dimensions.");
    const open = async (): Promise<void> => {
      const { make_three_d } = await import("../../viewer/three_niivue.ts");
      if (gone || canvas.current === null || viewer.volume === null) return;
      const made = make_three_d();
      scene.current = made;
      await made.open(canvas.current);
      await made.volume(viewer.volume.meta, viewer.volume.all());
      const { labels, table } = union_of(viewer);
      await made.labels(labels, table);
      if (viewer.state.at !== null) made.go_to(world_mm(viewer.volume.meta.affine, viewer.state.at));
      if (!gone) say("");
    };
    open().catch((error: unknown) => say(`Three dimensions failed: ${error instanceof Error ? error.message : String(error)}`));
    return () => {
      gone = true;
      scene.current?.close();
      scene.current = null;
    };
  }, [viewer, whole]);
  useEffect(() => {
    if (scene.current === null || viewer.volume === null || words !== "") return;
    const { labels, table } = union_of(viewer);
    void scene.current.labels(labels, table);
  }, [state.hidden, state.show, state.run, state.organs, state.overlay]);
  useEffect(() => {
    if (viewer.volume !== null && state.at !== null && words === "") scene.current?.go_to(world_mm(viewer.volume.meta.affine, state.at));
  }, [state.at]);
  return { words };
}

export function ThreePane({ viewer }: { viewer: CaseViewer }) {
  useChanges(viewer);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { words } = useThreeD(viewer, canvas);
  return (
    <div class="pane pane_three" data-pane="three_d">
      <canvas ref={canvas} aria-label="three dimensions" role="img" />
      {words !== "" && (
        <p class="three_words" role="status">
          {words}
        </p>
      )}
    </div>
  );
}
