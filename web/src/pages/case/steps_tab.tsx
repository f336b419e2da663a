// Chains of places: from the whole scan down to where a finding lies, each step a box in the picture and its organs lit.
import type { Chain, ChainStep } from "../../api/types.ts";
import { finding_said } from "../../lib/noted_text.ts";
import type { CaseViewer } from "../../viewer/case_viewer.ts";
import type { ChainPlace } from "../../viewer/view_state.ts";
import type { WorldBox } from "../../viewer/viewport.ts";
import { organs_named } from "./light.ts";
import type { Organs } from "./organs.ts";
import { useChanges } from "./use_viewer.ts";

export function box_of(step: ChainStep): WorldBox | null {
  const [low, high] = step.box_mm ?? [];
  return low === undefined || high === undefined ? null : { low, high, label: step.structure };
}

// Shows a step: its box, and the organs it is made of, alone.
export function show_step(viewer: CaseViewer, organs: Organs, chains: readonly Chain[], place: ChainPlace): void {
  const step = chains[place.chain]?.steps[place.step];
  if (step === undefined) return;
  const lit = step.level === "scan" ? [] : organs_named(organs, step.organs);
  viewer.show_box(box_of(step), { step: place, organs: new Set(lit.map((organ) => organ.id)) });
}

function StepLink({ step, chosen, show }: { step: ChainStep; chosen: boolean; show: () => void }) {
  const located = step.box_mm !== null && step.box_mm !== undefined;
  return (
    <li>
      <button type="button" class="small" aria-current={chosen ? "step" : undefined} disabled={!located} title={step.sentence ?? step.reason ?? step.level} onClick={show}>
        {step.structure}
      </button>
    </li>
  );
}

function ChainItem({ viewer, organs, chains, at }: { viewer: CaseViewer; organs: Organs; chains: readonly Chain[]; at: number }) {
  const chain = chains[at]!;
  const { step: chosen } = viewer.state;
  const here = chosen !== null && chosen.chain === at ? chosen.step : null;
  const show = (step: number): void => show_step(viewer, organs, chains, { chain: at, step });
  const finding = finding_said(chain.statement ?? "", viewer.source.findings);
  const move = (by: number) => (): void => show(Math.min(chain.steps.length - 1, Math.max(0, (here ?? (by > 0 ? -1 : 1)) + by)));
  return (
    <li class={here === null ? "chain" : "chain selected"}>
      <p>{chain.statement}</p>
      <p class="tab_tools">
        <button type="button" class="small" onClick={move(-1)} disabled={here === null || here === 0}>
          Back
        </button>
        <button type="button" class="small" onClick={move(1)} disabled={here !== null && here >= chain.steps.length - 1}>
          {here === null ? "Walk through it" : "Next step"}
        </button>
        {finding !== null && (
          <button type="button" class="small" onClick={() => viewer.go_to_finding(finding)}>
            Finding {finding + 1}
          </button>
        )}
        <span class={chain.status === "located" ? "badge good" : "badge"}>{chain.status.replaceAll("_", " ")}</span>
      </p>
      {chain.reason && <p class="small quiet">{chain.reason}</p>}
      <ol class="steps_of_chain">
        {chain.steps.map((step, i) => (
          <StepLink key={i} step={step} chosen={here === i} show={() => show(i)} />
        ))}
      </ol>
      {here !== null && <p class="small quiet">{chain.steps[here]?.sentence}</p>}
    </li>
  );
}

export function StepsTab({ viewer, organs, chains }: { viewer: CaseViewer; organs: Organs; chains: readonly Chain[] }) {
  useChanges(viewer);
  return (
    <>
      <p class="quiet small tab_text">Where the report says that a finding lies, narrowed down step by step. A step draws its box and lights its organs.</p>
      <ol class="chains">
        {chains.map((_, i) => (
          <ChainItem key={i} viewer={viewer} organs={organs} chains={chains} at={i} />
        ))}
      </ol>
    </>
  );
}
