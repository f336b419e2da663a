// Every metric that scores can hold, by what it is computed from.
import { ask } from "../../api/ask.ts";
import type { Contract } from "../../api/types.ts";
import { useTitle } from "../../lib/crumbs.ts";
import { useLoaded } from "../../lib/loaded.ts";
import { grouped } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";
import { place, set_query } from "../../lib/router.ts";
import { words_of } from "../../lib/words.ts";
import { Search } from "../../widgets/search.tsx";
import { Empty, When } from "../../widgets/states.tsx";

function fits(contract: Contract, words: string): boolean {
  return `${contract.id} ${contract.title} ${contract.definition}`.toLowerCase().includes(words.toLowerCase());
}

function by_input(contracts: Contract[]): [string, Contract[]][] {
  const inputs = new Map<string, Contract[]>();
  for (const contract of contracts) {
    const key = contract.input ?? "other";
    inputs.set(key, [...(inputs.get(key) ?? []), contract]);
  }
  return [...inputs];
}

function ContractTable({ title, contracts }: { title: string; contracts: Contract[] }) {
  return (
    <section>
      <h2>{title}</h2>
      <div class="scrolls" tabIndex={0} role="group" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">metric</th>
              <th scope="col">rules</th>
              <th scope="col">what it is</th>
              <th scope="col" class="wide_only">
                range
              </th>
            </tr>
          </thead>
          <tbody>
            {contracts.map((contract) => (
              <tr key={contract.id}>
                <th scope="row">
                  <a href={to.metric(contract.id)}>
                    <code>{contract.id}</code>
                  </a>
                </th>
                <td>{contract.scorer}</td>
                <td>
                  {contract.title}
                  <p class="small quiet">{contract.definition}</p>
                </td>
                <td class="wide_only">{contract.range}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Found({ contracts }: { contracts: Contract[] }) {
  const words = place.value.query.get("q") ?? "";
  const found = contracts.filter((contract) => fits(contract, words));
  return (
    <>
      <p class="small quiet" role="status">
        {grouped(found.length)} of {grouped(contracts.length)} metrics
      </p>
      {found.length === 0 && <Empty title="No metric fits">None has “{words}” in its id, title or definition.</Empty>}
      {by_input(found).map(([input, group]) => (
        <ContractTable key={input} title={`Of ${words_of(input).toLowerCase()}`} contracts={group} />
      ))}
    </>
  );
}

export function Page() {
  useTitle("metrics");
  const loaded = useLoaded("metrics", ask.metrics);
  return (
    <div class="stacked">
      <h1>Metric contracts</h1>
      <p class="quiet">A metric is a contract: what it means, what it gives for empty masks, and who defined it.</p>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <Search label="words in a contract" value={place.value.query.get("q") ?? ""} on_search={(q) => set_query({ q })} />
      </form>
      <When loaded={loaded} what="contracts">
        {(contracts) => <Found contracts={contracts} />}
      </When>
    </div>
  );
}
