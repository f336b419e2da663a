// The rows behind a run's numbers: search, filter, sort, save as CSV; each opens its case at the place.
import { ask } from "../../api/ask.ts";
import type { Rows, RunPage } from "../../api/types.ts";
import { useTitle } from "../../lib/crumbs.ts";
import { save_blob } from "../../lib/download.ts";
import { useLoaded } from "../../lib/loaded.ts";
import { grouped } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";
import { go, place, set_query, with_query } from "../../lib/router.ts";
import type { PageProps } from "../../routes.ts";
import { Empty, Partial, When } from "../../widgets/states.tsx";
import { RowFilters } from "./filters.tsx";
import { RowTable } from "./row_table.tsx";
import "./rows.css";

const passed_on = ["metric", "scorer", "where", "q", "sort", "order", "after"];

// What the server is asked: what stands in the address, strict rows unless it says otherwise.
function asked_for(): URLSearchParams {
  const query = new URLSearchParams({ limit: "100" });
  for (const [name, value] of place.value.query) if (passed_on.includes(name) && value) query.append(name, value);
  return query;
}

function without_where(value: string): string {
  const query = new URLSearchParams(place.value.query);
  const kept = query.getAll("where").filter((each) => each !== value);
  query.delete("where");
  query.delete("after");
  for (const each of kept) query.append("where", each);
  return `${place.value.path}?${query}`;
}

function Conditions() {
  const conditions = place.value.query.getAll("where");
  if (conditions.length === 0) return null;
  return (
    <ul class="chips conditions">
      {conditions.map((condition) => (
        <li key={condition}>
          <a href={without_where(condition)} aria-label={`remove the condition ${condition}`}>
            {condition.replace(/^group_/, "").replaceAll("_", " ")} <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Found({ rows, run }: { rows: Rows; run: RunPage }) {
  if (rows.items.length === 0)
    return (
      <Empty title="No row fits">
        No row of {run.id} meets these conditions. <a href={to.rows(run.id)}>Show all rows</a>.
      </Empty>
    );
  return (
    <>
      <Partial>
        {grouped(rows.total)} rows{rows.items.length < rows.total && `, ${grouped(rows.items.length)} shown`}
      </Partial>
      <RowTable rows={rows} run={run} />
      <nav class="pager" aria-label="pages">
        {place.value.query.get("after") && <a href={with_query({ after: null })}>First page</a>}
        {rows.next && <a href={with_query({ after: rows.next })}>Next page</a>}
      </nav>
    </>
  );
}

export function Page({ params }: PageProps) {
  const id = params["run"] ?? "";
  useTitle("rows", [{ text: id, href: to.run(id) }]);
  const query = asked_for();
  const run = useLoaded(`run ${id}`, (signal) => ask.run(id, signal));
  const rows = useLoaded(`rows ${id} ${query}`, (signal) => ask.rows(id, query, signal));
  const save = async (): Promise<void> => {
    const all = asked_for();
    all.delete("limit");
    all.delete("after");
    save_blob(await ask.rows_csv(id, all), `${id}.csv`);
  };
  return (
    <div class="rows">
      <h1 class="out_of_sight">Rows of {id}</h1>
      <When loaded={run} what="the run">
        {(about) => (
          <>
            <RowFilters run={about} change={(change) => set_query({ ...change, after: null })} add={(where) => go(add_where(where))} save={save} />
            <Conditions />
            <When loaded={rows} what="rows">
              {(list) => <Found rows={list} run={about} />}
            </When>
          </>
        )}
      </When>
    </div>
  );
}

function add_where(condition: string): string {
  const query = new URLSearchParams(place.value.query);
  if (!query.getAll("where").includes(condition)) query.append("where", condition);
  query.delete("after");
  return `${place.value.path}?${query}`;
}
