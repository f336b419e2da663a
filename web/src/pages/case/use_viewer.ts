// A viewer for as long as its case is shown: opened, kept in step with the address, closed.
import { useEffect, useMemo, useState } from "preact/hooks";

import { get_bytes, get_json } from "../../api/client.ts";
import { go, place } from "../../lib/router.ts";
import type { CaseValue } from "../../viewer/case_value.ts";
import { CaseViewer } from "../../viewer/case_viewer.ts";
import { parse_state, query_words, state_words } from "../../viewer/view_state.ts";

const address_ms = 250; // browsers refuse addresses that change more often for long

export const is_narrow = (): boolean => window.matchMedia("(max-width: 767px)").matches;

function make_viewer(value: CaseValue): CaseViewer {
  const query = new URLSearchParams(window.location.search);
  const connection = { bytes: async (path: string) => new Uint8Array(await get_bytes(path)), json: <T,>(path: string) => get_json<T>(path) };
  const given = parse_state(query);
  const state = is_narrow() && given.layout === "mpr" ? { ...given, layout: "axial" as const } : given;
  const viewer = new CaseViewer(value, state, connection, query.has("w"));
  viewer.waits_for_mask = given.finding !== null && given.at === null;
  return viewer;
}

// Which page of a case an address asks for: its tables alone have the same path.
const page_asked_for = (): string | null => new URLSearchParams(window.location.search).get("as");

// The address follows the state; an address that somebody else wrote is followed.
function keep_address(viewer: CaseViewer): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let written = window.location.search;
  const path = window.location.pathname;
  const page = page_asked_for();
  const write = (): void => {
    timer = undefined;
    if (window.location.pathname !== path || page_asked_for() !== page) return;
    written = "?" + query_words(state_words(viewer.state));
    go(path + written, true);
  };
  const stop_listening = viewer.listen(() => {
    if (viewer.state.at !== null || viewer.problem !== "") timer ??= setTimeout(write, address_ms);
  });
  const stop_following = place.subscribe((now) => {
    if (now.path !== path || timer !== undefined || window.location.search === written) return;
    written = window.location.search;
    viewer.adopt(parse_state(now.query));
  });
  return () => {
    clearTimeout(timer);
    stop_listening();
    stop_following();
  };
}

export function useViewer(value: CaseValue): CaseViewer {
  const viewer = useMemo(() => make_viewer(value), [value]);
  useEffect(() => {
    const stop = keep_address(viewer);
    void viewer.open();
    return () => {
      stop();
      viewer.close();
    };
  }, [viewer]);
  return viewer;
}

// Draws the component again whenever the viewer changed.
export function useChanges(viewer: CaseViewer): void {
  const [, count] = useState(0);
  useEffect(() => {
    const draw = (): void => count((n) => n + 1);
    draw(); // for what changed before this listened
    return viewer.listen(draw);
  }, [viewer]);
}
