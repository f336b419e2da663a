// The findings with their scores. A click goes into the mask; another click on to its next entity.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { to } from "../../lib/route.ts";
import type { CaseValue, Finding, ScoreRow } from "../../viewer/case_value.ts";
import type { CaseViewer } from "../../viewer/case_viewer.ts";
import { colour_of } from "../../viewer/overlay.ts";
import type { ViewState } from "../../viewer/view_state.ts";
import { OwnMasks } from "./own_masks.tsx";
import { useChanges } from "./use_viewer.ts";
import { count_words, number_words, rows_of, run_label, score_of } from "./words.ts";

const most_shown = 300;

function Score({ row, label }: { row: ScoreRow | undefined; label: string }) {
  if (row === undefined) return null;
  if (row.value === null) {
    return (
      <span class="score" title={`${row.status}: ${row.reason ?? "no value"}`}>
        <span aria-hidden="true">–</span>
        <span class="out_of_sight">
          {label} {row.metric} {row.status}: {row.reason}
        </span>
      </span>
    );
  }
  return (
    <span class="score" title={`${label}: ${row.metric}, ${row.scorer}`}>
      <span class="out_of_sight">{row.metric} </span>
      {number_words(row.value)}
      <span class="gauge" aria-hidden="true">
        <span style={{ width: `${Math.round(Math.min(1, Math.max(0, row.value)) * 100)}%` }} />
      </span>
    </span>
  );
}

// Every score of the finding, two runs beside each other; what the published scorer gives is marked.
function ScoreTable({ value, runs, finding }: { value: CaseValue; runs: readonly string[]; finding: number }) {
  const by_run = runs.map((run) => rows_of(value, run, finding));
  const lines = new Map(by_run.flat().map((row) => [`${row.scorer} ${row.metric}`, row]));
  if (lines.size === 0) return null;
  return (
    <div class="score_table" tabIndex={0} role="group" aria-label={`all scores of finding ${finding + 1}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">metric</th>
            {runs.map((run) => (
              <th scope="col" class="number" key={run}>
                {run_label(value, run)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...lines].map(([key, { metric, scorer }]) => (
            <tr key={key}>
              <th scope="row">
                {metric} {scorer !== "strict" && <span class="quiet">{scorer}</span>}
              </th>
              {by_run.map((rows, i) => (
                <ScoreCell key={runs[i]} row={rows.find((one) => one.metric === metric && one.scorer === scorer)} run={runs[i]!} name={value.id} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// A number opens the rows behind it.
function ScoreCell({ row, run, name }: { row: ScoreRow | undefined; run: string; name: string }) {
  const reason = row !== undefined && row.value === null ? `${row.status}: ${row.reason ?? "no value"}` : undefined;
  return (
    <td class="number" title={reason}>
      {row !== undefined && <a href={to.rows(run, { metric: row.metric, scorer: row.scorer, q: name })}>{number_words(row.value)}</a>}
      {reason !== undefined && <span class="out_of_sight"> {reason}</span>}
    </td>
  );
}

function facts_of(finding: Finding): string {
  const parts = [finding.category_title ?? finding.category, finding.focality?.replace("_", "-")];
  if (finding.entities !== null && finding.entities !== undefined) parts.push(finding.entities === 1 ? "1 entity" : `${finding.entities} entities`);
  if (finding.voxels !== null && finding.voxels !== undefined) parts.push(count_words(finding.voxels, "voxel"));
  return parts.filter((part) => part).join(" · ");
}

// The state is handed on, as a component whose properties are the same is not drawn again.
function Item({ viewer, finding, state }: { viewer: CaseViewer; finding: Finding; state: ViewState }) {
  const { source } = viewer;
  const chosen = state.finding === finding.index;
  const hidden = state.hidden.has(finding.index);
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (chosen) item.current?.querySelector(".finding_row")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const runs = [state.run, state.versus].filter((run) => run !== null);
  const toggle = (): void => {
    const next = new Set(state.hidden);
    if (!next.delete(finding.index)) next.add(finding.index);
    viewer.set({ hidden: next });
  };
  const number = finding.index + 1;
  return (
    <li ref={item} class={`finding${chosen ? " selected" : ""}${hidden ? " hidden_mask" : ""}`}>
      <div class="finding_row">
        <button type="button" class="swatch" aria-pressed={!hidden} aria-label={`mask of finding ${number}`} title={hidden ? "show the mask" : "hide the mask"} onClick={toggle}>
          <span style={{ background: hidden ? "transparent" : colour_of(finding.index), borderColor: colour_of(finding.index) }} />
        </button>
        <button type="button" class="sentence" data-finding={finding.index} aria-current={chosen ? "true" : undefined} onClick={() => viewer.go_to_finding(finding.index)}>
          <span class="number_of">{number}</span> <span class="text">{finding.text}</span>
          <span class="scores">
            {runs.map((run) => (
              <Score key={run} row={score_of(source, run, finding.index)} label={run_label(source, run)} />
            ))}
          </span>
        </button>
      </div>
      {chosen && (
        <div class="more">
          <p class="quiet small">{facts_of(finding)}</p>
          <ScoreTable value={source} runs={runs} finding={finding.index} />
        </div>
      )}
    </li>
  );
}

function matching(findings: readonly Finding[], words: string): readonly Finding[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return findings;
  return findings.filter((finding) => `${finding.text} ${finding.category_title ?? ""}`.toLowerCase().includes(wanted));
}

export function FindingsTab({ viewer }: { viewer: CaseViewer }) {
  useChanges(viewer);
  const { source, state } = viewer;
  const [words, set_words] = useState("");
  const [all, show_all] = useState(false);
  const found = matching(source.findings, words);
  const shown = all ? found : found.filter((finding, place) => place < most_shown || finding.index === state.finding);
  // The list is drawn again when something in it changed, not for every slice.
  const list = useMemo(
    () => (
      <ol class="findings">
        {shown.map((finding) => (
          <Item key={finding.index} viewer={viewer} finding={finding} state={state} />
        ))}
      </ol>
    ),
    [viewer, words, all, state.finding, state.hidden, state.run, state.versus],
  );
  if (source.findings.length === 0) return <p class="quiet tab_text">This case lists no findings.</p>;
  const reference = source.sets.find((set) => set.id === "reference");
  return (
    <>
      {reference?.available === false && <p class="quiet small tab_text">No masks of these findings: {reference.reason}</p>}
      {source.findings.length > 8 && (
        <input type="search" class="list_search" placeholder="search findings  /" aria-label="search findings" value={words} onInput={(event) => set_words(event.currentTarget.value)} />
      )}
      {found.length === 0 && <p class="quiet tab_text">No finding has these words.</p>}
      {list}
      {shown.length < found.length && (
        <button type="button" class="show_all" onClick={() => show_all(true)}>
          Show all {found.length}
        </button>
      )}
      <OwnMasks viewer={viewer} />
    </>
  );
}
