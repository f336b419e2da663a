// Tiers first, ranks second: systems of one tier are not told apart from its leader.
import type { Comparison } from "../../api/types.ts";
import { difference_text, interval_text, p_text } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";
import { round_limits } from "../../lib/scale.ts";
import { words_of } from "../../lib/words.ts";
import { Interval, Strip, Value } from "../../widgets/value.tsx";
import type { ComparedRuns } from "./page.tsx";

function Ranking({ comparison, runs }: { comparison: Comparison; runs: ComparedRuns }) {
  const ranking = comparison.ranking ?? [];
  const limits = round_limits(ranking.flatMap((entry) => [entry.value ?? 0, ...(entry.ci95 ?? [])]));
  const metric = comparison.slots[comparison.metric]?.metric;
  return (
    <table class="ranking">
      <thead>
        <tr>
          <th scope="col">tier</th>
          <th scope="col">rank</th>
          <th scope="col">system</th>
          <th scope="col" class="number">
            {words_of(comparison.metric)}
          </th>
          <th scope="col" class="wide_only">
            <span class="out_of_sight">where it lies</span>
          </th>
          <th scope="col" class="wide_only">
            95 %
          </th>
        </tr>
      </thead>
      <tbody>
        {ranking.map((entry, i) => {
          const begins = i === 0 || ranking[i - 1]?.tie_group !== entry.tie_group;
          const id = runs.ids[entry.system] ?? "";
          return (
            <tr key={id} class={begins ? "tier_begins" : ""}>
              <td class="tier">{begins ? String.fromCharCode(64 + Math.min(entry.tie_group, 26)) : <span class="out_of_sight">same tier</span>}</td>
              <td class="quiet">{entry.rank_ci95 && entry.rank_ci95[0] !== entry.rank_ci95[1] ? `${entry.rank_ci95[0]} – ${entry.rank_ci95[1]}` : entry.rank}</td>
              <th scope="row">
                <a href={to.run(id)}>{runs.names[entry.system]}</a>
              </th>
              <td class="number big">
                <Value value={entry.value} href={to.rows(id, { metric })} />
              </td>
              <td class="wide_only">
                <Strip limits={limits} width={240} marks={[{ kind: "strict", value: entry.value, ci95: entry.ci95 }]} />
              </td>
              <td class="wide_only">
                <Interval interval={entry.ci95} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Pairs({ comparison, runs }: { comparison: Comparison; runs: ComparedRuns }) {
  return (
    <table>
      <caption>Every pair, first minus second</caption>
      <thead>
        <tr>
          <th scope="col">pair</th>
          <th scope="col" class="number">
            difference
          </th>
          <th scope="col" class="wide_only">
            95 %
          </th>
          <th scope="col" class="number">
            better / equal / worse
          </th>
          <th scope="col" class="number">
            p (Holm)
          </th>
        </tr>
      </thead>
      <tbody>
        {(comparison.pairs ?? []).map((pair) => {
          const ids = [runs.ids[pair.first] ?? "", runs.ids[pair.second] ?? ""];
          return (
            <tr key={ids.join()}>
              <th scope="row">
                <a href={to.compare(ids)}>
                  {runs.names[pair.first]} − {runs.names[pair.second]}
                </a>
              </th>
              <td class="number big">{difference_text(pair.difference.value)}</td>
              <td class="wide_only quiet small">{pair.difference.ci95 ? interval_text(pair.difference.ci95) : ""}</td>
              <td class="number">
                {pair.difference.wins} / {pair.difference.ties} / {pair.difference.losses}
              </td>
              <td class="number">{p_text(pair.p_holm)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export function Tiers({ comparison, runs }: { comparison: Comparison; runs: ComparedRuns }) {
  if (!comparison.ranking) return null;
  return (
    <section aria-labelledby="tiers">
      <h2 id="tiers">Tiers</h2>
      <p class="small quiet">A tier begins with its leader; who shares it is not told apart from the leader (corrected p above .05).</p>
      <Ranking comparison={comparison} runs={runs} />
      <div class="scrolls pairs">
        <Pairs comparison={comparison} runs={runs} />
      </div>
    </section>
  );
}
