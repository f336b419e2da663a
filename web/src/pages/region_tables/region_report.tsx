// The report, sentence by sentence: a region that is chosen is marked in the whole text and narrows the questions.
import type { Case, ReportSentence, Span } from "../../api/types.ts";
import { places_of_bytes } from "../../lib/marks.ts";
import { placed_texts, type PlacedText } from "../../lib/regions.ts";
import { place, set_query } from "../../lib/router.ts";
import { MarkedText, MarkLegend } from "../../widgets/marked_text.tsx";
import { Partial } from "../../widgets/states.tsx";

function spans_of(record: Case, region: string | null): Span[] {
  const report = record.report;
  if (!report) return [];
  return report.sentences.flatMap((sentence: ReportSentence): Span[] => {
    const inner = sentence.spans ?? [];
    if (typeof sentence.begin !== "number" || typeof sentence.end !== "number") return inner;
    if (region !== sentence.region) return inner;
    const [start = 0, end = 0] = places_of_bytes(report.text, [sentence.begin, sentence.end]);
    return [{ start, end, kind: "finding", label: sentence.region ?? "no region" }, ...inner];
  });
}

function Organs({ names }: { names: string[] }) {
  if (names.length === 0) return null;
  return (
    <span class="small quiet">
      {names.slice(0, 6).join(", ")}
      {names.length > 6 && ` and ${names.length - 6} more`}
    </span>
  );
}

function Sentence({ text, chosen, systems }: { text: PlacedText; chosen: boolean; systems: Map<string, string> }) {
  const [first = "", ...others] = text.places;
  return (
    <li class={chosen ? "chosen" : ""}>
      <button type="button" aria-pressed={chosen} onClick={() => set_query({ region: chosen ? null : first })}>
        <span class="region_name">{first}</span>
        {others.length > 0 && <span class="small quiet">also {others.join(", ")}</span>}
        <span class="said">{text.text}</span>
        <Organs names={text.organs} />
      </button>
      {chosen &&
        text.answers.map((answer) => (
          <p key={answer.run} class="answered">
            <span class="small quiet">{systems.get(answer.run) ?? answer.run}:</span> {answer.text ?? <span class="quiet">nothing</span>}
          </p>
        ))}
    </li>
  );
}

// The whole report as each run wrote it, and the runs whose answers cannot be read.
function Written({ record, systems }: { record: Case; systems: Map<string, string> }) {
  const written = (record.report?.answers ?? []).filter((answer) => answer.text !== null);
  return (
    <>
      {written.map((answer) => (
        <details key={answer.run} class="family">
          <summary>The report as {systems.get(answer.run) ?? answer.run} wrote it</summary>
          <p class="report_text">{answer.text}</p>
        </details>
      ))}
      {(record.answer_problems ?? []).map((problem) => (
        <Partial key={problem.run}>
          No answers of {systems.get(problem.run) ?? problem.run}: {problem.message}
        </Partial>
      ))}
    </>
  );
}

export function RegionReport({ record }: { record: Case }) {
  const region = place.value.query.get("region");
  const spans = spans_of(record, region);
  const systems = new Map(record.scores.map((score) => [score.run, score.system]));
  return (
    <section aria-labelledby="report">
      <h2 id="report">Report</h2>
      {record.report?.text ? (
        <>
          <p class="report_text">
            <MarkedText text={record.report.text} spans={spans} />
          </p>
          <MarkLegend spans={spans.filter((span) => span.kind !== "finding")} />
        </>
      ) : (
        <p class="quiet">The tables hold no whole report, only its sentences by region.</p>
      )}
      <Written record={record} systems={systems} />
      {record.regions.length === 0 ? (
        <p class="quiet">No sentence is given to a region.</p>
      ) : (
        <ol class="sentences" aria-label="sentences by region">
          {placed_texts(record.regions).map((text, i) => (
            <Sentence key={i} text={text} chosen={region !== null && text.places.includes(region)} systems={systems} />
          ))}
        </ol>
      )}
    </section>
  );
}
