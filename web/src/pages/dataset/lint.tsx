// What `fiducial check` finds; every finding that has a place opens there.
import { ask } from "../../api/ask.ts";
import type { DatasetPage, Lint, LintFinding } from "../../api/types.ts";
import { lint_address } from "../../lib/lint_place.ts";
import { useLoaded } from "../../lib/loaded.ts";
import { counted_text } from "../../lib/numbers.ts";
import { When } from "../../widgets/states.tsx";
import { Alike } from "./alike.tsx";

const marks: Record<string, string> = { error: "✕", warning: "!", note: "i" };

function Found({ finding, dataset }: { finding: LintFinding; dataset: string }) {
  const address = lint_address(finding, dataset);
  const place = [finding.file, finding.place].filter(Boolean).join(" ");
  return (
    <tr>
      <td>
        <span class={finding.severity === "error" ? "badge bad" : "badge"}>
          <span aria-hidden="true">{marks[finding.severity] ?? ""} </span>
          {finding.severity}
        </span>
      </td>
      <td>
        <code>{finding.code}</code>
      </td>
      <td class="place">{address ? <a href={address}>{place}</a> : place}</td>
      <td>
        {finding.message}
        <Alike finding={finding} dataset={dataset} />
      </td>
    </tr>
  );
}

function Table({ lint, dataset }: { lint: Lint; dataset: string }) {
  const { errors = 0, warnings = 0, notes = 0, cases = 0 } = lint.counts;
  return (
    <>
      <p class="quiet">
        {counted_text(cases, "cases")} checked: {counted_text(errors, "errors")}, {counted_text(warnings, "warnings")}, {counted_text(notes, "notes")}.
      </p>
      {lint.findings.length > 0 && (
        <div class="scrolls" tabIndex={0} role="group" aria-label="what the check found">
          <table>
            <thead>
              <tr>
                <th scope="col">severity</th>
                <th scope="col">code</th>
                <th scope="col">where</th>
                <th scope="col">what</th>
              </tr>
            </thead>
            <tbody>
              {lint.findings.map((finding, i) => (
                <Found key={i} finding={finding} dataset={dataset} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

export function LintSection({ dataset }: { dataset: DatasetPage }) {
  const loaded = useLoaded(`lint ${dataset.id}`, (signal) => ask.lint(dataset.id, signal));
  return (
    <section aria-labelledby="lint">
      <h2 id="lint">Check</h2>
      <When loaded={loaded} what="what the check found">
        {(lint) => <Table lint={lint} dataset={dataset.id} />}
      </When>
    </section>
  );
}
