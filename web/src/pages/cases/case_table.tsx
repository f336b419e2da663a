// One row a case: a small picture, what it is, what it holds, and its score.
import { useState } from "preact/hooks";

import type { CaseRow, DatasetPage, Run } from "../../api/types.ts";
import { grouped } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";
import { set_query, place } from "../../lib/router.ts";
import { words_of } from "../../lib/words.ts";
import { SortHeader, type Order } from "../../widgets/sort_header.tsx";
import { Strip, Value } from "../../widgets/value.tsx";

// A picture that does not come leaves its place empty.
function Thumb({ source }: { source: string | null }) {
  const [broken, set_broken] = useState(false);
  if (!source || broken) return <div class="thumb none" aria-hidden="true" />;
  return <img class="thumb" src={source} alt="" loading="lazy" width={72} height={72} onError={() => set_broken(true)} />;
}

function counts_text(counts: Record<string, number>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${grouped(count)} ${count === 1 ? name.replace(/s$/, "") : name}`)
    .join(", ");
}

function CaseLine({ row, dataset, run }: { row: CaseRow; dataset: DatasetPage; run: Run | null }) {
  const address = to.case(dataset.id, row.id, { run: run?.id });
  const share = typeof row.value === "number" && row.value >= 0 && row.value <= 1;
  return (
    <tr>
      <td class="picture">
        <a href={address} tabIndex={-1} aria-hidden="true">
          <Thumb source={row.kind === "questions" || dataset.has_volumes ? row.thumb : null} />
        </a>
      </td>
      <th scope="row">
        <a href={address}>{row.title.length <= 60 ? row.title : row.id}</a>
        {row.title.length > 60 && <p class="title quiet small">{row.title}</p>}
      </th>
      <td>{row.split}</td>
      <td class="wide_only">{counts_text(row.counts)}</td>
      {run && (
        <td class="number">
          <Value value={row.value} reason={row.status ? `status: ${row.status}` : "the run did not score this case"} href={to.rows(run.id, { q: row.name ?? row.id })} />
          {row.status && row.status !== "scored" && <p class="small quiet">{words_of(row.status)}</p>}
        </td>
      )}
      {run && <td class="wide_only">{share && <Strip limits={[0, 1]} width={120} marks={[{ kind: "strict", value: row.value ?? null }]} />}</td>}
    </tr>
  );
}

export function CaseTable({ cases, dataset, run }: { cases: CaseRow[]; dataset: DatasetPage; run: Run | null }) {
  const query = place.value.query;
  const sort = query.get("sort") ?? "";
  const order = (query.get("order") ?? "asc") as Order;
  const on_sort = (name: string, next: Order): void => set_query({ sort: name, order: next, after: null });
  return (
    <table class="case_table">
      <thead>
        <tr>
          <th scope="col">
            <span class="out_of_sight">picture</span>
          </th>
          <SortHeader text="case" name="name" sort={sort} order={order} on_sort={on_sort} />
          <th scope="col">split</th>
          <th scope="col" class="wide_only">
            holds
          </th>
          {run && <SortHeader text={words_of(query.get("metric") ?? run.headline?.metric ?? "score")} name="value" sort={sort} order={order} number on_sort={on_sort} />}
          {run && (
            <th scope="col" class="wide_only">
              <span class="out_of_sight">where it lies</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {cases.map((row) => (
          <CaseLine key={row.id} row={row} dataset={dataset} run={run} />
        ))}
      </tbody>
    </table>
  );
}
