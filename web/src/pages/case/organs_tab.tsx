// Organs by name: a switch for each, and a click that goes into it.
import { useMemo, useState } from "preact/hooks";

import { organ_title, type Organ } from "../../viewer/case_value.ts";
import type { CaseViewer } from "../../viewer/case_viewer.ts";
import { organ_colour } from "../../viewer/overlay.ts";
import type { Organs } from "./organs.ts";
import { useChanges } from "./use_viewer.ts";
import { count_words } from "./words.ts";

export function OrgansTab({ viewer, organs }: { viewer: CaseViewer; organs: Organs }) {
  const [words, set_words] = useState("");
  useChanges(viewer);
  const { state, store } = viewer;
  const wanted = words.trim().toLowerCase();
  const found = organs.items.filter((organ) => organ_title(organ.name).toLowerCase().includes(wanted));
  const choose = (chosen: Iterable<number>): void => viewer.set({ organs: new Set(chosen) });
  const toggle = (organ: Organ): void => {
    const next = new Set(state.organs);
    if (!next.delete(organ.id)) next.add(organ.id);
    choose(next);
  };
  const visit = async (organ: Organ): Promise<void> => {
    choose([...state.organs, organ.id]);
    if (store.state("organs") !== "there") await store.bring("organs");
    viewer.go_to_mask("organs", organ.id);
  };
  const list = useMemo(
    () => (
      <ul class="organs">
        {found.map((organ) => (
          <li key={organ.id}>
            <button type="button" class="swatch" aria-pressed={state.organs.has(organ.id)} aria-label={`mask of ${organ_title(organ.name)}`} onClick={() => toggle(organ)}>
              <span style={{ background: state.organs.has(organ.id) ? organ_colour(organ.id) : "transparent", borderColor: organ_colour(organ.id) }} />
            </button>
            <button type="button" class="organ" disabled={organ.voxels === 0} data-organ={organ.id} onClick={() => void visit(organ)}>
              <span>{organ_title(organ.name)}</span> <span class="quiet">{organ.voxels === 0 ? "empty" : organ.voxels.toLocaleString("en")}</span>
            </button>
          </li>
        ))}
      </ul>
    ),
    [viewer, organs, wanted, state.organs],
  );
  if (organs.error !== "") return <p class="fault tab_text">The list of organs did not come: {organs.error}</p>;
  return (
    <>
      <input type="search" class="list_search" placeholder="search organs  /" aria-label="search organs" value={words} onInput={(event) => set_words(event.currentTarget.value)} />
      <p class="tab_tools">
        <button type="button" onClick={() => choose([...state.organs, ...found.map((organ) => organ.id)])}>
          Show {wanted === "" ? "all" : "these"} {found.length}
        </button>
        <button type="button" disabled={state.organs.size === 0} onClick={() => choose([])}>
          Hide all
        </button>
        <span class="quiet small">{count_words(state.organs.size, "organ")} shown, voxels beside the names</span>
      </p>
      {store.state("organs") === "failed" && <p class="fault tab_text">The masks of organs did not come: {store.error("organs")}</p>}
      {list}
    </>
  );
}
