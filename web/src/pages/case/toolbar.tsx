// What is chosen, above the picture: run, what of it is shown, window, layout, tools. Every button has a key.
import type { ComponentChildren } from "preact";

import type { CaseViewer } from "../../viewer/case_viewer.ts";
import type { Pane } from "../../viewer/panes.ts";
import { perform, type PageCommands } from "../../viewer/commands.ts";
import type { Action } from "../../viewer/keys.ts";
import { shows } from "../../viewer/view_state.ts";
import { preset_of, window_presets } from "../../viewer/windows.ts";
import { case_address } from "./addresses.ts";
import { useChanges } from "./use_viewer.ts";
import { run_label } from "./words.ts";

function Choice({ label, value, options, choose }: { label: string; value: string; options: readonly (readonly [string, string])[]; choose: (value: string) => void }) {
  return (
    <label class="picker">
      <span>{label}</span>
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

function Pressed({ on, press, children, title }: { on: boolean; press: () => void; children: ComponentChildren; title: string }) {
  return (
    <button type="button" aria-pressed={on} onClick={press} title={title}>
      {children}
    </button>
  );
}

function Runs({ viewer }: { viewer: CaseViewer }) {
  useChanges(viewer);
  const { source, state } = viewer;
  const runs = viewer.runs();
  if (runs.length === 0) return null;
  const options = runs.map((run) => [run, run_label(source, run)] as const);
  return (
    <>
      <Choice label="run" value={state.run ?? ""} options={options} choose={(run) => viewer.set({ run })} />
      {runs.length > 1 && (
        <Choice label="beside" value={state.versus ?? ""} options={[["", "none"], ...options.filter(([run]) => run !== state.run)]}
                choose={(run) => viewer.set({ versus: run === "" ? null : run, apart: 0, together: true, show: run !== "" && state.show === "reference" ? "difference" : state.show })} />
      )}
      <span class="segments" role="group" aria-label="masks shown">
        {shows.map((show) => (
          <Pressed key={show} on={state.show === show} press={() => viewer.set({ show, overlay: true })} title={`show the ${show}  d`}>
            {show}
          </Pressed>
        ))}
      </span>
    </>
  );
}

function Window({ viewer }: { viewer: CaseViewer }) {
  useChanges(viewer);
  const { window } = viewer.state;
  const own = preset_of(window) === undefined ? [["own", `W ${window.width_hu} L ${window.centre_hu}`] as const] : [];
  const options = [...own, ...window_presets.map((preset) => [preset.name, `${preset.key} ${preset.name}`] as const)];
  const choose = (name: string): void => {
    const preset = window_presets.find((one) => one.name === name);
    if (preset !== undefined) viewer.set({ window: { centre_hu: preset.centre_hu, width_hu: preset.width_hu } });
  };
  return <Choice label="window" value={preset_of(window)?.name ?? "own"} options={options} choose={choose} />;
}

function CaseLink({ viewer, id, sign, title, hint }: { viewer: CaseViewer; id: string | null; sign: string; title: string; hint: string }) {
  const content = (
    <>
      <span aria-hidden="true">{sign}</span>
      <span class="out_of_sight">{title}</span>
    </>
  );
  if (id === null) {
    return (
      <button type="button" disabled title={`no ${title}`}>
        {content}
      </button>
    );
  }
  return (
    <a class="button" href={case_address(viewer, id)} title={`${title}  ${hint}`}>
      {content}
    </a>
  );
}

export function Toolbar({ viewer, pane, page, panel, toggle_panel }: { viewer: CaseViewer; pane: Pane; page: PageCommands; panel: boolean; toggle_panel: () => void }) {
  const { source, state } = viewer;
  const act = (action: Action) => (): void => perform(viewer, action, pane, page);
  const planes: readonly (readonly [Action, string, string])[] = [
    ["axial", "A", "axial"],
    ["coronal", "C", "coronal"],
    ["sagittal", "S", "sagittal"],
  ];
  return (
    <div class="toolbar" role="group" aria-label="viewer">
      <span class="segments" role="group" aria-label="case">
        <CaseLink viewer={viewer} id={source.previous} sign="‹" title="previous case" hint="," />
        <CaseLink viewer={viewer} id={source.next} sign="›" title="next case" hint="." />
      </span>
      <Runs viewer={viewer} />
      <Window viewer={viewer} />
      <span class="segments" role="group" aria-label="planes">
        {state.versus === null && (
          <Pressed on={state.layout === "mpr"} press={() => viewer.set({ layout: "mpr" })} title="three planes  m">
            3
          </Pressed>
        )}
        {planes.map(([action, letter, name]) => (
          <Pressed key={action} on={state.layout === action} press={act(action)} title={`${name}  ${letter.toLowerCase()}`}>
            <span aria-hidden="true">{letter}</span>
            <span class="out_of_sight">{name} plane</span>
          </Pressed>
        ))}
        {state.versus === null && (
          <Pressed on={state.layout === "three_d"} press={act("three_d")} title="three dimensions  v">
            3D
          </Pressed>
        )}
      </span>
      <span class="segments tool_row" role="group" aria-label="tools">
        <Pressed on={state.tool === "length"} press={act("length")} title="length  l">
          length
        </Pressed>
        <Pressed on={state.tool === "roi"} press={act("roi")} title="region: mean HU, sd, n  r">
          ROI
        </Pressed>
        <Pressed on={state.tool === "probe"} press={act("probe")} title="value under the pointer  h">
          probe
        </Pressed>
        <Pressed on={state.slab_mm > 0} press={act("slab")} title="maximum over a slab  t">
          {state.slab_mm > 0 ? `MIP ${state.slab_mm}` : "MIP"}
        </Pressed>
        <Pressed on={state.overlay} press={act("overlay")} title="masks on, off; hold to peek  o">
          masks
        </Pressed>
        {state.versus !== null && (
          <Pressed on={state.together} press={act("sync")} title="scroll together  y">
            sync
          </Pressed>
        )}
      </span>
      <button type="button" class="panel_switch" aria-expanded={panel} onClick={toggle_panel} title={panel ? "hide the list" : "show the list"}>
        <span aria-hidden="true">☰</span>
        <span class="out_of_sight">list</span>
      </button>
    </div>
  );
}
