// What narrows the list of cases: words, a split, a group, and the run whose scores stand beside them.
import type { CaseRow, DatasetPage, Info } from "../../api/types.ts";
import { place } from "../../lib/router.ts";
import { words_of } from "../../lib/words.ts";
import { Choice, type Option } from "../../widgets/choice.tsx";
import { Search } from "../../widgets/search.tsx";

type Change = Record<string, string | null>;

// Groups that the listed cases are in, and the one asked for.
function group_options(cases: CaseRow[], chosen: string): Option[] {
  const found = new Set<string>(chosen ? [chosen] : []);
  for (const row of cases) {
    for (const [kind, labels] of Object.entries(row.groups ?? {})) {
      for (const label of labels) found.add(`${kind}=${label}`);
    }
  }
  const options = [...found].sort().map((group) => {
    const [kind = "", ...label] = group.split("=");
    return { value: group, text: `${words_of(kind)}: ${label.join("=")}` };
  });
  return [{ value: "", text: "all" }, ...options];
}

const sorts: Option[] = [
  { value: "", text: "as in the dataset" },
  { value: "name asc", text: "name" },
  { value: "value asc", text: "score, worst first" },
  { value: "value desc", text: "score, best first" },
];

export function CaseFilters(props: { dataset: DatasetPage; info: Info; cases: CaseRow[]; change: (change: Change) => void }) {
  const { dataset, info, cases, change } = props;
  const query = place.value.query;
  const group = query.get("group") ?? "";
  const runs = info.runs.filter((run) => run.kind === "scores" && run.dataset?.id === dataset.id);
  const run = query.get("run") ?? "";
  const sort = query.get("sort") ? `${query.get("sort")} ${query.get("order") ?? "asc"}` : "";
  const by_sort = (value: string): void => {
    const [name = "", order = ""] = value.split(" ");
    change({ sort: name || null, order: order || null });
  };
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <Search label="words in name, text or findings" value={query.get("q") ?? ""} on_search={(q) => change({ q: q || null })} />
      <Choice
        label="split"
        value={query.get("split") ?? ""}
        options={[{ value: "", text: "all" }, ...dataset.splits.map((split) => ({ value: split.name, text: split.name }))]}
        on_choose={(split) => change({ split: split || null })}
      />
      <Choice label="group" value={group} options={group_options(cases, group)} on_choose={(value) => change({ group: value || null })} />
      {runs.length > 0 && (
        <Choice
          label="scores of"
          value={run}
          options={[{ value: "", text: "no run" }, ...runs.map((each) => ({ value: each.id, text: each.id }))]}
          on_choose={(value) => change(value ? { run: value, metric: null, split: runs.find((each) => each.id === value)?.split ?? null } : { run: null, metric: null, sort: null, order: null })}
        />
      )}
      <Choice label="sorted by" value={sort} options={sorts.filter((option) => run || !option.value.startsWith("value"))} on_choose={by_sort} />
    </form>
  );
}
