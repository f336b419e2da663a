#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/curate/cases/icd10_table.h"
#include "fiducial/curate/engine/stage_call.h"

namespace fiducial {

// What a model is shown of a case to annotate it: never images, never differential diagnoses.
struct AnnotatedCase {
  std::int64_t index = 0;
  std::string id;
  std::string link;
  std::string date;
  std::string history;
  std::vector<std::string> captions;  // "" where an image has none
  std::string findings;
  std::string diagnosis;
};

AnnotatedCase annotated_case(const Item& item);

enum class AnnotationTasks { icd10, longitudinal, both };

// The published prompt puts the table after the case; ours before it, so that a long prefix is always the
// same.
ModelRequest annotation_request(const AnnotatedCase& item, AnnotationTasks tasks, const std::string& table,
                                bool table_first);

// What the table makes of a model's words, or why they cannot be used.
struct Annotation {
  std::string objection;
  Json json;  // members icd10 and longitudinal, each with what the model said as model_raw
  // For the released schema: "M33 - Dermatopolymyositis"; empty without a valid category.
  std::string chapter;
  std::string block;
  std::string category;
  bool is_longitudinal = false;
  std::int64_t timepoints = 0;
  std::optional<std::string> interval;
  std::string mismatch;  // what the model says against the table or the rule of two timepoints
};

// The table, not the model, supplies chapter, block and titles. Strict refuses replies that break the schema;
// the published rules take what they can and fill the rest.
Annotation annotation_of(const Json& reply, AnnotationTasks tasks, const Icd10Table* table, bool strict);

// Annotates every case of the input, in order: a CSV gives records, cases in JSON get the released fields.
Outcome annotate_cases(StageCall& call, AnnotationTasks tasks);

}  // namespace fiducial
