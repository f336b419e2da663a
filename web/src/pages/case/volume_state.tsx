// What is to say about the volume and the masks while they are not all there. The picture that is there stays.
import type { CaseViewer } from "../../viewer/case_viewer.ts";
import { sets_of } from "../../viewer/layers.ts";
import { run_of_set } from "../../viewer/case_value.ts";
import { Empty, Failed } from "../../widgets/states.tsx";
import { useChanges } from "./use_viewer.ts";
import { run_label } from "./words.ts";

const as_sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? "" : "."}`;

function NoVolume({ viewer }: { viewer: CaseViewer }) {
  const { source } = viewer;
  if (source.volume?.available === true) {
    const problem = { title: "The CT of this case did not open", status: 0, code: "volume_failed", detail: viewer.problem };
    return <Failed problem={problem} retry={() => viewer.retry()} />;
  }
  return (
    <Empty title="No CT to look at" command="fiducial serve DATASET SCORES --volumes FOLDER">
      {as_sentence(source.volume?.reason ?? "this dataset has no volumes")} Texts, findings and scores are on the list.
    </Empty>
  );
}

export function VolumeState({ viewer }: { viewer: CaseViewer }) {
  useChanges(viewer);
  const { volume } = viewer;
  if (viewer.problem !== "" || viewer.source.volume?.available !== true) {
    return (
      <div class="no_volume">
        <NoVolume viewer={viewer} />
      </div>
    );
  }
  const failed = sets_of(viewer.source, viewer.state).filter((set) => viewer.store.state(set) === "failed");
  const broken = viewer.loading_error;
  const partial = volume !== null && !volume.whole;
  if (!partial && broken === null && failed.length === 0) return null;
  return (
    <div class="volume_state" role="status">
      {partial && broken === null && (
        <span>
          {volume.slabs_loaded} of {volume.meta.slabs} slabs
          <progress value={volume.slabs_loaded} max={volume.meta.slabs} aria-label="slabs loaded" />
        </span>
      )}
      {broken !== null && <span class="fault">Loading stopped: {broken.message}. What is there stays.</span>}
      {failed.map((set) => (
        <span class="fault" key={set}>
          Masks of {run_of_set(set) === null ? set : run_label(viewer.source, run_of_set(set)!)} did not come: {viewer.store.error(set)}
        </span>
      ))}
      {(broken !== null || failed.length > 0) && (
        <button type="button" onClick={() => viewer.retry()}>
          Retry
        </button>
      )}
    </div>
  );
}
