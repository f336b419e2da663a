// A dataset: what it holds, its card, and what `fiducial check` says of it.
import { ask } from "../../api/ask.ts";
import type { DatasetPage } from "../../api/types.ts";
import { useTitle } from "../../lib/crumbs.ts";
import { useLoaded } from "../../lib/loaded.ts";
import { counted_text, grouped } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";
import type { PageProps } from "../../routes.ts";
import { Markdown } from "../../widgets/markdown.tsx";
import { Empty, Failed, When } from "../../widgets/states.tsx";
import { LintSection } from "./lint.tsx";
import { Statistics } from "./statistics.tsx";
import "./dataset.css";

function Head({ dataset }: { dataset: DatasetPage }) {
  return (
    <header class="page_head">
      <h1>{dataset.id}</h1>
      <p class="quiet">
        {dataset.title}
        {dataset.path && (
          <>
            {" · "}
            <code>{dataset.path}</code>
          </>
        )}
      </p>
      <ul class="chips">
        {dataset.splits.map((split) => (
          <li key={split.name}>
            <a href={to.cases(dataset.id, { split: split.name })}>
              {split.name} <span class="quiet">{grouped(split.cases)}</span>
            </a>
          </li>
        ))}
        <li>
          <a href={to.cases(dataset.id)}>browse {counted_text(dataset.cases, "cases")}</a>
        </li>
      </ul>
    </header>
  );
}

function CardSection({ dataset }: { dataset: DatasetPage }) {
  return (
    <section aria-labelledby="card">
      <h2 id="card">Card</h2>
      {dataset.card ? (
        <Markdown text={dataset.card} />
      ) : (
        <Empty title="This dataset has no card" command={`fiducial card make ${dataset.path ?? dataset.id} -o card.md`}>
          A card computed from the files says what the dataset is for, what it holds and what it lacks.
        </Empty>
      )}
    </section>
  );
}

export function Page({ params }: PageProps) {
  const id = params["dataset"] ?? "";
  useTitle(id);
  const loaded = useLoaded(`dataset ${id}`, (signal) => ask.dataset(id, signal));
  return (
    <When loaded={loaded} what="the dataset" title={id}>
      {(dataset) => (
        <div class="dataset">
          <Head dataset={dataset} />
          {dataset.problem && (
            <Failed problem={{ title: "The dataset cannot be read", status: 0, code: "dataset_unreadable", detail: dataset.problem }} />
          )}
          <Statistics dataset={dataset} />
          <LintSection dataset={dataset} />
          <CardSection dataset={dataset} />
        </div>
      )}
    </When>
  );
}
