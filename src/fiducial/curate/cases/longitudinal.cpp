#include "fiducial/curate/cases/case_annotation.h"

namespace fiducial {

namespace {

Outcome run_longitudinal(StageCall& call) {
  return annotate_cases(call, call.strict() ? AnnotationTasks::longitudinal : AnnotationTasks::both);
}

}  // namespace

Stage longitudinal_stage() {
  return {.name = "longitudinal",
          .summary = "Say which cases follow a patient over time, by a model's replies",
          .example = "fiducial curate longitudinal cases.jsonl --replay replies.jsonl -o annotated.jsonl",
          .inputs = {{.name = "CASES", .help = "Cases (.csv, .json, .jsonl)", .required = true}},
          .options = {{.name = "table",
                       .help = "The ICD-10 table; official mode asks both questions at once",
                       .is_path = true}},
          .asks = true,
          .run = run_longitudinal};
}

}  // namespace fiducial
