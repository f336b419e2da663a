// Where a finding of the check opens: its case, at the finding and the voxel that its place names.
import type { LintFinding } from "../api/types.ts";
import { to } from "./route.ts";

export function lint_address(finding: LintFinding, dataset: string): string | null {
  const id =
    finding.case_id ??
    /([^/]+)\.nii\.gz$/.exec(finding.file)?.[1] ??
    /^images\/case0*(\d+)\//.exec(finding.file)?.[1] ??
    /([\w-]+)\.nii\.gz/.exec(finding.message)?.[1];
  if (!id) return null;
  const channel = /channel (\d+)/.exec(finding.place)?.[1] ?? /finding (\d+)/.exec(finding.place)?.[1];
  const voxel = finding.voxel ?? voxel_in(finding.place) ?? voxel_in(finding.message);
  return to.case(dataset, id, { finding: channel, at: voxel?.join(",") });
}

function voxel_in(text: string): number[] | null {
  const found = /voxel \(?(\d+), ?(\d+), ?(\d+)\)?/.exec(text);
  return found ? [Number(found[1]), Number(found[2]), Number(found[3])] : null;
}

export interface NamedPicture {
  case_id: string;
  label: string;
}

// The pictures that a finding names, in its file and in its words.
export function pictures_in(finding: Pick<LintFinding, "file" | "message">): NamedPicture[] {
  const names = `${finding.file} ${finding.message}`.matchAll(/images\/case0*(\d+)\/([^/\s]+)\.\w+/g);
  return [...names].map((name) => ({ case_id: name[1] ?? "", label: name[2] ?? "" }));
}
