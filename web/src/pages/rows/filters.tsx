// What narrows the rows: words, a metric, the rules, a status, a group.
import type { RunPage } from "../../api/types.ts";
import { place } from "../../lib/router.ts";
import { words_of } from "../../lib/words.ts";
import { Choice, type Option } from "../../widgets/choice.tsx";
import { Search } from "../../widgets/search.tsx";

type Change = Record<string, string | null>;

function metric_options(run: RunPage): Option[] {
  const planned = run.plan["metrics"];
  const ids = Array.isArray(planned) ? planned.map((metric: { id?: string }) => metric.id ?? "") : Object.values(run.summary.metrics).map((slot) => slot.metric);
  return [{ value: "", text: "all" }, ...[...new Set(ids)].filter(Boolean).map((id) => ({ value: id, text: id }))];
}

function group_options(run: RunPage): Option[] {
  const options = Object.entries(run.summary.groups ?? {}).flatMap(([kind, groups]) =>
    Object.keys(groups).map((label) => ({
      value: kind === "category" ? `category=${label}` : `group_${kind}=${label}`,
      text: `${words_of(kind)}: ${label}`,
    })),
  );
  return [{ value: "", text: "add a condition …" }, { value: "status=undefined", text: "Status: undefined" }, { value: "status=missing", text: "Status: missing" }, { value: "status=failed", text: "Status: failed" }, ...options];
}

export function RowFilters(props: { run: RunPage; change: (change: Change) => void; add: (where: string) => void; save: () => void }) {
  const { run, change, add, save } = props;
  const query = place.value.query;
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <Search label="words in a row" value={query.get("q") ?? ""} on_search={(q) => change({ q: q || null })} />
      <Choice label="metric" value={query.get("metric") ?? ""} options={metric_options(run)} on_choose={(metric) => change({ metric: metric || null })} />
      {run.summary.official && (
        <Choice
          label="rules"
          value={query.get("scorer") ?? ""}
          options={[{ value: "", text: "both" }, { value: "strict", text: "strict" }, { value: "official", text: "official" }]}
          on_choose={(scorer) => change({ scorer: scorer || null })}
        />
      )}
      <Choice label="only" value="" options={group_options(run)} on_choose={(where) => where && add(where)} />
      <button type="button" onClick={save}>
        Save as CSV
      </button>
    </form>
  );
}
