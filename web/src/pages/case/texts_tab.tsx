// The report sentence by sentence, its regions, and questions about them. What a sentence speaks of lights up.
import type { CaseValue, Question, Region, Sentence, Span } from "../../viewer/case_value.ts";
import type { CaseViewer } from "../../viewer/case_viewer.ts";
import type { Organs } from "./organs.ts";
import { useChanges } from "./use_viewer.ts";
import { run_label } from "./words.ts";

// A text with what a stage marked in it; spans that overlap an earlier one are left out.
function Marked({ text, spans }: { text: string; spans: readonly Span[] }) {
  const parts = [];
  let at = 0;
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    if (span.start < at || span.end > text.length || span.end <= span.start) continue;
    parts.push(text.slice(at, span.start));
    parts.push(
      <mark key={span.start} title={[span.kind, span.label].filter((word) => word).join(": ")}>
        {text.slice(span.start, span.end)}
      </mark>,
    );
    at = span.end;
  }
  parts.push(text.slice(at));
  return <>{parts}</>;
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, " ").trim();

// The finding a sentence is: named by the server, or of the same words.
function finding_of(value: CaseValue, sentence: Sentence): number | null {
  const named = sentence.finding ?? sentence.findings?.[0];
  if (named !== undefined && named !== null) return named;
  const words = plain(sentence.text);
  return value.findings.find((finding) => plain(finding.text) === words)?.index ?? null;
}

const organs_of_region = (value: CaseValue, region: string | null): readonly string[] =>
  value.regions.find((one) => one.region === region)?.organs ?? [];

// Lights the organs of those names, alone.
async function light(viewer: CaseViewer, organs: Organs, names: readonly string[]): Promise<void> {
  const found = organs.items.filter((organ) => names.includes(organ.name) && organ.voxels > 0);
  if (found.length === 0) return;
  viewer.set({ organs: new Set(found.map((organ) => organ.id)) });
  if (viewer.store.state("organs") !== "there") await viewer.store.bring("organs");
  viewer.go_to_mask("organs", found.reduce((most, organ) => (organ.voxels > most.voxels ? organ : most)).id);
}

interface TabProps {
  viewer: CaseViewer;
  organs: Organs;
}

export function ReportTab({ viewer, organs }: TabProps) {
  useChanges(viewer);
  const { source, state } = viewer;
  const report = source.report;
  if (report === null) return <p class="quiet tab_text">This case has no report.</p>;
  if (report.sentences.length === 0) return <p class="report_text">{report.text}</p>;
  return (
    <ol class="sentences">
      {report.sentences.map((sentence, i) => {
        const finding = finding_of(source, sentence);
        const names = organs_of_region(source, sentence.region);
        const leads = finding !== null || (names.length > 0 && organs.items.length > 0);
        const text = <Marked text={sentence.text} spans={sentence.spans ?? []} />;
        const open = (): void => void (finding !== null ? viewer.go_to_finding(finding) : light(viewer, organs, names));
        return (
          <li key={i} class={finding !== null && finding === state.finding ? "selected" : ""}>
            {leads ? (
              <button type="button" class="report_sentence" onClick={open}>
                {text} {finding !== null && <span class="quiet">finding {finding + 1}</span>}
              </button>
            ) : (
              <p>{text}</p>
            )}
            {sentence.region !== null && <p class="quiet small">{sentence.region}</p>}
          </li>
        );
      })}
    </ol>
  );
}

function RegionItem({ viewer, organs, region }: TabProps & { region: Region }) {
  const known = (region.organs ?? []).filter((name) => organs.items.some((organ) => organ.name === name));
  return (
    <li>
      <h3>
        {region.region} {region.abnormal === true && <span class="quiet">abnormal</span>}
      </h3>
      {known.length > 0 ? (
        <button type="button" class="report_sentence" onClick={() => void light(viewer, organs, known)}>
          {region.text}
        </button>
      ) : (
        <p>{region.text}</p>
      )}
    </li>
  );
}

export function RegionsTab({ viewer, organs }: TabProps) {
  return (
    <ul class="sentences">
      {viewer.source.regions.map((region) => (
        <RegionItem key={region.region} viewer={viewer} organs={organs} region={region} />
      ))}
    </ul>
  );
}

function QuestionItem({ viewer, organs, question }: TabProps & { question: Question }) {
  const names = organs_of_region(viewer.source, question.region);
  const leads = names.length > 0 && organs.items.length > 0;
  return (
    <li>
      {leads ? (
        <button type="button" class="report_sentence" onClick={() => void light(viewer, organs, names)}>
          {question.question}
        </button>
      ) : (
        <p>{question.question}</p>
      )}
      <p class="quiet small">
        {question.family}
        {question.region !== null && `, ${question.region}`}
      </p>
      <dl>
        <dt>key</dt>
        <dd>{question.answer ?? "–"}</dd>
        {(question.answers ?? []).map((answer) => (
          <div key={answer.run}>
            <dt>{run_label(viewer.source, answer.run)}</dt>
            <dd>
              {answer.text ?? "–"} {answer.correct !== null && <b>{answer.correct ? "right" : "wrong"}</b>}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

export function QuestionsTab({ viewer, organs }: TabProps) {
  return (
    <ol class="sentences">
      {viewer.source.questions.map((question, i) => (
        <QuestionItem key={i} viewer={viewer} organs={organs} question={question} />
      ))}
    </ol>
  );
}
