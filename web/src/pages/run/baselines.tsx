// What can be scored without looking: the numbers that a run has to be better than.
import { grouped, percent_text } from "../../lib/numbers.ts";
import { words_of } from "../../lib/words.ts";

interface Line {
  name: string;
  text: string;
}

// Baselines are numbers, or objects of numbers; both become lines.
export function baseline_lines(baselines: Record<string, unknown>, prefix = ""): Line[] {
  return Object.entries(baselines).flatMap(([name, value]): Line[] => {
    const title = prefix ? `${prefix}, ${name.replaceAll("_", " ")}` : words_of(name);
    if (typeof value === "number") {
      const count = Number.isInteger(value) && value > 1;
      return [{ name: title, text: count ? grouped(value) : percent_text(value) }];
    }
    if (typeof value === "string") return [{ name: title, text: value }];
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return baseline_lines(value as Record<string, unknown>, title);
    return [];
  });
}

export function Baselines({ baselines }: { baselines: Record<string, unknown> | undefined }) {
  const lines = baseline_lines(baselines ?? {});
  if (lines.length === 0) return null;
  return (
    <section aria-labelledby="baselines">
      <h2 id="baselines">Without looking</h2>
      <p class="quiet small">What is scored by always giving one answer, or by knowing the question but no image.</p>
      <dl class="numbers">
        {lines.map((line) => (
          <div key={line.name}>
            <dt class="small quiet">{line.name}</dt>
            <dd>{line.text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
