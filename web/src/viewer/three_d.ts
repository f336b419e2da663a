// Three dimensions behind five methods. Only world millimetres and whole arrays cross them: the library behind may
// order voxels as it likes.

import type { CaseViewer } from "./case_viewer.ts";
import { layers_of } from "./layers.ts";
import type { RunMask } from "./runs.ts";
import type { VolumeMeta } from "./volume.ts";

export interface ThreeD {
  open(canvas: HTMLCanvasElement): Promise<void>;
  volume(meta: VolumeMeta, hu: Int16Array): Promise<void>;
  labels(labels: Uint8Array, table: readonly string[]): Promise<void>; // colours of labels 1, 2, ... as #RRGGBB
  go_to(mm: readonly [number, number, number]): void;
  close(): void;
}

export function has_webgl(): boolean {
  return document.createElement("canvas").getContext("webgl2") !== null;
}

function stamp(mask: RunMask, label: number, into: Uint8Array, extent: readonly [number, number, number]): void {
  const { low, high } = mask.box;
  for (let z = low[2]; z < high[2]; ++z) {
    for (let y = low[1]; y < high[1]; ++y) {
      const { from, to } = mask.row(y, z);
      const origin = extent[0] * (y + extent[1] * z);
      for (let run = from; run < to; ++run) into.fill(label, origin + mask.begin[run]!, origin + mask.end[run]!);
    }
  }
}

// All masks on screen as one label volume; where they overlap the later one shows.
export function union_of(viewer: CaseViewer): { labels: Uint8Array; table: string[] } {
  const extent = viewer.volume!.meta.dimensions;
  const labels = new Uint8Array(extent[0] * extent[1] * extent[2]);
  const table: string[] = [];
  for (const layer of layers_of(viewer.store, viewer.source, viewer.state, viewer.state.run)) {
    let label = table.indexOf(layer.colour) + 1;
    if (label === 0 && table.length < 254) label = table.push(layer.colour);
    if (label > 0) stamp(layer.mask, label, labels, extent);
  }
  return { labels, table };
}
