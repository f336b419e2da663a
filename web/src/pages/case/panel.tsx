// The list beside the picture: findings, report, regions, questions, steps, organs; and what is under the crosshair.
import { useEffect, useRef } from "preact/hooks";

import type { CaseViewer } from "../../viewer/case_viewer.ts";
import { FindingsTab } from "./findings_tab.tsx";
import { Here } from "./here.tsx";
import type { Notes } from "./notes.ts";
import { has_organs, type Organs } from "./organs.ts";
import { OrgansTab } from "./organs_tab.tsx";
import { NotedReport } from "./report_tab.tsx";
import { StepsTab } from "./steps_tab.tsx";
import { QuestionsTab, RegionsTab, ReportTab } from "./texts_tab.tsx";
import { useChanges } from "./use_viewer.ts";

interface Tab {
  readonly id: string;
  readonly title: string;
  readonly count: number | null;
}

function tabs_of(viewer: CaseViewer, organs: Organs, notes: Notes): Tab[] {
  const { source } = viewer;
  const out: Tab[] = [];
  const noted = notes.value;
  const has_report = source.report !== null || (noted !== null && noted.texts.length > 0);
  if (source.findings.length > 0 || (!has_report && source.regions.length === 0)) {
    out.push({ id: "findings", title: "Findings", count: source.findings.length });
  }
  if (source.regions.length > 0) out.push({ id: "regions", title: "Regions", count: source.regions.length });
  if (source.questions.length > 0) out.push({ id: "questions", title: "Questions", count: source.questions.length });
  if (has_report) out.push({ id: "report", title: "Report", count: null });
  if (noted !== null && noted.chains.length > 0) out.push({ id: "steps", title: "Steps", count: noted.chains.length });
  if (has_organs(source)) out.push({ id: "organs", title: "Organs", count: organs.items.length });
  return out;
}

export function Panel({ viewer, organs, notes }: { viewer: CaseViewer; organs: Organs; notes: Notes }) {
  useChanges(viewer);
  const tabs = tabs_of(viewer, organs, notes);
  const chosen = tabs.find((tab) => tab.id === viewer.state.tab)?.id ?? tabs[0]?.id ?? "findings";
  const choose = (tab: string): void => viewer.set({ tab });
  const body = useRef<HTMLDivElement>(null);
  const { finding, region, question, step: chain_step } = viewer.state;
  useEffect(() => {
    body.current?.querySelector(".selected")?.scrollIntoView({ block: "nearest" });
  }, [chosen, notes.state, organs, finding, region, question, chain_step]);
  const step = (event: KeyboardEvent): void => {
    const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (way === 0) return;
    event.preventDefault();
    const next = tabs[(tabs.findIndex((tab) => tab.id === chosen) + way + tabs.length) % tabs.length]!;
    choose(next.id);
    document.getElementById(`tab_${next.id}`)?.focus();
  };
  return (
    <aside class="panel" aria-label="findings and texts">
      <div class="tab_row" role="tablist" onKeyDown={step}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`tab_${tab.id}`}
            type="button"
            role="tab"
            aria-selected={tab.id === chosen}
            aria-controls="tab_body"
            tabIndex={tab.id === chosen ? 0 : -1}
            onClick={() => choose(tab.id)}
          >
            {tab.title} {tab.count !== null && <span class="quiet">{tab.count}</span>}
          </button>
        ))}
      </div>
      <div ref={body} class="tab_body" id="tab_body" role="tabpanel" aria-labelledby={`tab_${chosen}`} tabIndex={0}>
        {chosen === "findings" && <FindingsTab viewer={viewer} />}
        {chosen === "report" &&
          (notes.value !== null && notes.value.texts.length > 0 ? <NotedReport viewer={viewer} organs={organs} notes={notes.value} /> : <ReportTab viewer={viewer} />)}
        {chosen === "steps" && <StepsTab viewer={viewer} organs={organs} chains={notes.value?.chains ?? []} />}
        {notes.value?.problems.map((problem) => (
          <p key={problem.file} class="fault tab_text small">
            {problem.file}: {problem.message}
          </p>
        ))}
        {chosen === "regions" && <RegionsTab viewer={viewer} organs={organs} />}
        {chosen === "questions" && <QuestionsTab viewer={viewer} organs={organs} />}
        {chosen === "organs" && <OrgansTab viewer={viewer} organs={organs} />}
      </div>
      <Here viewer={viewer} organs={organs.items} />
    </aside>
  );
}
