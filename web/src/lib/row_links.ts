// Where a row opens: its case, at its finding, with the run shown.
import type { Row } from "../api/types.ts";
import { to } from "./route.ts";

// Of which region a row is; empty where it is of none.
function region_of(row: object): string {
  const region = (row as Record<string, unknown>)["group_region"];
  return typeof region === "string" && region !== "whole scan" ? region : "";
}

export function row_address(row: { case: string; case_id?: string | null; finding: number | null }, dataset: string | null | undefined, run: string, task: string | null | undefined, difference = false): string | null {
  if (!dataset || row.case_id === null) return null;
  const id = row.case_id ?? row.case.replace(/\.nii\.gz$/, "");
  const region = region_of(row);
  if (region) return to.case(dataset, id, { tab: "regions", region, run });
  return to.case(dataset, id, { finding: has_findings(task) ? row.finding : null, run, show: difference ? "diff" : null });
}

// Tasks whose rows are of findings; of others a row is of the case as a whole, or of a region.
const tasks_of_findings = new Set(["finding_masks"]);
export const has_findings = (task: string | null | undefined): boolean => tasks_of_findings.has(task ?? "finding_masks");

export function row_name(row: Pick<Row, "case" | "finding">, of_findings = true): string {
  const region = region_of(row);
  if (region) return `${row.case.replace(/\.nii\.gz$/, "")} · ${region}`;
  return row.finding === null || !of_findings ? row.case.replace(/\.nii\.gz$/, "") : `${row.case.replace(/\.nii\.gz$/, "")} · ${row.finding + 1}`;
}
