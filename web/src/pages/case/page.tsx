// A CT case: planes, findings, scores; a sentence, its voxels and the points it lost are one click apart.
import "./case.css";

import type { CaseValue } from "../../viewer/case_value.ts";
import type { CaseProps } from "../any_case/page.tsx";
import { CaseView } from "./case_view.tsx";

export function Page({ case_record }: CaseProps) {
  const value: CaseValue = case_record;
  return <CaseView key={`${value.dataset}/${value.id}`} value={value} />;
}
