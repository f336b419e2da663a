// Which Hounsfield units are drawn from black to white.

export interface IntensityWindow {
  readonly centre_hu: number;
  readonly width_hu: number;
}

export interface WindowPreset extends IntensityWindow {
  readonly name: string;
  readonly key: string;
}

export const window_presets: readonly WindowPreset[] = [
  { name: "soft", key: "1", centre_hu: 40, width_hu: 400 },
  { name: "lung", key: "2", centre_hu: -600, width_hu: 1500 },
  { name: "bone", key: "3", centre_hu: 480, width_hu: 2500 },
  { name: "mediastinum", key: "4", centre_hu: 50, width_hu: 350 },
  { name: "liver", key: "5", centre_hu: 90, width_hu: 150 },
  { name: "brain", key: "6", centre_hu: 40, width_hu: 80 },
];

export const least_width_hu = 1;

export function preset_named(name: string): WindowPreset | undefined {
  return window_presets.find((preset) => preset.name === name);
}

export function preset_of(window: IntensityWindow): WindowPreset | undefined {
  return window_presets.find((preset) => preset.centre_hu === window.centre_hu && preset.width_hu === window.width_hu);
}

// "lung", or "-600,1500" for a window without a name.
export function window_words(window: IntensityWindow): string {
  return preset_of(window)?.name ?? `${window.centre_hu},${window.width_hu}`;
}

export function parse_window(words: string): IntensityWindow | undefined {
  const preset = preset_named(words);
  if (preset !== undefined) return { centre_hu: preset.centre_hu, width_hu: preset.width_hu };
  const found = /^(-?\d{1,6}),(\d{1,6})$/.exec(words);
  if (found === null) return undefined;
  return { centre_hu: Number(found[1]), width_hu: Math.max(least_width_hu, Number(found[2])) };
}

// The window a radiologist would look at findings of a category with: effusion and thickening border on the chest
// wall, which a lung window draws white.
export function window_of_category(category: string | null): IntensityWindow {
  const preset = preset_named(category === "2e" ? "soft" : "lung")!;
  return { centre_hu: preset.centre_hu, width_hu: preset.width_hu };
}

// The grey of every Int16 value, at [value + 32768]. The rule is that of the server's drawings.
export function window_table(window: IntensityWindow, inverted = false): Uint32Array {
  const table = new Uint32Array(65536);
  const black_hu = window.centre_hu - window.width_hu / 2;
  for (let hu = -32768; hu < 32768; ++hu) {
    const share = Math.min(1, Math.max(0, (hu - black_hu) / window.width_hu));
    const grey = Math.round(inverted ? 255 - share * 255 : share * 255);
    table[hu + 32768] = (0xff000000 | (grey << 16) | (grey << 8) | grey) >>> 0;
  }
  return table;
}
