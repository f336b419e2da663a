// The cases of a dataset: search, filters, a run's score beside each, pages by key.
import { ask } from "../../api/ask.ts";
import type { CaseRow, DatasetPage, Info, Listed } from "../../api/types.ts";
import { useTitle } from "../../lib/crumbs.ts";
import { useLoaded } from "../../lib/loaded.ts";
import { counted_text } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";
import { place, set_query, with_query } from "../../lib/router.ts";
import type { PageProps } from "../../routes.ts";
import { Empty, Partial, When } from "../../widgets/states.tsx";
import { CaseTable } from "./case_table.tsx";
import { CaseFilters } from "./filters.tsx";
import "./cases.css";

const names = ["q", "split", "group", "run", "metric", "sort", "order", "after"] as const;

function Found({ found, dataset, info }: { found: Listed<CaseRow>; dataset: DatasetPage; info: Info }) {
  const query = place.value.query;
  const filtered = ["q", "split", "group"].some((name) => query.get(name));
  if (found.items.length === 0)
    return filtered ? (
      <Empty title="No case fits">
        Nothing in {dataset.id} has these words in this split and group. <a href={to.cases(dataset.id)}>Show all cases</a>.
      </Empty>
    ) : (
      <Empty title="This dataset has no cases" command={`fiducial check ${dataset.path ?? dataset.id}`}>
        The check says what is missing:
      </Empty>
    );
  const run = info.runs.find((each) => each.id === query.get("run")) ?? null;
  return (
    <>
      <Partial>
        {counted_text(found.total, "cases")}
        {filtered ? " fit" : ""}
        {found.items.length < found.total && `, ${found.items.length} shown`}
      </Partial>
      <CaseTable cases={found.items} dataset={dataset} run={run} />
      <nav class="pager" aria-label="pages">
        {query.get("after") && <a href={with_query({ after: null })}>First page</a>}
        {found.next && <a href={with_query({ after: found.next })}>Next page</a>}
      </nav>
    </>
  );
}

export function Page({ params }: PageProps) {
  const id = params["dataset"] ?? "";
  useTitle("cases", [{ text: id, href: to.dataset(id) }]);
  const asked = Object.fromEntries(names.map((name) => [name, place.value.query.get(name)]));
  const about = useLoaded(`about ${id}`, async (signal) => {
    const [dataset, info] = await Promise.all([ask.dataset(id, signal), ask.info(signal)]);
    return { dataset, info };
  });
  const key = `cases ${id} ${JSON.stringify(asked)}`;
  const found = useLoaded(key, (signal) => ask.cases(id, { limit: 60, ...asked }, signal));
  return (
    <div class="cases">
      <h1 class="out_of_sight">Cases of {id}</h1>
      <When loaded={about} what="the dataset">
        {({ dataset, info }) => (
          <>
            <CaseFilters dataset={dataset} info={info} cases={found.value?.items ?? []} change={(change) => set_query({ ...change, after: null })} />
            <When loaded={found} what="cases">
              {(list) => <Found found={list} dataset={dataset} info={info} />}
            </When>
          </>
        )}
      </When>
    </div>
  );
}
