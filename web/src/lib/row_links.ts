// Where a row opens: its case, at its finding, with the run shown.
import type { Row } from "../api/types.ts";
import { to } from "./route.ts";

// Of which region a row is; empty where it is of none.
function region_of(row: object): string {
  const region = (row as Record<string, unknown>)["region"];
  return typeof region === "string" ? region : "";
}

export function row_address(row: { case: string; case_id?: string | null; finding: number | null }, dataset: string | null | undefined, run: string, difference = false): string | null {
  if (!dataset || row.case_id === null) return null;
  const id = row.case_id ?? row.case.replace(/\.nii\.gz$/, "");
  const region = region_of(row);
  if (region) return to.case(dataset, id, { tab: "regions", region, run });
  return to.case(dataset, id, { finding: row.finding, run, show: difference ? "diff" : null });
}

export function row_name(row: Pick<Row, "case" | "finding">): string {
  const region = region_of(row);
  if (region) return `${row.case.replace(/\.nii\.gz$/, "")} · ${region}`;
  return row.finding === null ? row.case : `${row.case.replace(/\.nii\.gz$/, "")} · ${row.finding + 1}`;
}
