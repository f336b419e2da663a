// The contract of one metric.
import { ask } from "../../api/ask.ts";
import type { Contract } from "../../api/types.ts";
import { useTitle } from "../../lib/crumbs.ts";
import { useLoaded } from "../../lib/loaded.ts";
import { to } from "../../lib/route.ts";
import type { PageProps } from "../../routes.ts";
import { When } from "../../widgets/states.tsx";

const better_words: Record<string, string> = { higher: "higher is better", lower: "lower is better", none: "neither way is better" };

function facts_of(contract: Contract): [string, string][] {
  const facts: [string, string | undefined][] = [
    ["rules", contract.scorer],
    ["version", String(contract.version)],
    ["range", [contract.range, contract.unit === "1" ? "" : contract.unit].filter(Boolean).join(" ")],
    ["direction", better_words[contract.better] ?? contract.better],
    ["parameters", contract.parameters],
    ["valid for", contract.valid_for],
    ["spacing", contract.needs_spacing === undefined ? undefined : contract.needs_spacing ? "needed, from the CT" : "not needed"],
    ["predicting less", contract.less_is_never_better === undefined ? undefined : contract.less_is_never_better ? "never helps" : "can help"],
    ["source", contract.citation],
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
}

function EmptyRules({ rules }: { rules: Record<string, string> }) {
  return (
    <section>
      <h2>Where there is nothing</h2>
      <table class="narrow">
        <thead>
          <tr>
            <th scope="col">empty or missing</th>
            <th scope="col">value</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(rules).map(([what, value]) => (
            <tr key={what}>
              <th scope="row">{what === "both" ? "reference and prediction" : what === "missing" ? "prediction missing or unreadable" : what}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Page({ params }: PageProps) {
  const id = params["metric"] ?? "";
  useTitle(id, [{ text: "metrics", href: to.metrics() }]);
  const loaded = useLoaded(`metric ${id}`, (signal) => ask.metric(id, signal));
  return (
    <When loaded={loaded} what="the contract" title={id}>
      {(contract) => (
        <div class="stacked">
          <header class="page_head">
            <h1>{contract.title}</h1>
            <p class="quiet">
              <code>{contract.id}</code>
            </p>
          </header>
          <p class="definition">{contract.definition}</p>
          <dl class="facts">
            {facts_of(contract).map(([name, value]) => (
              <div key={name}>
                <dt class="quiet">{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {contract.empty && <EmptyRules rules={contract.empty} />}
        </div>
      )}
    </When>
  );
}
