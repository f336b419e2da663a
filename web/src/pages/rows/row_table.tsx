// Rows as a table. Columns that say the same in every row of the page are named once above it.
import type { Row, Rows, RunPage } from "../../api/types.ts";
import { to } from "../../lib/route.ts";
import { place, set_query } from "../../lib/router.ts";
import { has_findings, row_address } from "../../lib/row_links.ts";
import { words_of } from "../../lib/words.ts";
import { SortHeader, type Order } from "../../widgets/sort_header.tsx";
import { Strip, Value } from "../../widgets/value.tsx";

const placed = ["case", "case_id", "finding", "metric", "scorer", "value", "status", "reason", "patient", "version", "weight"];

function other_columns(rows: Rows): { shown: string[]; same: [string, string][] } {
  const twice = (column: string): boolean => column.startsWith("group_") && rows.columns.includes(column.slice(6));
  const others = rows.columns.filter((column) => !placed.includes(column) && !twice(column));
  const differs = (column: string): boolean => rows.items.some((row) => row[column] !== rows.items[0]?.[column]);
  const shown = others.filter(differs);
  const same = others.filter((column) => !differs(column)).map((column): [string, string] => [column, String(rows.items[0]?.[column] ?? "")]);
  return { shown, same: same.filter(([, value]) => value !== "") };
}

const column_title = (column: string): string => words_of(column.replace(/^group_/, ""));

function RowLine({ row, run, columns }: { row: Row; run: RunPage; columns: string[] }) {
  const address = row_address(row, run.dataset?.id, run.id, run.task, true);
  const name = row.case.replace(/\.nii\.gz$/, "");
  const share = row.value !== null && row.value >= 0 && row.value <= 1;
  return (
    <tr>
      <th scope="row">{address ? <a href={address}>{name}</a> : name}</th>
      {has_findings(run.task) && <td class="number">{row.finding === null ? "" : row.finding + 1}</td>}
      <td>
        <a class="quiet" href={to.metric(row.metric)}>
          {row.metric}
        </a>
        {row.scorer === "official" && <span class="badge">official</span>}
      </td>
      <td class="number big">
        <Value value={row.value} reason={row.reason ?? row.status} />
      </td>
      <td class="wide_only">{share && <Strip limits={[0, 1]} width={110} marks={[{ kind: row.scorer === "official" ? "official" : "strict", value: row.value }]} />}</td>
      <td>
        {row.status !== "scored" && <span class={row.status === "undefined" ? "badge" : "badge bad"}>{row.status}</span>}
        {row.reason && <p class="small quiet">{row.reason}</p>}
      </td>
      {columns.map((column) => (
        <td key={column} class="other">
          {String(row[column] ?? "")}
        </td>
      ))}
    </tr>
  );
}

export function RowTable({ rows, run }: { rows: Rows; run: RunPage }) {
  const { shown, same } = other_columns(rows);
  const query = place.value.query;
  const sort = query.get("sort") ?? "";
  const order = (query.get("order") ?? "asc") as Order;
  const on_sort = (name: string, next: Order): void => set_query({ sort: name, order: next, after: null });
  return (
    <>
      {same.length > 0 && (
        <p class="small quiet">all of these: {same.map(([column, value]) => `${column_title(column).toLowerCase()} ${value}`).join(" · ")}</p>
      )}
      <div class="scrolls" tabIndex={0} role="group" aria-label="rows">
        <table class="row_table">
          <thead>
            <tr>
              <SortHeader text="case" name="case" sort={sort} order={order} on_sort={on_sort} />
              {has_findings(run.task) && (
                <th scope="col" class="number">
                  finding
                </th>
              )}
              <th scope="col">metric</th>
              <SortHeader text="value" name="value" sort={sort} order={order} number on_sort={on_sort} />
              <th scope="col" class="wide_only">
                <span class="out_of_sight">where it lies</span>
              </th>
              <th scope="col">status</th>
              {shown.map((column) => (
                <th key={column} scope="col">
                  {column_title(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.items.map((row, i) => (
              <RowLine key={i} row={row} run={run} columns={shown} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
