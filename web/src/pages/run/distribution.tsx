// Single values of one metric: their distribution, the worst and the best. Each opens its case at the place.
import { ask } from "../../api/ask.ts";
import type { Row, RunPage } from "../../api/types.ts";
import { useLoaded } from "../../lib/loaded.ts";
import { grouped, number_text } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";
import { place, set_query } from "../../lib/router.ts";
import { has_findings, row_address, row_name } from "../../lib/row_links.ts";
import { words_of } from "../../lib/words.ts";
import { Choice } from "../../widgets/choice.tsx";
import { Dots } from "../../widgets/dots.tsx";
import { Empty, Partial, When } from "../../widgets/states.tsx";

const most_dots = 500;

function metrics_of(run: RunPage): { value: string; text: string }[] {
  const seen = new Map<string, string>();
  for (const [name, slot] of Object.entries(run.summary.metrics)) if (!seen.has(slot.metric)) seen.set(slot.metric, words_of(name).replace(/, mean over.*/, ""));
  return [...seen].map(([value, text]) => ({ value, text }));
}

function RowList({ title, rows, run }: { title: string; rows: Row[]; run: RunPage }) {
  return (
    <div>
      <h3>{title}</h3>
      <ol class="row_list">
        {rows.map((row, i) => {
          const address = row_address(row, run.dataset?.id, run.id, run.task, true);
          return (
            <li key={i}>
              {address ? <a href={address}>{row_name(row, has_findings(run.task))}</a> : row_name(row, has_findings(run.task))}
              <span class="quiet small">{row["category"] ? ` ${String(row["category"])}` : ""}</span>
              <span class="number">{number_text(row.value)}</span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function Shown({ rows, total, run, metric }: { rows: Row[]; total: number; run: RunPage; metric: string }) {
  const valued = rows.filter((row): row is Row & { value: number } => row.value !== null);
  if (valued.length === 0)
    return (
      <Empty title="No single values">
        {rows.length} rows carry this metric, none with a value. <a href={to.rows(run.id, { metric })}>Their reasons</a> stand in the rows.
      </Empty>
    );
  const lower = Object.values(run.summary.metrics).find((slot) => slot.metric === metric)?.better === "lower";
  const sorted = [...valued].sort((a, b) => (lower ? b.value - a.value : a.value - b.value));
  const listed = Math.min(8, Math.ceil(sorted.length / 2));
  const dots = valued.map((row) => ({
    name: row_name(row, has_findings(run.task)),
    value: row.value,
    href: row_address(row, run.dataset?.id, run.id, run.task, true) ?? to.rows(run.id, { metric, q: row.case }),
  }));
  return (
    <>
      <Dots dots={dots} label={`${valued.length} values of ${metric}`} />
      {total > rows.length && (
        <Partial>
          The first {rows.length} of {grouped(total)} rows are drawn; all of them stand in the table.
        </Partial>
      )}
      <div class="two_columns">
        <RowList title="Worst" rows={sorted.slice(0, listed)} run={run} />
        <RowList title="Best" rows={sorted.slice(-listed).reverse()} run={run} />
      </div>
      <p>
        <a href={to.rows(run.id, { metric, sort: "value", order: lower ? "desc" : "asc" })}>All {grouped(total)} rows</a>
      </p>
    </>
  );
}

export function Distribution({ run }: { run: RunPage }) {
  const metrics = metrics_of(run);
  const metric = place.value.query.get("metric") ?? metrics[0]?.value ?? "";
  const query = new URLSearchParams({ metric, scorer: run.summary.mode, limit: String(most_dots) });
  const loaded = useLoaded(`rows ${run.id} ${query}`, (signal) => ask.rows(run.id, query, signal));
  return (
    <section aria-labelledby="distribution">
      <div class="section_head">
        <h2 id="distribution">Cases behind the numbers</h2>
        <Choice label="metric" value={metric} options={metrics} on_choose={(value) => set_query({ metric: value })} />
      </div>
      <When loaded={loaded} what="rows">
        {(rows) => <Shown rows={rows.items} total={rows.total} run={run} metric={metric} />}
      </When>
    </section>
  );
}
