// Dark or light: the system's choice, until the reader makes one here.
import { signal } from "@preact/signals";

export type Theme = "system" | "dark" | "light";
const themes: Theme[] = ["system", "dark", "light"];
const key = "fiducial.theme";

export const theme = signal<Theme>("system");

function kept(): Theme {
  try {
    return themes.find((known) => known === window.localStorage.getItem(key)) ?? "system";
  } catch {
    return "system"; // storage may be forbidden
  }
}

export function choose_theme(choice: Theme): void {
  theme.value = choice;
  document.documentElement.dataset["theme"] = choice;
  try {
    window.localStorage.setItem(key, choice);
  } catch {
    // It lasts as long as the page, then.
  }
}

export function next_theme(now: Theme): Theme {
  return themes[(themes.indexOf(now) + 1) % themes.length] ?? "system";
}

export function start_theme(): void {
  choose_theme(kept());
}
