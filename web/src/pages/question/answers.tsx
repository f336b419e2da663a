// What each run answered: its letter, the reply with what the parser took, and its steps beside the expert's.
import type { Answer, AnswerStep, Question } from "../../api/types.ts";
import { span_of_bytes } from "../../lib/marks.ts";
import { to } from "../../lib/route.ts";
import { place, set_query } from "../../lib/router.ts";
import { words_of } from "../../lib/words.ts";
import { MarkedText } from "../../widgets/marked_text.tsx";
import { Empty } from "../../widgets/states.tsx";

function Verdict({ correct, status }: { correct: boolean | null; status: string | null }) {
  if (correct === true) return <span class="badge good">✓ right</span>;
  if (correct === false) return <span class="badge bad">✕ {status === null || status === "scored" ? "wrong" : words_of(status).toLowerCase()}</span>;
  return <span class="badge">{words_of(status ?? "no answer").toLowerCase()}</span>;
}

const judged_words: Record<string, string> = { factual: "✓ factual", false: "✕ false", missing: "– no verdict", invalid: "! verdict not usable" };

// What a judge said of each step of the reasoning.
function Judged({ steps }: { steps: Answer["judged"] }) {
  if (steps.length === 0) return null;
  const factual = steps.filter((step) => step.verdict === "factual").length;
  const told = steps.filter((step) => step.verdict === "factual" || step.verdict === "false").length;
  return (
    <section aria-label="the judge's verdicts">
      <h3>
        Steps as a judge saw them{" "}
        <span class="small quiet">
          {factual} of {told} factual
        </span>
      </h3>
      <ol class="judged">
        {steps.map((step) => (
          <li key={step.number}>
            <span class={step.verdict === "factual" ? "badge good" : step.verdict === "false" ? "badge bad" : "badge"}>{judged_words[step.verdict]}</span>
            {step.critical === true && <span class="badge">critical</span>} {step.text || <span class="quiet">step {step.number}</span>}
            {(step.errors.length > 0 || step.reason) && <p class="small quiet">{[...step.errors, step.reason].filter(Boolean).join(" · ")}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}

const verdict_signs: Record<string, string> = { entailed: "✓", supported: "✓", correct: "✓", contradicted: "✕", wrong: "✕", missing: "–", neutral: "○" };

const step_words: Record<string, string> = {
  findings: "findings of an image",
  summary: "findings together",
  reasoning: "reasoning",
  discussion: "discussion",
};

function Step({ step, number }: { step: AnswerStep; number: number }) {
  const image = step.image ?? null;
  return (
    <tr>
      <td class="quiet">{number}</td>
      <td>
        {step.step && <p class="small quiet">{step_words[step.step] ?? step.step}</p>}
        {image !== null && (
          <button type="button" class="small to_image" onClick={() => set_query({ image: image })}>
            image {image}
          </button>
        )}
        {step.text || <span class="quiet">nothing written</span>}
        {typeof step.verdict === "string" && (
          <p>
            <span class="badge">
              {verdict_signs[step.verdict] ?? ""} {words_of(step.verdict).toLowerCase()}
            </span>
          </p>
        )}
      </td>
      <td>{step.reference ?? <span class="quiet">none</span>}</td>
    </tr>
  );
}

function Steps({ steps }: { steps: AnswerStep[] }) {
  if (steps.length === 0) return <p class="quiet small">This answer comes without steps.</p>;
  return (
    <table class="steps">
      <caption>Steps beside the expert's</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="out_of_sight">number</span>
          </th>
          <th scope="col">the run</th>
          <th scope="col">the expert</th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step, i) => (
          <Step key={i} step={step} number={i + 1} />
        ))}
      </tbody>
    </table>
  );
}

function Reply({ answer }: { answer: Answer }) {
  if (!answer.reply) return <p class="quiet small">{answer.problem ?? "The reply itself is not kept with this run."}</p>;
  const taken = answer.taken ? [{ ...span_of_bytes(answer.reply, answer.taken), kind: "taken", label: answer.letter ?? "no letter" }] : [];
  return (
    <figure class="reply">
      <figcaption class="small quiet">{answer.taken ? `The reply; what the parser took is marked${answer.rule ? ` (rule: ${words_of(answer.rule).toLowerCase()})` : ""}` : answer.letter ? "The reply" : "The reply; the parser took nothing from it"}</figcaption>
      <pre tabIndex={0}>
        <MarkedText text={answer.reply} spans={taken} />
      </pre>
    </figure>
  );
}

export function Answers({ question, dataset }: { question: Question; dataset: string }) {
  if (question.answers.length === 0)
    return (
      <section aria-labelledby="answers">
        <h2 id="answers">Answers</h2>
        <Empty title="No run answered this case" command={`fiducial score ${dataset} predictions.jsonl -o SCORES`}>
          Serve a score folder of this split beside the dataset:
        </Empty>
      </section>
    );
  const asked = place.value.query.get("run");
  const shown = question.answers.find((answer) => answer.run === asked) ?? question.answers[0];
  if (!shown) return null;
  return (
    <section aria-labelledby="answers">
      <h2 id="answers">Answers</h2>
      <div class="tabs" role="group" aria-label="whose answer is shown">
        {question.answers.map((answer) => (
          <button key={answer.run} type="button" aria-pressed={answer === shown} onClick={() => set_query({ run: answer.run })}>
            {answer.system ?? answer.run} <strong>{answer.letter ?? "–"}</strong>{" "}
            <span aria-hidden="true">{answer.correct === null ? "" : answer.correct ? "✓" : "✕"}</span>
          </button>
        ))}
      </div>
      <p>
        <a href={to.run(shown.run)}>{shown.system ?? shown.run}</a> answered <strong>{shown.letter ?? "nothing that counts"}</strong>{" "}
        <Verdict correct={shown.correct} status={shown.status} />
      </p>
      <Reply answer={shown} />
      {shown.rationale && shown.rationale !== shown.reply && (
        <details>
          <summary>Rationale</summary>
          <p>{shown.rationale}</p>
        </details>
      )}
      <Judged steps={shown.judged} />
      <Steps steps={shown.steps} />
    </section>
  );
}
