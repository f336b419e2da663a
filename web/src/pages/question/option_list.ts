// Options come as texts, as {letter, text}, or by letter; they are shown as letter and text.
import type { Question } from "../../api/types.ts";

export interface ShownOption {
  letter: string;
  text: string;
}

export function options_of(question: Pick<Question, "options">): ShownOption[] {
  const options: unknown = question.options;
  if (Array.isArray(options))
    return options.map((option: string | ShownOption, i) =>
      typeof option === "string" ? { letter: String.fromCharCode(65 + i), text: option } : { letter: option.letter, text: option.text },
    );
  if (typeof options === "object" && options !== null)
    return Object.entries(options).map(([letter, text]) => ({ letter, text: String(text) }));
  return [];
}

export function letter_of(key: string | null): string | null {
  return key === null ? null : key.trim().charAt(0).toUpperCase();
}
