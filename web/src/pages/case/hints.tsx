// The line at the foot of the page: what colours mean, and the keys people use most.
import type { CaseViewer } from "../../viewer/case_viewer.ts";
import { useChanges } from "./use_viewer.ts";

const hints: readonly (readonly [readonly string[], string])[] = [
  [["n", "p"], "finding"],
  [["d"], "difference"],
  [["o"], "masks"],
  [["1", "2", "3"], "window"],
  [["m"], "planes"],
  [["g"], "largest slice"],
  [["t"], "MIP"],
  [["?"], "all keys"],
];

export function Legend() {
  return (
    <span class="key_of_colours">
      <span>
        <i class="mark both" /> both
      </span>
      <span>
        <i class="mark missed" /> missed
      </span>
      <span>
        <i class="mark extra" /> extra
      </span>
    </span>
  );
}

export function Hints({ viewer }: { viewer: CaseViewer }) {
  useChanges(viewer);
  return (
    <div class="hints">
      {viewer.state.show === "difference" && viewer.state.run !== null && viewer.state.overlay && <Legend />}
      <span class="keys_hint" aria-hidden="true">
        {hints.map(([keys, words]) => (
          <span key={words}>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}{" "}
            {words}
          </span>
        ))}
      </span>
    </div>
  );
}
