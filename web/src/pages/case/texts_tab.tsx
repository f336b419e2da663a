// Tables of a scan in its picture: the report by region, and the questions. What a sentence speaks of lights up, and
// sentences about what lies under the crosshair say so.
import type { CaseValue, Question } from "../../viewer/case_value.ts";
import type { CaseViewer } from "../../viewer/case_viewer.ts";
import { to } from "../../lib/route.ts";
import { words_of } from "../../lib/words.ts";
import { placed_texts, type PlacedText } from "../../lib/regions.ts";
import { light, organs_named, organs_of_region, points_at } from "./light.ts";
import type { Organs } from "./organs.ts";
import { useChanges } from "./use_viewer.ts";
import { run_name } from "./words.ts";

interface TabProps {
  viewer: CaseViewer;
  organs: Organs;
}

function AllTables({ value }: { value: CaseValue }) {
  return (
    <p class="tab_tools small">
      <a href={to.case(value.dataset, value.id, { as: "tables" })}>All tables on a page of their own</a>
    </p>
  );
}

function RegionItem({ viewer, organs, text }: TabProps & { text: PlacedText }) {
  const [first = "", ...others] = text.places;
  const chosen = viewer.state.region !== null && text.places.includes(viewer.state.region);
  const known = organs_named(organs, text.organs);
  const here = points_at(viewer, organs, text.organs);
  return (
    <li class={chosen ? "selected" : ""} data-region={first}>
      <h3>
        {first} {here && <span class="badge">under the crosshair</span>}
      </h3>
      {others.length > 0 && <p class="small quiet">also {others.join(", ")}</p>}
      <button type="button" class="report_sentence" aria-pressed={chosen} onClick={() => void light(viewer, organs, text.organs, { region: first, question: null })}>
        {text.text}
      </button>
      <p class="small quiet">{known.length === 0 ? "no mask of this region is served" : known.length <= 4 ? known.map((organ) => organ.name).join(", ") : `${known.length} organs`}</p>
      {chosen &&
        text.answers.map((answer) => (
          <p key={answer.run} class="small">
            <span class="quiet">{run_name(viewer.source, answer.run)}:</span> {answer.text ?? "nothing"}
          </p>
        ))}
    </li>
  );
}

export function RegionsTab({ viewer, organs }: TabProps) {
  useChanges(viewer);
  return (
    <>
      <AllTables value={viewer.source} />
      <ul class="sentences">
        {placed_texts([...viewer.source.regions]).map((text, i) => (
          <RegionItem key={i} viewer={viewer} organs={organs} text={text} />
        ))}
      </ul>
    </>
  );
}

function Verdict({ correct }: { correct: boolean | null }) {
  if (correct === null) return null;
  return correct ? <span class="badge good">✓ right</span> : <span class="badge bad">✕ wrong</span>;
}

function QuestionItem({ viewer, organs, question, number }: TabProps & { question: Question; number: number }) {
  const names = organs_of_region(viewer.source, question.region);
  const chosen = viewer.state.question === number;
  const here = points_at(viewer, organs, names);
  return (
    <li class={chosen ? "selected" : ""} data-question={number}>
      <button type="button" class="report_sentence" aria-pressed={chosen} onClick={() => void light(viewer, organs, names, { question: number, region: question.region })}>
        {question.question}
      </button>{" "}
      {here && <span class="badge">under the crosshair</span>}
      <dl>
        <div>
          <dt>reference</dt>
          <dd>{question.answer ?? "–"}</dd>
        </div>
        {(question.answers ?? []).map((answer) => (
          <div key={answer.run}>
            <dt>{run_name(viewer.source, answer.run)}</dt>
            <dd>
              {answer.text ?? "–"} <Verdict correct={answer.correct} />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

export function QuestionsTab({ viewer, organs }: TabProps) {
  useChanges(viewer);
  const { questions } = viewer.source;
  const families = [...new Set(questions.map((question) => question.family))];
  return (
    <>
      <AllTables value={viewer.source} />
      {families.map((family) => (
        <details key={family} class="family" open>
          <summary>
            {words_of(family)} <span class="quiet">{questions.filter((question) => question.family === family).length}</span>
          </summary>
          <ol class="sentences">
            {questions.map((question, i) => (question.family === family ? <QuestionItem key={i} viewer={viewer} organs={organs} question={question} number={i} /> : null))}
          </ol>
        </details>
      ))}
    </>
  );
}

// The report of a case for which no stage marked anything.
export function ReportTab({ viewer }: { viewer: CaseViewer }) {
  return <p class="report_text">{viewer.source.report?.text}</p>;
}
