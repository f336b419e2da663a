// Home: every dataset and run that is served, and what could not be.
import { ask } from "../../api/ask.ts";
import type { Info } from "../../api/types.ts";
import { useTitle } from "../../lib/crumbs.ts";
import { useLoaded } from "../../lib/loaded.ts";
import { Empty, When } from "../../widgets/states.tsx";
import { DatasetCard } from "./dataset_card.tsx";
import { RunTable } from "./run_table.tsx";
import "./home.css";

function Problems({ problems }: { problems: Info["problems"] }) {
  if (problems.length === 0) return null;
  return (
    <section class="notice failed" aria-labelledby="problems">
      <h2 id="problems">Not served</h2>
      <ul>
        {problems.map((problem, i) => (
          <li key={i}>
            <code>{problem.path}</code> {problem.message}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Served({ info }: { info: Info }) {
  if (info.datasets.length === 0 && info.runs.length === 0)
    return (
      <>
        <Empty title="Nothing is served yet" command={"./dev demo\nfiducial serve out/demo"}>
          Give the command folders that hold datasets or scores. This writes a demonstration of both:
        </Empty>
        <Problems problems={info.problems} />
      </>
    );
  return (
    <>
      <section aria-labelledby="datasets">
        <h2 id="datasets">Datasets</h2>
        {info.datasets.length === 0 ? (
          <Empty title="No dataset is served" command="fiducial serve DATASET SCORES">
            Runs show their numbers; give their dataset, too, and every number opens its case.
          </Empty>
        ) : (
          <ul class="cards">
            {info.datasets.map((dataset) => (
              <DatasetCard key={dataset.id} dataset={dataset} runs={info.runs.filter((run) => run.dataset?.id === dataset.id)} />
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="runs">
        <h2 id="runs">Runs</h2>
        {info.runs.length === 0 ? (
          <Empty title="No run is served" command="fiducial score DATASET PREDICTIONS -o SCORES">
            Score predictions, then serve the folder that this writes:
          </Empty>
        ) : (
          <RunTable runs={info.runs} />
        )}
      </section>
      <Problems problems={info.problems} />
    </>
  );
}

export function Page() {
  useTitle("");
  const loaded = useLoaded("info", ask.info);
  return (
    <div class="home">
      <h1 class="out_of_sight">What is served</h1>
      <When loaded={loaded} what="what is served">
        {(info) => <Served info={info} />}
      </When>
    </div>
  );
}
