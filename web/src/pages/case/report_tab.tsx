// The report sentence by sentence, with all that stages of curation marked where the words stand. A sentence leads to its
// finding, else to the organs of its region.
import { useMemo, useState } from "preact/hooks";

import type { CaseNotes, NotedMark, Span } from "../../api/types.ts";
import { finding_said, noted_columns, type NotedSentence } from "../../lib/noted_text.ts";
import type { CaseViewer } from "../../viewer/case_viewer.ts";
import { MarkedText } from "../../widgets/marked_text.tsx";
import { light } from "./light.ts";
import type { Organs } from "./organs.ts";
import { useChanges } from "./use_viewer.ts";
import { count_words } from "./words.ts";

const kind_titles: Readonly<Record<string, string>> = { finding: "found", possible: "possible", denied: "denied", label: "labels", code: "codes", question: "questions", region: "regions" };
const kinds = Object.keys(kind_titles);

function Kinds({ marks, hidden, toggle }: { marks: readonly NotedMark[]; hidden: ReadonlySet<string>; toggle: (kind: string) => void }) {
  const present = kinds.filter((kind) => marks.some((mark) => mark.kind === kind));
  if (present.length === 0) return null;
  return (
    <p class="tab_tools" role="group" aria-label="marks shown">
      {present.map((kind) => (
        <button key={kind} type="button" class="small" aria-pressed={!hidden.has(kind)} onClick={() => toggle(kind)}>
          <span class={`mark_${kind}`}>{kind_titles[kind]}</span> <span class="quiet">{marks.filter((mark) => mark.kind === kind).length}</span>
        </button>
      ))}
    </p>
  );
}

// Why each mark is there: for those who judge the curation.
function Reasons({ sentence, hidden }: { sentence: NotedSentence; hidden: ReadonlySet<string> }) {
  const all = [...sentence.regions, ...sentence.marks.filter((mark) => mark.kind !== "question" || !hidden.has("question"))];
  if (all.length === 0) return <p class="quiet small">No stage marked anything here.</p>;
  return (
    <ul class="reasons small">
      {all.map((mark, i) => (
        <li key={i}>
          <span class="quiet">{mark.stage}:</span> <b>{mark.label || "no region"}</b>
          {mark.kind === "denied" && " denied"}
          {mark.kind === "possible" && " possible"}
          {mark.detail !== null && mark.detail !== "" && mark.stage !== "findings" && <code> {mark.detail}</code>}
        </li>
      ))}
    </ul>
  );
}

interface SentenceProps {
  viewer: CaseViewer;
  organs: Organs;
  sentence: NotedSentence;
  hidden: ReadonlySet<string>;
  chosen: boolean;
  choose: () => void;
}

function Sentence({ viewer, organs, sentence, hidden, chosen, choose }: SentenceProps) {
  const finding = finding_said(sentence.text, viewer.source.findings);
  const names = [...new Set([...sentence.regions, ...sentence.marks.filter((mark) => mark.kind === "finding")].flatMap((mark) => mark.organs))];
  const open = (): void => {
    choose();
    if (finding !== null) viewer.go_to_finding(finding);
    else if (names.length > 0) void light(viewer, organs, names);
  };
  const regions = hidden.has("region") ? [] : sentence.regions.filter((mark) => mark.label !== "");
  const selected = chosen || (finding !== null && finding === viewer.state.finding);
  return (
    <li class={selected ? "selected" : ""}>
      <button type="button" class="report_sentence" aria-expanded={chosen} onClick={open}>
        <MarkedText text={sentence.text.trim()} spans={shifted(sentence, hidden)} />
      </button>
      {(regions.length > 0 || finding !== null) && (
        <p class="small quiet tags">
          {regions.map((mark) => (
            <span key={mark.label} class="mark_region">
              {mark.label}
            </span>
          ))}
          {finding !== null && <span>finding {finding + 1}</span>}
        </p>
      )}
      {chosen && <Reasons sentence={sentence} hidden={hidden} />}
    </li>
  );
}

// Spans of the kinds shown, in the text without its outer spaces.
function shifted(sentence: NotedSentence, hidden: ReadonlySet<string>): Span[] {
  const lead = sentence.text.length - sentence.text.trimStart().length;
  return sentence.spans.filter((span) => !hidden.has(span.kind)).map((span) => ({ ...span, start: span.start - lead, end: span.end - lead }));
}

export function NotedReport({ viewer, organs, notes }: { viewer: CaseViewer; organs: Organs; notes: CaseNotes }) {
  useChanges(viewer);
  const [hidden, hide] = useState<ReadonlySet<string>>(new Set(["question"]));
  const [chosen, choose] = useState<string | null>(null);
  const columns = useMemo(() => noted_columns(notes), [notes]);
  const toggle = (kind: string): void => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    hide(next);
  };
  return (
    <>
      <Kinds marks={notes.marks} hidden={hidden} toggle={toggle} />
      {columns.map(({ column, sentences }) => (
        <section key={column} aria-label={column}>
          <h3 class="quiet column_name">{column.replace(/_EN$/, "")}</h3>
          <ol class="sentences">
            {sentences.map((sentence, i) => {
              const key = `${column} ${i}`;
              return <Sentence key={key} viewer={viewer} organs={organs} sentence={sentence} hidden={hidden} chosen={chosen === key} choose={() => choose(chosen === key ? null : key)} />;
            })}
          </ol>
        </section>
      ))}
      <p class="quiet small tab_text">
        {notes.stages.length > 0
          ? `Marked by ${notes.stages.join(", ")}: ${count_words(notes.marks.filter((mark) => mark.kind !== "sentence").length, "mark")}. A sentence that is open says why.`
          : "No stage of curation is served that marked this report; fiducial curate ctrate writes them."}
      </p>
    </>
  );
}
