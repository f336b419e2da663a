// Where a difference comes from: the ranked value again, by every group of the cases.
import type { Comparison } from "../../api/types.ts";
import { difference_text, p_text } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";
import { place, set_query } from "../../lib/router.ts";
import { words_of } from "../../lib/words.ts";
import { Choice } from "../../widgets/choice.tsx";
import { Strip, Value } from "../../widgets/value.tsx";
import type { ComparedRuns } from "./page.tsx";

// The condition on rows that a group is.
const where_of = (kind: string, label: string): string => (kind === "category" ? `category=${label}` : `group_${kind}=${label}`);

export function GroupDifferences({ comparison, runs }: { comparison: Comparison; runs: ComparedRuns }) {
  const all = comparison.groups ?? {};
  const kinds = Object.keys(all);
  const asked = place.value.query.get("group");
  const kind = asked && kinds.includes(asked) ? asked : kinds[0];
  const groups = kind ? all[kind] : undefined;
  if (!kind || !groups) return null;
  return (
    <section aria-labelledby="groups">
      <div class="section_head">
        <h2 id="groups">Where the difference comes from</h2>
        <Choice label="by" value={kind} options={kinds.map((value) => ({ value, text: words_of(value) }))} on_choose={(group) => set_query({ group })} />
      </div>
      <div class="scrolls">
        <table>
          <caption class="out_of_sight">
            {words_of(comparison.metric)} by {words_of(kind)}
          </caption>
          <thead>
            <tr>
              <th scope="col">{words_of(kind)}</th>
              <th scope="col" class="number">
                n
              </th>
              {runs.names.map((name) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
              <th scope="col" class="number">
                difference
              </th>
              <th scope="col" class="wide_only">
                <span class="out_of_sight">where it lies</span>
              </th>
              <th scope="col" class="number">
                p
              </th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(groups).map(([label, group]) => (
              <tr key={label}>
                <th scope="row">{words_of(label)}</th>
                <td class="number quiet">{group.findings ?? group.values[0]?.n ?? ""}</td>
                {group.values.map((value, i) => (
                  <td key={i} class="number">
                    <Value value={value.value} reason={value.reason} href={to.rows(runs.ids[i] ?? "", { metric: comparison.slots[comparison.metric]?.metric, scorer: comparison.mode, where: where_of(kind, label) })} />
                  </td>
                ))}
                <td class="number big">{difference_text(group.difference.value)}</td>
                <td class="wide_only">
                  <Strip limits={[-1, 1]} width={180} marks={[{ kind: "strict", value: group.difference.value, ci95: group.difference.ci95 }]} />
                </td>
                <td class="number">{p_text(group.difference.p)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="small quiet">Effects in groups are not corrected for their number.</p>
    </section>
  );
}
