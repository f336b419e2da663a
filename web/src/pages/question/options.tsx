// The options, with the key and who chose what. Right and wrong have a sign and a word, not a colour alone.
import type { Answer, Question } from "../../api/types.ts";
import { letter_of, options_of } from "./option_list.ts";

function Choosers({ answers }: { answers: Answer[] }) {
  if (answers.length === 0) return null;
  return (
    <span class="choosers small quiet">
      {answers.map((answer) => answer.system ?? answer.run).join(", ")}
    </span>
  );
}

export function Options({ question, hidden }: { question: Question; hidden: boolean }) {
  return (
    <ol class="options">
      {options_of(question).map((option) => {
        const is_key = !hidden && letter_of(question.key) === option.letter;
        const chosen_by = hidden ? [] : question.answers.filter((answer) => answer.letter === option.letter);
        return (
          <li key={option.letter} class={is_key ? "is_key" : ""}>
            <span class="letter" aria-hidden="true">
              {option.letter}
            </span>
            <span class="text">
              <span class="out_of_sight">{option.letter}: </span>
              {option.text}
              <Choosers answers={chosen_by} />
            </span>
            {is_key && <span class="badge good">✓ key</span>}
          </li>
        );
      })}
    </ol>
  );
}
