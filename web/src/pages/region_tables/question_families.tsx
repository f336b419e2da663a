// The families of questions, with the reference and what each run answered: right or wrong in a sign and a word.
import type { Case, TableQuestion } from "../../api/types.ts";
import { place, set_query } from "../../lib/router.ts";
import { is_about } from "../../lib/regions.ts";
import { to } from "../../lib/route.ts";
import { words_of } from "../../lib/words.ts";
import { Choice } from "../../widgets/choice.tsx";
import { Empty } from "../../widgets/states.tsx";

function families_of(questions: TableQuestion[]): [string, TableQuestion[]][] {
  const families = new Map<string, TableQuestion[]>();
  for (const question of questions) families.set(question.family, [...(families.get(question.family) ?? []), question]);
  return [...families];
}

function right_text(questions: TableQuestion[], run: string): string {
  const judged = questions.flatMap((question) => question.answers.filter((answer) => answer.run === run && answer.correct !== null));
  if (judged.length === 0) return "";
  return `${judged.filter((answer) => answer.correct).length} of ${judged.length} right`;
}

function AnswerLine({ question, run }: { question: TableQuestion; run: string }) {
  const answer = question.answers.find((each) => each.run === run);
  if (!answer || answer.text === null) return <span class="quiet">not answered</span>;
  return (
    <>
      {answer.correct === true && <span class="badge good">✓ right</span>}
      {answer.correct === false && <span class="badge bad">✕ wrong</span>} {answer.text}
    </>
  );
}

function Family({ name, questions, runs }: { name: string; questions: TableQuestion[]; runs: { run: string; system: string }[] }) {
  return (
    <details class="family" open={questions.length <= 40}>
      <summary>
        {words_of(name)} <span class="quiet">{questions.length}</span>
        <span class="small quiet">
          {runs.map(({ run, system }) => {
            const text = right_text(questions, run);
            return text ? ` · ${system}: ${text}` : "";
          })}
        </span>
      </summary>
      <div class="scrolls" tabIndex={0} role="group" aria-label={words_of(name)}>
        <table>
          <thead>
            <tr>
              <th scope="col">question</th>
              <th scope="col">reference</th>
              {runs.map(({ run, system }) => (
                <th key={run} scope="col">
                  <a href={to.run(run)}>{system}</a>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {questions.map((question, i) => (
              <tr key={i}>
                <th scope="row">{question.question}</th>
                <td>{question.answer ?? <span class="quiet">none</span>}</td>
                {runs.map(({ run }) => (
                  <td key={run}>
                    <AnswerLine question={question} run={run} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function runs_of(record: Case): { run: string; system: string }[] {
  const found = new Map<string, string>();
  for (const score of record.scores) found.set(score.run, score.system ?? score.run);
  for (const question of record.questions) for (const answer of question.answers) found.set(answer.run, found.get(answer.run) ?? answer.run);
  return [...found].map(([run, system]) => ({ run, system }));
}

export function QuestionFamilies({ record }: { record: Case }) {
  const query = place.value.query;
  const region = query.get("region");
  const only = query.get("only") ?? "";
  const all = runs_of(record);
  const runs = query.get("run") ? all.filter((each) => each.run === query.get("run")) : all;
  const shown = record.questions.filter((question) => {
    if (region && !is_about(question, region)) return false;
    return only !== "wrong" || question.answers.some((answer) => answer.correct === false && runs.some((each) => each.run === answer.run));
  });
  return (
    <section aria-labelledby="questions">
      <div class="section_head">
        <h2 id="questions">Questions{region && ` about the ${region}`}</h2>
        {all.length > 0 && (
          <Choice label="shown" value={only} options={[{ value: "", text: "all" }, { value: "wrong", text: "answered wrongly" }]} on_choose={(value) => set_query({ only: value || null })} />
        )}
        {all.length > 1 && (
          <Choice
            label="run"
            value={query.get("run") ?? ""}
            options={[{ value: "", text: "all" }, ...all.map(({ run }) => ({ value: run, text: run }))]}
            on_choose={(run) => set_query({ run: run || null })}
          />
        )}
        {region && (
          <button type="button" onClick={() => set_query({ region: null })}>
            All regions
          </button>
        )}
      </div>
      {shown.length === 0 ? (
        <Empty title="No question fits">Nothing is asked here{region && ` about the ${region}`}, or nothing was answered wrongly.</Empty>
      ) : (
        families_of(shown).map(([name, questions]) => <Family key={name} name={name} questions={questions} runs={runs} />)
      )}
    </section>
  );
}
