// The page of a case that is there: planes on the left, what is known of it on the right.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { go } from "../../lib/router.ts";
import type { CaseValue } from "../../viewer/case_value.ts";
import type { CaseViewer } from "../../viewer/case_viewer.ts";
import type { Pane } from "../../viewer/panes.ts";
import { perform, type PageCommands } from "../../viewer/commands.ts";
import { action_of } from "../../viewer/keys.ts";
import { case_address } from "./addresses.ts";
import { Hints } from "./hints.tsx";
import { light, organs_of_region } from "./light.ts";
import { useNotes, type Notes } from "./notes.ts";
import { KeyHelp } from "./key_help.tsx";
import { useOrgans, type Organs } from "./organs.ts";
import { show_step } from "./steps_tab.tsx";
import { PlanePane } from "./pane.tsx";
import { Panel } from "./panel.tsx";
import { ThreePane } from "./three_pane.tsx";
import { Toolbar } from "./toolbar.tsx";
import { useChanges, useViewer } from "./use_viewer.ts";
import { VolumeState } from "./volume_state.tsx";
import { spoken } from "./words.ts";

const peek_ms = 350;
const cine_ms = 66;
const speech_ms = 400;

function typing(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target.isContentEditable) return true;
  // A list of choices takes arrows and letters for itself.
  return target instanceof HTMLSelectElement;
}

// Arrows on buttons and links move pages for those who use them; on the panes they are ours.
function ours(event: KeyboardEvent): boolean {
  const target = event.target;
  if (event.defaultPrevented || typing(event) || document.querySelector("dialog[open]") !== null) return false;
  const scrolls = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End"].includes(event.key);
  if (event.key === "Enter") return target instanceof HTMLElement && target.closest("[data-pane]") !== null;
  return !scrolls || !(target instanceof HTMLElement) || target.closest(".panel, [role=tab]") === null;
}

function useKeys(viewer: CaseViewer, pane: { current: Pane }, page: PageCommands): void {
  useEffect(() => {
    let pressed_at = 0;
    const down = (event: KeyboardEvent): void => {
      if (!ours(event)) return;
      const action = action_of(event);
      if (action === undefined) return;
      event.preventDefault();
      if (action === "overlay" && event.repeat) return;
      if (action === "overlay") pressed_at = performance.now();
      perform(viewer, action, pane.current, page);
    };
    const up = (event: KeyboardEvent): void => {
      const held = action_of(event) === "overlay" && pressed_at > 0 && performance.now() - pressed_at > peek_ms;
      if (held) perform(viewer, "overlay", pane.current, page);
      if (action_of(event) === "overlay") pressed_at = 0;
    };
    document.addEventListener("keydown", down);
    document.addEventListener("keyup", up);
    return () => {
      document.removeEventListener("keydown", down);
      document.removeEventListener("keyup", up);
    };
  }, [viewer, page]);
}

// Plays the slices of the pane in use, from the last back to the first.
function useCine(viewer: CaseViewer, pane: { current: Pane }): () => void {
  const timer = useRef<ReturnType<typeof setInterval> | undefined>(undefined);
  useEffect(() => () => clearInterval(timer.current), [viewer]);
  return () => {
    if (timer.current !== undefined) {
      clearInterval(timer.current);
      timer.current = undefined;
      return;
    }
    timer.current = setInterval(() => {
      const before = viewer.state.at;
      viewer.scroll(pane.current, 1);
      if (viewer.state.at === before || viewer.state.at?.every((n, axis) => n === before?.[axis])) viewer.scroll(pane.current, -1e6);
    }, cine_ms);
  };
}

function Spoken({ viewer, pane }: { viewer: CaseViewer; pane: Pane | undefined }) {
  const words = spoken(viewer, pane);
  const [said, say] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => say(words), speech_ms);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <p class="out_of_sight" aria-live="polite" role="status">
      {said}
    </p>
  );
}

// A link that names a step, a question or a region shows it once its grid and its organs are there.
function useStepOfAddress(viewer: CaseViewer, organs: Organs, notes: Notes): void {
  const shown = useRef(false);
  const ready = viewer.volume !== null && notes.value !== null;
  useEffect(() => {
    const { step, region, question, organs: lit } = viewer.state;
    if (!ready || notes.value === null || (shown.current && organs.items.length === 0)) return;
    shown.current = true;
    if (step !== null) show_step(viewer, organs, notes.value.chains, step);
    else if (lit.size === 0 && organs.items.length > 0) {
      const spoken_of = region ?? viewer.source.questions[question ?? -1]?.region ?? null;
      if (spoken_of !== null) void light(viewer, organs, organs_of_region(viewer.source, spoken_of));
    }
  }, [viewer, ready, organs]);
}

const layout_class = (viewer: CaseViewer): string =>
  viewer.state.versus !== null ? "beside" : viewer.state.layout === "mpr" ? "mpr" : viewer.state.layout === "three_d" ? "with_three" : "alone";

export function CaseView({ value }: { value: CaseValue }) {
  const viewer = useViewer(value);
  useChanges(viewer);
  const organs = useOrgans(value);
  const notes = useNotes(value);
  useStepOfAddress(viewer, organs, notes);
  const [used, use] = useState("axial");
  const [help, show_help] = useState(false);
  const [panel, show_panel] = useState(true);
  const root = useRef<HTMLDivElement>(null);
  const panes = viewer.panes();
  const pane = panes.find((one) => one.id === used) ?? panes[0]!;
  const current = useRef(pane);
  current.current = pane;
  const cine = useCine(viewer, current);
  const page = useMemo<PageCommands>(
    () => ({
      three_d: () => viewer.set({ layout: viewer.state.layout === "three_d" ? "mpr" : "three_d" }),
      next_case: () => value.next !== null && go(case_address(viewer, value.next)),
      previous_case: () => value.previous !== null && go(case_address(viewer, value.previous)),
      search: () => root.current?.querySelector<HTMLInputElement>("input[type=search]")?.focus(),
      help: () => show_help(true),
      cine,
    }),
    [viewer],
  );
  useKeys(viewer, current, page);
  // Tests and the console find the viewer on its element.
  useEffect(() => {
    if (root.current !== null) Object.assign(root.current, { viewer });
  }, [viewer]);
  return (
    <div ref={root} class={`case_page${panel ? "" : " without_panel"}`}>
      <h1 class="out_of_sight">{value.title ?? value.id}</h1>
      <Toolbar viewer={viewer} pane={pane} page={page} panel={panel} toggle_panel={() => show_panel(!panel)} />
      <div class="case_body">
        <div class={`panes ${layout_class(viewer)}`}>
          {viewer.source.volume?.available === true && viewer.problem === "" ? (
            <>
              {panes.map((one) => (
                <PlanePane key={one.id} viewer={viewer} pane={one} used={one.id === pane.id && panes.length > 1} use={() => use(one.id)} />
              ))}
              {viewer.state.versus === null && viewer.state.layout === "three_d" && <ThreePane viewer={viewer} />}
            </>
          ) : null}
          <VolumeState viewer={viewer} />
        </div>
        {panel && <Panel viewer={viewer} organs={organs} notes={notes} />}
      </div>
      <Hints viewer={viewer} />
      <Spoken viewer={viewer} pane={pane} />
      {help && <KeyHelp close={() => show_help(false)} />}
    </div>
  );
}
