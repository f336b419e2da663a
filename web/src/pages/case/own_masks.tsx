// What a run marked that does not segment the findings of the reference but reports its own: its sentences, each a way to
// its mask.
import { own_names, set_of_run } from "../../viewer/case_value.ts";
import type { CaseViewer } from "../../viewer/case_viewer.ts";
import { own_label } from "../../viewer/layers.ts";
import { colour_of } from "../../viewer/overlay.ts";
import { run_label } from "./words.ts";

function OwnOfRun({ viewer, run }: { viewer: CaseViewer; run: string }) {
  const { source } = viewer;
  const names = own_names(source, set_of_run(run));
  if (names === null) return null;
  const visit = (id: number): void => {
    viewer.set({ run, show: "prediction", overlay: true });
    viewer.go_to_mask(set_of_run(run), id);
  };
  return (
    <section class="own_masks">
      <h3>What {run_label(source, run)} reported</h3>
      <p class="small quiet">Its masks belong to its own sentences, in its own order. The difference is that of all masks together.</p>
      {names.length === 0 && <p class="small quiet">Its sentences are not among what is served.</p>}
      <ol class="sentences">
        {names.map(({ id, text }, i) => (
          <li key={i}>
            <button type="button" class="report_sentence" data-own={id} onClick={() => visit(id)}>
              <span class="spot" style={{ background: colour_of(id) }} /> {own_label(id)} {text}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

export function OwnMasks({ viewer }: { viewer: CaseViewer }) {
  const runs = [viewer.state.run, viewer.state.versus].filter((run) => run !== null);
  return (
    <>
      {runs.map((run) => (
        <OwnOfRun key={run} viewer={viewer} run={run} />
      ))}
    </>
  );
}
