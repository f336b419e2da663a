// Two or more runs against each other: paired differences, tiers, and the cases that moved most.
import { ask } from "../../api/ask.ts";
import type { Comparison, Info } from "../../api/types.ts";
import { useTitle } from "../../lib/crumbs.ts";
import { useLoaded } from "../../lib/loaded.ts";
import { counted_text } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";
import { place, set_query } from "../../lib/router.ts";
import { words_of } from "../../lib/words.ts";
import { Choice } from "../../widgets/choice.tsx";
import { Empty, When } from "../../widgets/states.tsx";
import { Curve } from "./curve.tsx";
import { GroupDifferences } from "./group_differences.tsx";
import { MovedCases } from "./moved_cases.tsx";
import { PickRuns } from "./pick_runs.tsx";
import { SlotComparison } from "./slot_comparison.tsx";
import { Tiers } from "./tiers.tsx";
import "./compare.css";

export interface ComparedRuns {
  ids: string[];
  names: string[]; // as shown: the system, or the id where two systems share a name
  dataset: string | null;
}

function compared(ids: string[], info: Info): ComparedRuns {
  const runs = ids.map((id) => info.runs.find((run) => run.id === id));
  const systems = runs.map((run, i) => run?.system ?? ids[i] ?? "");
  const names = systems.map((system, i) => (systems.indexOf(system) === systems.lastIndexOf(system) ? system : (ids[i] ?? "")));
  return { ids, names, dataset: runs[0]?.dataset?.id ?? null };
}

function Head({ comparison, runs }: { comparison: Comparison; runs: ComparedRuns }) {
  const about = [words_of(comparison.benchmark), comparison.split, `${comparison.mode} rules`, counted_text(comparison.patients, comparison.resampled)];
  return (
    <header class="page_head">
      <h1>{listed(runs.names)}</h1>
      <p class="quiet">{about.join(" · ")}</p>
      {comparison.least_p !== undefined && comparison.least_p > 0.05 && (
        <p class="notice partial small" role="note">
          With so few {comparison.resampled} no difference can have a p below {comparison.least_p.toFixed(4)}, whatever the systems do.
        </p>
      )}
    </header>
  );
}

function Compared({ comparison, runs }: { comparison: Comparison; runs: ComparedRuns }) {
  const slots = Object.keys(comparison.slots);
  return (
    <>
      <Head comparison={comparison} runs={runs} />
      <div class="section_head">
        <Choice
          label="ranked and split by"
          value={comparison.metric}
          options={slots.map((slot) => ({ value: slot, text: words_of(slot) }))}
          on_choose={(slot) => set_query({ slot })}
        />
        <Choice
          label="rules"
          value={comparison.mode}
          options={[{ value: "strict", text: "strict" }, { value: "official", text: "official" }]}
          on_choose={(scorer) => set_query({ scorer })}
        />
      </div>
      <Tiers comparison={comparison} runs={runs} />
      <Curve comparison={comparison} runs={runs} />
      <MovedCases comparison={comparison} runs={runs} />
      <SlotComparison comparison={comparison} runs={runs} />
      <GroupDifferences comparison={comparison} runs={runs} />
      <dl class="facts small provenance">
        {["test", "interval", "groups"].map((name) => {
          const text = comparison.provenance?.[name];
          return typeof text === "string" ? (
            <div key={name}>
              <dt class="quiet">{name === "groups" ? "tiers" : name}</dt>
              <dd>{text}</dd>
            </div>
          ) : null;
        })}
      </dl>
    </>
  );
}

// "good, weak and flipped".
function listed(names: string[]): string {
  return names.length < 3 ? names.join(" and ") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

function Asked({ ids, info }: { ids: string[]; info: Info }) {
  const query = { runs: ids.join(","), slot: place.value.query.get("slot"), scorer: place.value.query.get("scorer") };
  const loaded = useLoaded(`compare ${JSON.stringify(query)}`, (signal) => ask.compare(query, signal));
  return (
    <When loaded={loaded} what="the comparison" title="Compare runs">
      {(comparison) => <Compared comparison={comparison} runs={compared(ids, info)} />}
    </When>
  );
}

export function Page() {
  const ids = (place.value.query.get("runs") ?? "").split(",").filter(Boolean);
  useTitle("compare", [{ text: "runs", href: to.home() }]);
  const loaded = useLoaded("info", ask.info);
  return (
    <div class="compare">
      <When loaded={loaded} what="the runs" title="Compare runs">
        {(info) => (
          <>
            <PickRuns info={info} ids={ids} />
            {ids.length < 2 ? (
              <>
                <h1>Compare runs</h1>
                <Empty title="Choose two runs or more">
                  They must have scored the same split of the same dataset, so that every difference is paired.
                </Empty>
              </>
            ) : (
              <Asked ids={ids} info={info} />
            )}
          </>
        )}
      </When>
    </div>
  );
}
