// A question with its images: gallery, options, key, what runs answered and how they came to it.
import { useEffect } from "preact/hooks";

import type { Case, Question } from "../../api/types.ts";
import { to } from "../../lib/route.ts";
import { go, place, set_query } from "../../lib/router.ts";
import { words_of } from "../../lib/words.ts";
import { Empty } from "../../widgets/states.tsx";
import { Answers } from "./answers.tsx";
import { Gallery } from "./gallery.tsx";
import { Options } from "./options.tsx";
import "./question.css";

// Keys of the whole page; those of the picture are the gallery's.
function useCaseKeys(record: Case): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const typing = event.target instanceof Element && event.target.closest("input, select, textarea");
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      const next = event.key === "." ? record.next : event.key === "," ? record.previous : null;
      if (next) go(to.case(record.dataset, next, { run: place.value.query.get("run") }));
      else if (event.key === "h") set_query({ key: place.value.query.get("key") === "hidden" ? null : "hidden" });
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [record.id]);
}

function Neighbours({ record }: { record: Case }) {
  return (
    <nav class="neighbours" aria-label="other cases">
      {record.previous && (
        <a href={to.case(record.dataset, record.previous)}>
          <kbd>,</kbd> previous
        </a>
      )}
      {record.next && (
        <a href={to.case(record.dataset, record.next)}>
          next <kbd>.</kbd>
        </a>
      )}
    </nav>
  );
}

// What experts wrote: hidden with the key, since it gives the key away.
function Expert({ question }: { question: Question }) {
  return (
    <>
      {question.findings && (
        <details>
          <summary>Findings, as the expert wrote them</summary>
          <p>{question.findings}</p>
        </details>
      )}
      {question.discussion && (
        <details>
          <summary>Discussion</summary>
          <p>{question.discussion}</p>
        </details>
      )}
    </>
  );
}

function Panel({ record, question }: { record: Case; question: Question }) {
  const hidden = place.value.query.get("key") === "hidden";
  return (
    <div class="panel">
      <header>
        <h1>{record.title}</h1>
        <p class="small quiet">
          {record.split} · {question.images.length === 1 ? "1 image" : `${question.images.length} images`}
          {record.patient && record.patient !== record.title && ` · ${record.patient}`}
        </p>
        <Neighbours record={record} />
      </header>
      <section aria-labelledby="history">
        <h2 id="history">History</h2>
        {question.history ? <p>{question.history}</p> : <p class="quiet">The case comes without one.</p>}
        {question.interval && <p class="small quiet">between examinations: {question.interval}</p>}
      </section>
      <section aria-labelledby="options">
        <div class="section_head">
          <h2 id="options">Options</h2>
          <button type="button" aria-pressed={hidden} onClick={() => set_query({ key: hidden ? null : "hidden" })}>
            {hidden ? "Show key and answers" : "Hide key and answers"} <kbd>h</kbd>
          </button>
        </div>
        <Options question={question} hidden={hidden} />
        {!question.key && <p class="quiet small">This copy of the dataset holds no key.</p>}
      </section>
      {!hidden && <Expert question={question} />}
      {!hidden && <Answers question={question} dataset={record.dataset} />}
      <Groups record={record} />
    </div>
  );
}

function Groups({ record }: { record: Case }) {
  const groups = Object.entries(record.groups ?? {});
  if (groups.length === 0) return null;
  return (
    <dl class="facts small">
      {groups.map(([kind, labels]) => (
        <div key={kind}>
          <dt class="quiet">{words_of(kind)}</dt>
          <dd>
            {labels.map((label, i) => (
              <span key={label}>
                {i > 0 && ", "}
                <a href={to.cases(record.dataset, { group: `${kind}=${label}` })}>{label}</a>
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function Page({ case_record }: { case_record: Case }) {
  useCaseKeys(case_record);
  const question = case_record.question;
  if (!question)
    return (
      <div class="page">
        <Empty title="This case has no question">The dataset holds an entry for it, but neither options nor images.</Empty>
      </div>
    );
  return (
    <div class="question_page">
      <Gallery images={question.images} />
      <Panel record={case_record} question={question} />
    </div>
  );
}
