// What lies under the crosshair: every finding of every run, every organ, by name.
import { useMemo } from "preact/hooks";

import { organ_title, own_names, run_of_set, type Organ } from "../../viewer/case_value.ts";
import type { CaseViewer } from "../../viewer/case_viewer.ts";
import { own_label, type Named } from "../../viewer/layers.ts";
import { colour_of, organ_colour } from "../../viewer/overlay.ts";
import { world_mm } from "../../viewer/plane.ts";
import { useChanges } from "./use_viewer.ts";
import { run_label } from "./words.ts";

function toggle_organ(viewer: CaseViewer, id: number): void {
  const next = new Set(viewer.state.organs);
  if (!next.delete(id)) next.add(id);
  viewer.set({ organs: next });
}

function Name({ viewer, named, organs }: { viewer: CaseViewer; named: Named; organs: readonly Organ[] }) {
  const { source } = viewer;
  if (named.set === "organs") {
    const name = organ_title(organs.find((organ) => organ.id === named.id)?.name ?? `organ ${named.id}`);
    return (
      <li>
        <button type="button" aria-pressed={viewer.state.organs.has(named.id)} title="show or hide its mask" onClick={() => toggle_organ(viewer, named.id)}>
          <span class="spot" style={{ background: organ_colour(named.id) }} />
          <span class="text">{name}</span>
          <span class="quiet">organ</span>
        </button>
      </li>
    );
  }
  const run = run_of_set(named.set);
  const own = own_names(source, named.set);
  if (run !== null && own !== null) {
    return (
      <li>
        <button type="button" title="show what this run marked" onClick={() => viewer.set({ run, show: "prediction", overlay: true })}>
          <span class="spot" style={{ background: colour_of(named.id) }} />
          <span class="text">
            {own_label(named.id)} {own.find((one) => one.id === named.id)?.text ?? "a mask without a sentence"}
          </span>
          <span class="quiet">{run_label(source, run)}</span>
        </button>
      </li>
    );
  }
  const finding = source.findings.find((one) => one.index === named.id);
  return (
    <li>
      <button type="button" onClick={() => viewer.set({ finding: named.id })}>
        <span class="spot" style={{ background: colour_of(named.id) }} />
        <span class="text">
          {named.id + 1}
          {named.entity > 1 || (named.entity === 1 && (finding?.entities ?? 1) > 1) ? `·${named.entity}` : ""} {finding?.text ?? "no such finding"}
        </span>
        <span class="quiet">{run === null ? "reference" : run_label(source, run)}</span>
      </button>
    </li>
  );
}

export function Here({ viewer, organs }: { viewer: CaseViewer; organs: readonly Organ[] }) {
  useChanges(viewer);
  const at = viewer.state.at;
  const named = useMemo(
    () => (at === null ? [] : viewer.names_at(at)),
    [viewer, at, viewer.store.state("organs"), viewer.store.state("reference"), ...viewer.runs().map((run) => viewer.store.state(`run:${run}`))],
  );
  if (at === null || viewer.volume === null) return null;
  const hu = viewer.hu_at(at);
  const mm = world_mm(viewer.volume.meta.affine, at);
  return (
    <section class="here" aria-label="under the crosshair">
      <p class="whereabouts">
        voxel {at.join(", ")} <span class="quiet">RAS {mm.map((n) => Math.round(n) + 0).join(", ")} mm</span> {hu !== null && <b>{hu} HU</b>}
      </p>
      {named.length === 0 ? (
        <p class="quiet small">No mask here.</p>
      ) : (
        <ul>
          {named.map((one) => (
            <Name key={`${one.set} ${one.id}`} viewer={viewer} named={one} organs={organs} />
          ))}
        </ul>
      )}
    </section>
  );
}
