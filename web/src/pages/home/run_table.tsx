// The runs, by what they scored; two or more of one table can be compared.
import { useState } from "preact/hooks";

import type { Run } from "../../api/types.ts";
import { counted_text } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";
import { words_of } from "../../lib/words.ts";
import { Interval, Strip, Value } from "../../widgets/value.tsx";

interface RunGroup {
  title: string;
  slot: string;
  runs: Run[];
}

// Runs of one task on one split of one dataset can be held against each other.
function groups_of(runs: Run[]): RunGroup[] {
  const groups = new Map<string, RunGroup>();
  for (const run of runs) {
    const where = run.dataset?.id ?? words_of(run.benchmark);
    const title = run.problem ? "Runs that cannot be read" : `${run.kind === "asked" ? "Asked, not scored" : words_of(run.task)} · ${where} ${run.split ?? ""}`;
    const key = title + (run.headline?.slot ?? "");
    const group = groups.get(key) ?? { title, slot: run.headline?.slot ?? "", runs: [] };
    group.runs.push(run);
    groups.set(key, group);
  }
  for (const group of groups.values()) {
    const sign = group.runs[0]?.headline?.direction === "lower" ? 1 : -1;
    group.runs.sort((a, b) => sign * ((a.headline?.value ?? -Infinity) - (b.headline?.value ?? -Infinity)));
  }
  return [...groups.values()];
}

function RunRow({ run, picked, pick }: { run: Run; picked: boolean; pick: (on: boolean) => void }) {
  const headline = run.headline;
  const share = headline?.value !== null && headline !== null && headline.value >= 0 && headline.value <= 1;
  return (
    <tr>
      <td>
        {run.kind === "scores" && <input type="checkbox" checked={picked} onChange={(event) => pick(event.currentTarget.checked)} aria-label={`compare ${run.id}`} />}
      </td>
      <th scope="row">
        <a href={to.run(run.id)}>{run.system ?? run.id}</a>
        {run.id !== run.system && <p class="small quiet">{run.id}</p>}
        {run.problem && <p class="small fault">⚠ {run.problem}</p>}
      </th>
      <td class="number big">
        <Value
          value={headline?.value}
          unit={headline?.unit}
          reason={run.problem ?? (run.kind === "asked" ? "the run is not scored yet" : "the run states no value")}
          href={headline ? to.rows(run.id, { metric: headline.metric }) : undefined}
          title="the rows behind this number"
        />
      </td>
      <td class="wide_only">
        {share && headline && <Strip limits={[0, 1]} marks={[{ kind: "strict", value: headline.value, ci95: headline.ci95 }]} />}
      </td>
      <td class="wide_only">
        <Interval interval={headline?.ci95} />
      </td>
      <td class="number quiet">{headline ? counted_text(headline.n ?? 0, headline.counted ?? "") : run.kind === "asked" ? counted_text(run.cases, "cases") : ""}</td>
    </tr>
  );
}

function GroupTable({ group }: { group: RunGroup }) {
  const [picked, set_picked] = useState<string[]>([]);
  const several = group.runs.length > 1 && group.runs[0]!.kind === "scores";
  const chosen = picked.length >= 2 ? picked : group.runs.slice(0, 4).map((run) => run.id);
  return (
    <div class="run_group">
      <div class="run_group_head">
        <h3>{group.title}</h3>
        {several && <a href={to.compare(chosen)}>{picked.length >= 2 ? `Compare these ${picked.length}` : "Compare"}</a>}
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span class="out_of_sight">compare</span>
            </th>
            <th scope="col">system</th>
            <th scope="col" class="number">
              {words_of(group.slot)}
            </th>
            <th scope="col" class="wide_only">
              <span class="out_of_sight">where it lies</span>
            </th>
            <th scope="col" class="wide_only">
              95 %
            </th>
            <th scope="col" class="number">
              n
            </th>
          </tr>
        </thead>
        <tbody>
          {group.runs.map((run) => (
            <RunRow
              key={run.id}
              run={run}
              picked={picked.includes(run.id)}
              pick={(on) => set_picked((before) => (on ? [...before, run.id] : before.filter((id) => id !== run.id)))}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function RunTable({ runs }: { runs: Run[] }) {
  return (
    <>
      {groups_of(runs).map((group) => (
        <GroupTable key={group.title + group.slot} group={group} />
      ))}
    </>
  );
}
