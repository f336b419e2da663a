// Which planes stand beside each other.

import type { PlaneName } from "./plane.ts";
import type { ViewState } from "./view_state.ts";

export interface Pane {
  readonly id: string;
  readonly plane: PlaneName;
  readonly run: string | null;
  readonly apart: number;
}

export function panes_of({ layout, run, versus, apart }: ViewState): Pane[] {
  if (versus !== null) {
    const plane = layout === "mpr" || layout === "three_d" ? "axial" : layout;
    return [
      { id: "left", plane, run, apart: 0 },
      { id: "right", plane, run: versus, apart },
    ];
  }
  if (layout === "mpr" || layout === "three_d") {
    return (["axial", "coronal", "sagittal"] as const).map((plane) => ({ id: plane, plane, run, apart: 0 }));
  }
  return [{ id: layout, plane: layout, run, apart: 0 }];
}
