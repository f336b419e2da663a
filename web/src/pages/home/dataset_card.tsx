// A dataset at a glance: what it holds, and the two ways into it.
import type { Dataset, Run } from "../../api/types.ts";
import { counted_text, grouped } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";

const kind_words: Record<string, string> = {
  grounded: "findings in CT",
  questions: "questions with images",
  tables: "region reports and questions",
};

// "ReXGroundingCT: findings segmented in chest CT" has a name and says what it is.
function title_parts(title: string): [string, string] {
  const colon = title.indexOf(": ");
  return colon < 0 ? [title, ""] : [title.slice(0, colon), title.slice(colon + 2)];
}

export function DatasetCard({ dataset, runs }: { dataset: Dataset; runs: Run[] }) {
  const [name, about] = title_parts(dataset.title);
  return (
    <li class="card">
      <h3>
        <a href={to.dataset(dataset.id)}>{dataset.id}</a>
      </h3>
      <p class="small quiet">
        {name}
        {about && `: ${about}`}
      </p>
      {dataset.problem ? (
        <p class="fault">⚠ {dataset.problem}</p>
      ) : (
        <>
          <p>
            {counted_text(dataset.cases, "cases")}
            <span class="quiet">{dataset.kinds.length > 0 && " · "}{dataset.kinds.map((kind) => kind_words[kind] ?? kind).join(", ")}</span>
          </p>
          <ul class="chips">
            {dataset.splits.map((split) => (
              <li key={split.name}>
                <a href={to.cases(dataset.id, { split: split.name })}>
                  {split.name} <span class="quiet">{grouped(split.cases)}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="ways">
        <a href={to.cases(dataset.id)}>Browse cases</a>
        <span class="quiet small">
          {counted_text(runs.length, "runs").replace(/^1 runs/, "1 run")}
          {dataset.kinds.includes("grounded") && !dataset.has_volumes && " · no CT is served"}
        </span>
      </p>
    </li>
  );
}
