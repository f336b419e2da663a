// Every key of the viewer, in one table. The page listens by it, the help page shows it.

export type Action =
  | "slice_back" | "slice_on" | "slices_back" | "slices_on" | "first_slice" | "last_slice"
  | "window_1" | "window_2" | "window_3" | "window_4" | "window_5" | "window_6" | "window_own" | "invert"
  | "level_down" | "level_up" | "narrower" | "wider"
  | "layout" | "axial" | "coronal" | "sagittal" | "three_d" | "fit" | "zoom_in" | "zoom_out" | "crosshair" | "slab" | "cine"
  | "move_left" | "move_right" | "move_up" | "move_down"
  | "next_finding" | "previous_finding" | "largest_slice" | "show" | "overlay" | "fill" | "fainter" | "stronger"
  | "length" | "roi" | "probe" | "set_end" | "leave" | "sync" | "next_case" | "previous_case" | "search" | "help";

export type KeyGroup = "slices" | "window" | "view" | "findings" | "tools" | "cases";

export interface KeyEntry {
  readonly action: Action;
  readonly keys: readonly string[]; // as KeyboardEvent.key names them, behind Shift+ where that is held
  readonly words: string;
  readonly group: KeyGroup;
}

const entry = (group: KeyGroup, action: Action, keys: string, words: string): KeyEntry => ({ group, action, keys: keys.split(" "), words });

export const key_table: readonly KeyEntry[] = [
  entry("slices", "slice_back", "ArrowUp ArrowLeft", "one slice towards the head, the front or the right"),
  entry("slices", "slice_on", "ArrowDown ArrowRight", "one slice towards the feet, the back or the left"),
  entry("slices", "slices_back", "PageUp", "ten slices back"),
  entry("slices", "slices_on", "PageDown", "ten slices on"),
  entry("slices", "first_slice", "Home", "first slice"),
  entry("slices", "last_slice", "End", "last slice"),
  entry("slices", "cine", "k", "play the slices; again to stop"),
  entry("slices", "slab", "t", "maximum over 5 mm, over 10 mm, one slice"),
  entry("window", "window_1", "1", "soft tissue, level 40 width 400"),
  entry("window", "window_2", "2", "lung, level -600 width 1500"),
  entry("window", "window_3", "3", "bone, level 480 width 2500"),
  entry("window", "window_4", "4", "mediastinum, level 50 width 350"),
  entry("window", "window_5", "5", "liver, level 90 width 150"),
  entry("window", "window_6", "6", "brain, level 40 width 80"),
  entry("window", "window_own", "0", "all values of the volume"),
  entry("window", "level_down", ";", "level 20 HU lower"),
  entry("window", "level_up", "'", "level 20 HU higher"),
  entry("window", "narrower", ":", "window 50 HU narrower"),
  entry("window", "wider", '"', "window 50 HU wider"),
  entry("window", "invert", "i", "white on black, black on white"),
  entry("view", "layout", "m", "three planes, or the one in use alone"),
  entry("view", "axial", "a", "axial plane alone"),
  entry("view", "coronal", "c", "coronal plane alone"),
  entry("view", "sagittal", "s", "sagittal plane alone"),
  entry("view", "three_d", "v", "three dimensions (needs WebGL)"),
  entry("view", "fit", "=", "fit the picture, undo zoom and pan"),
  entry("view", "zoom_in", "+", "zoom in on the crosshair"),
  entry("view", "zoom_out", "-", "zoom out"),
  entry("view", "move_left", "Shift+ArrowLeft", "crosshair a pixel to the left"),
  entry("view", "move_right", "Shift+ArrowRight", "crosshair a pixel to the right"),
  entry("view", "move_up", "Shift+ArrowUp", "crosshair a pixel up"),
  entry("view", "move_down", "Shift+ArrowDown", "crosshair a pixel down"),
  entry("view", "crosshair", "x", "crosshair on, off"),
  entry("view", "sync", "y", "side by side: scroll together, or apart"),
  entry("findings", "next_finding", "n", "next finding"),
  entry("findings", "previous_finding", "p", "previous finding"),
  entry("findings", "largest_slice", "g", "largest slice of the finding"),
  entry("findings", "show", "d", "reference, prediction, difference"),
  entry("findings", "overlay", "o", "masks on, off; held down: a peek below them"),
  entry("findings", "fill", "f", "masks filled, or outlines alone"),
  entry("findings", "fainter", "[", "fainter fill"),
  entry("findings", "stronger", "]", "stronger fill"),
  entry("tools", "length", "l", "measure a length"),
  entry("tools", "roi", "r", "measure a region: mean HU, sd, n"),
  entry("tools", "probe", "h", "value under the pointer"),
  entry("tools", "set_end", "Enter", "an end of the measure at the crosshair"),
  entry("tools", "leave", "Escape", "leave the tool; again: remove the measures"),
  entry("cases", "next_case", ".", "next case"),
  entry("cases", "previous_case", ",", "previous case"),
  entry("cases", "search", "/", "search the list"),
  entry("cases", "help", "?", "these keys"),
];

// What a mouse, a wheel and fingers do.
export const gesture_table: readonly { readonly gesture: string; readonly words: string }[] = [
  { gesture: "click", words: "crosshair there; names what lies there" },
  { gesture: "drag", words: "crosshair along; draws where a tool is in hand" },
  { gesture: "wheel", words: "slices" },
  { gesture: "Ctrl + wheel, pinch", words: "zoom" },
  { gesture: "right drag", words: "window: across is width, up and down is level; Shift: fine" },
  { gesture: "middle drag, Space + drag, two fingers", words: "pan" },
  { gesture: "double click", words: "this plane alone, or all three" },
  { gesture: "one finger up or down", words: "slices" },
];

const names: Readonly<Record<string, string>> = {
  ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", PageUp: "PgUp", PageDown: "PgDn", Escape: "Esc",
};
export const key_name = (key: string): string => (key.startsWith("Shift+") ? `Shift ${key_name(key.slice(6))}` : (names[key] ?? key));

const by_key = new Map<string, Action>(key_table.flatMap(({ keys, action }) => keys.map((key) => [key, action] as const)));

export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

// Keys with Ctrl, Alt or Meta are the browser's.
export function action_of(event: Pressed): Action | undefined {
  return event.ctrlKey || event.metaKey || event.altKey ? undefined : ((event.shiftKey ? by_key.get(`Shift+${event.key}`) : undefined) ?? by_key.get(event.key));
}
