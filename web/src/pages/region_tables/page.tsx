// A scan as its tables have it: the report by region, and the families of questions with what runs answered.
import { useEffect } from "preact/hooks";

import type { Case } from "../../api/types.ts";
import { to } from "../../lib/route.ts";
import { go, place } from "../../lib/router.ts";
import { counted_text } from "../../lib/numbers.ts";
import { Empty } from "../../widgets/states.tsx";
import { QuestionFamilies } from "./question_families.tsx";
import { RegionReport } from "./region_report.tsx";
import { ScanPicture } from "./scan_picture.tsx";
import "./region_tables.css";

function useCaseKeys(record: Case): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const typing = event.target instanceof Element && event.target.closest("input, select, textarea");
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      const next = event.key === "." ? record.next : event.key === "," ? record.previous : null;
      if (!next) return;
      event.preventDefault();
      go(to.case(record.dataset, next, { as: place.value.query.get("as"), run: place.value.query.get("run"), region: place.value.query.get("region") }));
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [record.id]);
}

function Head({ record }: { record: Case }) {
  return (
    <header class="page_head">
      <h1>{record.title}</h1>
      <p class="quiet small">
        {record.split} · {record.patient} · {counted_text(record.regions.length, "sentences")} by region ·{" "}
        {counted_text(record.questions.length, "questions")}
      </p>
      <nav class="chips" aria-label="other cases">
        {record.volume?.available === true && <a href={to.case(record.dataset, record.id, { region: place.value.query.get("region") })}>in the scan</a>}
        {record.previous && (
          <a href={to.case(record.dataset, record.previous, { as: "tables" })}>
            <kbd>,</kbd> previous
          </a>
        )}
        {record.next && (
          <a href={to.case(record.dataset, record.next, { as: "tables" })}>
            next <kbd>.</kbd>
          </a>
        )}
      </nav>
    </header>
  );
}

export function Page({ case_record }: { case_record: Case }) {
  useCaseKeys(case_record);
  const { report, regions, questions } = case_record;
  if (!report && regions.length === 0 && questions.length === 0)
    return (
      <div class="page">
        <Empty title="The tables say nothing of this scan">It is listed, but no row of any table is about it.</Empty>
      </div>
    );
  return (
    <div class="page region_tables">
      <Head record={case_record} />
      <div class="halves">
        <div>
          <ScanPicture record={case_record} />
          <RegionReport record={case_record} />
        </div>
        <QuestionFamilies record={case_record} />
      </div>
    </div>
  );
}
