// The scorecard of a run: strict beside official, where it works and where not, and the cases behind it.
import { ask } from "../../api/ask.ts";
import type { RunPage } from "../../api/types.ts";
import { useTitle } from "../../lib/crumbs.ts";
import { useLoaded } from "../../lib/loaded.ts";
import { counted_text } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";
import { words_of } from "../../lib/words.ts";
import type { PageProps } from "../../routes.ts";
import { Empty, Failed, When } from "../../widgets/states.tsx";
import { Baselines } from "./baselines.tsx";
import { Distribution } from "./distribution.tsx";
import { GroupSection } from "./group_section.tsx";
import { Remarks } from "./remarks.tsx";
import { SlotTable } from "./slot_table.tsx";
import "./run.css";

function Head({ run }: { run: RunPage }) {
  const { summary } = run;
  return (
    <header class="page_head">
      <h1>{summary.system}</h1>
      <p class="quiet">
        {words_of(summary.task)} · {run.dataset?.id ? <a href={to.dataset(run.dataset.id)}>{run.dataset.id}</a> : words_of(summary.benchmark)} ·{" "}
        {summary.split} · {counted_text(run.cases, "cases")}
      </p>
      <ul class="chips">
        <li>
          <a href={to.rows(run.id)}>all rows</a>
        </li>
        {run.dataset?.id && (
          <li>
            <a href={to.cases(run.dataset.id, { split: summary.split, run: run.id, sort: "value", order: "asc" })}>cases, worst first</a>
          </li>
        )}
        <li>
          <a href={to.compare([run.id])}>compare with …</a>
        </li>
      </ul>
    </header>
  );
}

// A turned prediction is worth more than any number below it.
function Orientation({ run }: { run: RunPage }) {
  const found = run.summary.orientation;
  if (!found) return null;
  return (
    <p class="notice failed" role="note">
      <strong>⚠ Masks look turned.</strong> {found.cases ?? "Most"} cases fit better under “{found.transform}”.
    </p>
  );
}

function Provenance({ run }: { run: RunPage }) {
  const facts = Object.entries(run.summary.provenance ?? {});
  return (
    <section aria-labelledby="provenance">
      <h2 id="provenance">Make these numbers again</h2>
      <pre>fiducial verify {run.path ?? run.id} DATASET PREDICTIONS</pre>
      <dl class="facts small">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt class="quiet">{name.replaceAll("_", " ")}</dt>
            <dd>
              <code>{String(value)}</code>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

// What a model was asked and nothing has scored yet: its replies stand beside the cases.
function Asked({ run }: { run: RunPage }) {
  const dataset = run.dataset?.id ?? null;
  return (
    <div class="run">
      <header class="page_head">
        <h1>{run.system ?? run.id}</h1>
        <p class="quiet">
          replies of a model · {dataset ? <a href={to.dataset(dataset)}>{dataset}</a> : words_of(run.benchmark)} · {run.split} · {counted_text(run.cases, "cases")}
        </p>
        {dataset && (
          <ul class="chips">
            <li>
              <a href={to.cases(dataset, { split: run.split })}>its cases</a>
            </li>
          </ul>
        )}
      </header>
      <Empty title="This run is not scored yet" command={`fiducial score DATASET ${run.path ?? run.id} -o SCORES`}>
        Its replies are shown with each case; numbers come with a score folder.
      </Empty>
    </div>
  );
}

function Scorecard({ run }: { run: RunPage }) {
  if (run.kind === "asked" && !run.problem) return <Asked run={run} />;
  if (run.problem || !run.summary)
    return <Failed problem={{ title: "The run cannot be read", status: 0, code: "run_unreadable", detail: run.problem ?? "It has no summary." }} />;
  if (Object.keys(run.summary.metrics).length === 0)
    return <Empty title="This run states no value">Its summary holds no slot; see its remarks and the rows behind it.</Empty>;
  return (
    <div class="run">
      <Head run={run} />
      <Orientation run={run} />
      <SlotTable run={run} />
      <Baselines baselines={run.summary.baselines} />
      <Distribution run={run} />
      <GroupSection run={run} />
      <Remarks run={run} />
      <Provenance run={run} />
    </div>
  );
}

export function Page({ params }: PageProps) {
  const id = params["run"] ?? "";
  useTitle(id, [{ text: "runs", href: to.home() }]);
  const loaded = useLoaded(`run ${id}`, (signal) => ask.run(id, signal));
  return (
    <When loaded={loaded} what="the scorecard" title={id}>
      {(run) => <Scorecard run={run} />}
    </When>
  );
}
