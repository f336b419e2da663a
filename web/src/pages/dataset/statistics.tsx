// What the dataset holds, drawn split by split; a bar opens the cases that it counts.
import { useState } from "preact/hooks";

import type { DatasetPage } from "../../api/types.ts";
import { grouped, number_text } from "../../lib/numbers.ts";
import { to } from "../../lib/route.ts";
import { place, set_query } from "../../lib/router.ts";
import { stat_sections, type StatChart, type StatSection } from "../../lib/stat_sections.ts";
import { words_of } from "../../lib/words.ts";
import { Bars } from "../../widgets/bars.tsx";
import { Empty } from "../../widgets/states.tsx";

// Fields of the statistics, and the group of cases that a bar of theirs is.
const groups: Record<string, string> = {
  categories: "category",
  protocols: "protocol",
  icd_chapters: "icd_chapter",
  key_letters: "key",
  cases_by_modality: "modality",
};

const shown_bars = 14;

function Chart({ chart, split, dataset }: { chart: StatChart; split: string | null; dataset: string }) {
  const [all, show_all] = useState(false);
  const group = groups[chart.field];
  const bars = chart.bars.slice(0, all ? undefined : shown_bars).map((bar) => ({
    ...bar,
    ...(group ? { href: to.cases(dataset, { split, group: `${group}=${bar.label}` }) } : {}),
  }));
  return (
    <div>
      <Bars title={words_of(chart.field)} what="count" bars={bars} />
      {chart.bars.length > bars.length && (
        <button type="button" class="small" onClick={() => show_all(true)}>
          {chart.bars.length - bars.length} more
        </button>
      )}
    </div>
  );
}

function Section({ section, dataset }: { section: StatSection; dataset: string }) {
  return (
    <>
      <dl class="numbers">
        {section.numbers.map((number) => (
          <div key={number.name}>
            <dt class="small quiet">{number.name.replaceAll("_", " ")}</dt>
            <dd>{Number.isInteger(number.value) ? grouped(number.value) : number_text(number.value)}</dd>
          </div>
        ))}
      </dl>
      <div class="charts">
        {section.charts.map((chart) => (
          <Chart key={chart.field} chart={chart} split={section.split} dataset={dataset} />
        ))}
      </div>
    </>
  );
}

export function Statistics({ dataset }: { dataset: DatasetPage }) {
  const sections = stat_sections(dataset.description);
  const asked = place.value.query.get("part");
  const section = sections.find((each) => each.title === asked) ?? sections[0];
  if (!section)
    return (
      <Empty title="No statistics" command={`fiducial stats ${dataset.path ?? dataset.id}`}>
        The dataset could not be counted. This says why:
      </Empty>
    );
  return (
    <section aria-labelledby="statistics">
      <h2 id="statistics">Statistics</h2>
      {sections.length > 1 && (
        <div class="tabs" role="group" aria-label="what is counted">
          {sections.map((each, i) => (
            <button key={each.title} type="button" aria-pressed={each === section} onClick={() => set_query({ part: i === 0 ? null : each.title })}>
              {each.title.replaceAll("_", " ")}
            </button>
          ))}
        </div>
      )}
      <Section section={section} dataset={dataset.id} />
    </section>
  );
}
