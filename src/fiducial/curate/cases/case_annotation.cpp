#include "fiducial/curate/cases/case_annotation.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/number_text.h"
#include "fiducial/curate/engine/item_fields.h"
#include "fiducial/datasets/medthinkvqa/raw_row.h"
#include "fiducial/table/csv.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

std::string two_digits(int number) { return (number < 10 ? "0" : "") + decimal(number); }

std::vector<std::string> captions_of(const Json& item) {
  std::vector<std::string> out;
  if (const Json* images = item.find("img"); images != nullptr && images->as_array() != nullptr) {
    for (const Json& image : *images->as_array()) out.push_back(first_text(image, {"img_alt2", "img_alt"}));
    return out;
  }
  for (int i = 1; i <= medthinkvqa::max_images; ++i) {
    const std::string released = "image_" + two_digits(i) + "_caption";
    const std::string working = "image" + decimal(i) + "_caption";
    out.push_back(first_text(item, {released.c_str(), working.c_str()}));
  }
  while (!out.empty() && out.back().empty()) out.pop_back();
  return out;
}

std::string case_words(const AnnotatedCase& item) {
  std::string out = "Clinical history:\n" + item.history + "\n\nImage captions:\n";
  for (std::size_t i = 0; i < item.captions.size(); ++i) {
    if (!item.captions[i].empty()) out += "image" + decimal(i + 1) + ": " + item.captions[i] + "\n";
  }
  return out + "The numbers of the images carry no order in time.\n\nImaging findings:\n" + item.findings +
         "\n\nFinal diagnosis:\n" + item.diagnosis + "\n\n";
}

std::string task_words(AnnotationTasks tasks) {
  std::string out;
  if (tasks != AnnotationTasks::longitudinal) {
    out +=
        "Task: name the chapter, the block and the one three-character category of ICD-10 for the final "
        "diagnosis, "
        "consistent with the table, and the evidence for it.\n";
  }
  if (tasks != AnnotationTasks::icd10) {
    out +=
        "Task: say whether the case is longitudinal: only where the patient was seen at two or more distinct "
        "timepoints; "
        "several tests of one work-up are one timepoint. Quote the words that mark time, count the "
        "timepoints, and give "
        "the interval from first to last, or \"unknown\"; null where it is not longitudinal.\n";
  }
  return out;
}

Json text_type() { return Json::object({{"type", "string"}}); }

Json object_schema(Json::Object properties) {
  Json required = Json::Array{};
  for (const auto& [name, value] : properties) required.push(name);
  return Json::object({{"type", "object"},
                       {"properties", Json(std::move(properties))},
                       {"required", std::move(required)},
                       {"additionalProperties", false}});
}

Json annotation_reply_schema(AnnotationTasks tasks) {
  Json::Object out;
  if (tasks != AnnotationTasks::longitudinal) {
    out.emplace_back("icd10", object_schema({{"chapter", text_type()},
                                             {"block", text_type()},
                                             {"category", text_type()},
                                             {"evidence", text_type()}}));
  }
  if (tasks != AnnotationTasks::icd10) {
    out.emplace_back(
        "longitudinal",
        object_schema({{"is_longitudinal", Json::object({{"enum", Json::array({"yes", "no"})}})},
                       {"timepoint_count", Json::object({{"type", "integer"}, {"minimum", 0}})},
                       {"timepoint_evidence", Json::object({{"type", "array"}, {"items", text_type()}})},
                       {"interval_text", Json::object({{"type", Json::array({"string", "null"})}})},
                       {"evidence", text_type()}}));
  }
  return object_schema(std::move(out));
}

std::string labelled(const std::string& label, const std::string& title) { return label + " - " + title; }

// Whether an object has exactly these members.
bool has_members(const Json* value, std::initializer_list<const char*> names) {
  if (value == nullptr || value->as_object() == nullptr || value->as_object()->size() != names.size())
    return false;
  for (const char* name : names) {
    if (value->find(name) == nullptr) return false;
  }
  return true;
}

Json text_or_null(bool is_there, const std::string& text) { return is_there ? Json(text) : Json(); }

// Members of an object as they are, null where they are not there.
Json copied_members(const Json& from, std::initializer_list<const char*> names) {
  Json out = Json::Object{};
  for (const char* name : names) out.set(name, from.find(name) != nullptr ? *from.find(name) : Json());
  return out;
}

// Names and order of the members are those of the published records.
void add_icd10(Annotation& out, const Json& said, const Icd10Table& table) {
  const std::string chapter = icd10_chapter_in(first_text(said, {"chapter"}));
  const std::string block = icd10_block_in(first_text(said, {"block"}));
  const std::string code = icd10_category_in(first_text(said, {"category"}));
  const Icd10Category* category = table.find(code);
  const bool is_valid = category != nullptr;
  const Icd10Block in_block = is_valid ? table.blocks()[category->block] : Icd10Block{};
  const Icd10Chapter in_chapter = is_valid ? table.chapters()[in_block.chapter] : Icd10Chapter{};
  const bool chapter_fits = is_valid && in_chapter.label == chapter;
  const bool block_fits = is_valid && in_block.range == block;
  if (is_valid) {
    out.chapter = labelled(in_chapter.label, in_chapter.title);
    out.block = labelled(in_block.range, in_block.title);
    out.category = labelled(category->code, category->title);
  }
  if (!is_valid) out.mismatch = "category_unknown";
  if (is_valid && !(chapter_fits && block_fits)) out.mismatch = "table_mismatch";
  const auto told = [is_valid](const std::string& text) { return text_or_null(is_valid, text); };
  out.json.set(
      "icd10",
      Json::object({{"category_code", text_or_null(!code.empty(), code)},
                    {"is_valid_category_in_appendix", is_valid},
                    {"model_raw", copied_members(said, {"chapter", "block", "category", "evidence"})},
                    {"chapter", told(in_chapter.label)},
                    {"chapter_roman", told(in_chapter.label.substr(in_chapter.label.find(' ') + 1))},
                    {"chapter_title", told(in_chapter.title)},
                    {"chapter_range", told(in_chapter.range)},
                    {"block", told(in_block.range)},
                    {"block_title", told(in_block.title)},
                    {"category", told(code)},
                    {"category_title", told(is_valid ? category->title : "")},
                    {"model_chapter_match_appendix", chapter_fits},
                    {"model_block_match_appendix", block_fits}}));
}

// A count as Python's int() takes it, and 0 where it does not.
std::int64_t timepoints_in(const Json* value) {
  constexpr double largest = 1e15;
  if (value == nullptr) return 0;
  const auto number = value->as_number();
  if (number && !(std::abs(*number) <= largest)) return 0;
  if (number) return std::max<std::int64_t>(0, static_cast<std::int64_t>(*number));
  const auto count = parse_integer(white_space_trimmed(scalar_text(value).value_or("")));
  return count && *count > 0 ? *count : 0;
}

// What is quoted, without white space at the ends and without what is empty.
Json quotes_in(const Json* list) {
  Json out = Json::Array{};
  if (list == nullptr || list->as_array() == nullptr) return out;
  for (const Json& each : *list->as_array()) {
    const std::string text(white_space_trimmed(scalar_text(&each).value_or(each.compact())));
    if (!text.empty()) out.push(text);
  }
  return out;
}

void add_longitudinal(Annotation& out, const Json& said) {
  out.is_longitudinal = lower_norm(first_text(said, {"is_longitudinal"})) == "yes";
  out.timepoints = timepoints_in(said.find("timepoint_count"));
  const std::string interval = first_text(said, {"interval_text"});
  if (out.is_longitudinal) out.interval = interval.empty() ? "unknown" : interval;
  const bool meets_rule = !out.is_longitudinal || out.timepoints >= 2;
  if (!meets_rule) out.mismatch = "too_few_timepoints";
  out.json.set("longitudinal",
               Json::object({{"is_longitudinal", out.is_longitudinal ? "yes" : "no"},
                             {"timepoint_count", out.timepoints},
                             {"timepoint_evidence", quotes_in(said.find("timepoint_evidence"))},
                             {"interval_text", out.interval ? Json(*out.interval) : Json()},
                             {"meets_minimum_timepoint_rule", meets_rule},
                             {"model_raw",
                              copied_members(said, {"is_longitudinal", "timepoint_count",
                                                    "timepoint_evidence", "interval_text", "evidence"})}}));
}

// Writes the fields of the released schema that an annotation fills.
void write_released(Json& item, const Annotation& found, AnnotationTasks tasks) {
  if (tasks != AnnotationTasks::longitudinal) {
    item.set("ICD Chapter", found.chapter).set("ICD Block", found.block).set("ICD Category", found.category);
  }
  if (tasks != AnnotationTasks::icd10) {
    item.set("is_longitudinal", found.is_longitudinal).set("timepoint_count", found.timepoints);
    item.set("interval_text", found.interval.value_or(""));
  }
}

// A record as the published script writes it.
Json record_json(const AnnotatedCase& item, const ModelReply& reply, const Annotation& found) {
  Json captions = Json::Array{};
  for (std::size_t i = 0; i < item.captions.size(); ++i) {
    if (!item.captions[i].empty()) captions.push("image" + decimal(i + 1) + ": " + item.captions[i]);
  }
  Json out = Json::object({{"source_row_index", item.index},
                           {"case_title", item.id},
                           {"link", item.link},
                           {"case_date", item.date},
                           {"input_used", Json::object({{"clinical_history", item.history},
                                                        {"image_captions", std::move(captions)},
                                                        {"imaging_findings", item.findings},
                                                        {"final_diagnosis", item.diagnosis}})},
                           {"tokens", Json::object({{"input_tokens", reply.prompt_tokens},
                                                    {"output_tokens", reply.completion_tokens}})}});
  if (!reply.error.empty()) return out.set("error", reply.error);
  if (found.objection.empty()) return out.set("annotation", found.json);
  return out.set("annotation", Json::object({{"error", found.objection}, {"raw_response", reply.value}}));
}

class Annotator {
 public:
  Annotator(StageCall& call, AnnotationTasks tasks) : call_(call), tasks_(tasks) {}

  Outcome run() {
    FIDUCIAL_TRY_DONE(read_table());
    const Path path = call_.text("CASES");
    if (path.extension() == ".csv") return annotate_table(path);
    return change_items(call_, "CASES", [this](Item& item) -> Result<ItemStatus> {
      Annotation found;
      ModelReply reply;
      FIDUCIAL_TRY(const ItemStatus status, annotate(annotated_case(item), found, reply));
      if (status.status == "ok") write_released(item.value, found, tasks_);
      return status;
    });
  }

 private:
  Outcome read_table() {
    if (tasks_ == AnnotationTasks::longitudinal) return done();
    const Path path = call_.text("table");
    if (path.empty())
      return bad_usage(
          "curate icd10: --table with the text of ICD-10 is missing; build it from WHO's archive");
    FIDUCIAL_TRY(table_text_, call_.read_input("table", path));
    FIDUCIAL_TRY(table_, Icd10Table::parse(table_text_).in_file(path.string()));
    return done();
  }

  // A row a record; the records of a table are lines, whatever happens to each.
  Outcome annotate_table(const Path& path) {
    FIDUCIAL_TRY(const std::string text, call_.read_input("CASES", path));
    FIDUCIAL_TRY(const CsvTable table, parse_csv(text).in_file(path.string()));
    FIDUCIAL_TRY_DONE(table.column("final_diagnosis").in_file(path.string()));
    FIDUCIAL_TRY(OutputFile * records, call_.output().add_main(".jsonl"));
    for (std::size_t row = 0; row < table.rows(); ++row) {
      Item item{.index = static_cast<std::int64_t>(row), .value = Json::Object{}};
      for (std::size_t i = 0; i < table.columns().size(); ++i) {
        item.value.set(table.columns()[i], table.cell(row, i));
      }
      const AnnotatedCase seen = annotated_case(item);
      Annotation found;
      ModelReply reply;
      FIDUCIAL_TRY(const ItemStatus status, annotate(seen, found, reply));
      if (status.code == "unanswered") continue;
      FIDUCIAL_TRY_DONE(call_.record(item.index, seen.id, status));
      if (status.status == "skipped") continue;
      Json record = record_json(seen, reply, found);
      if (call_.strict() && status.status == "ok") write_released(record, found, tasks_);
      FIDUCIAL_TRY_DONE(records->write(record.compact() + "\n"));
    }
    return done();
  }

  Result<ItemStatus> annotate(const AnnotatedCase& item, Annotation& found, ModelReply& reply) {
    if (white_space_trimmed(item.diagnosis).empty())
      return ItemStatus{.status = "skipped", .code = "no_diagnosis"};
    FIDUCIAL_TRY(const std::optional<ModelReply> given,
                 call_.ask(annotation_request(item, tasks_, table_text_, call_.strict()), item.id));
    if (!given) return ItemStatus{.status = "skipped", .code = "unanswered"};
    reply = *given;
    if (!reply.error.empty())
      return ItemStatus{.status = "error", .code = "model_error", .detail = reply.error};
    found = annotation_of(reply.value, tasks_, &table_, call_.strict());
    if (!found.objection.empty())
      return ItemStatus{.status = "invalid", .code = "reply_invalid", .detail = found.objection};
    const std::string detail = found.mismatch.empty() ? "" : "to be reviewed";
    return ItemStatus{.code = found.mismatch, .detail = detail};
  }

  StageCall& call_;
  AnnotationTasks tasks_;
  std::string table_text_;
  Icd10Table table_;
};

}  // namespace

AnnotatedCase annotated_case(const Item& item) {
  const Json& value = item.value;
  return {.index = item.index,
          .id = item.id(),
          .link = first_text(value, {"link", "source_link"}),
          .date = first_text(value, {"case_date", "date"}),
          .history = first_text(value, {"CLINICAL_HISTORY", "clinical_history"}),
          .captions = captions_of(value),
          .findings = first_text(value, {"IMAGING_FINDINGS", "imaging_findings"}),
          .diagnosis = first_text(value, {"final_diagnosis", "correct_answer_text", "diagnosis"})};
}

ModelRequest annotation_request(const AnnotatedCase& item, AnnotationTasks tasks, const std::string& table,
                                bool table_first) {
  const std::string version = table_first ? "/2" : "/1";
  constexpr const char* names[] = {"icd10", "longitudinal", "icd10-longitudinal"};
  const std::string words = case_words(item) + task_words(tasks);
  std::string user = words;
  if (!table.empty()) user = table_first ? "ICD-10:\n" + table + "\n" + words : words + "\nICD-10:\n" + table;
  return {.prompt = names[static_cast<std::size_t>(tasks)] + version,
          .system =
              "You annotate radiology teaching cases. Answer with the JSON object that is asked for, and "
              "nothing else.",
          .user = std::move(user),
          .schema = annotation_reply_schema(tasks)};
}

Annotation annotation_of(const Json& reply, AnnotationTasks tasks, const Icd10Table* table, bool strict) {
  Annotation out{.json = Json::Object{}};
  const Json* icd10 = reply.find("icd10");
  const Json* longitudinal = reply.find("longitudinal");
  const bool wants_icd10 = tasks != AnnotationTasks::longitudinal;
  const bool wants_time = tasks != AnnotationTasks::icd10;
  if (strict && wants_icd10 && !has_members(icd10, {"chapter", "block", "category", "evidence"})) {
    out.objection = "expected icd10 with chapter, block, category and evidence";
  }
  if (strict && wants_time &&
      !has_members(longitudinal, {"is_longitudinal", "timepoint_count", "timepoint_evidence", "interval_text",
                                  "evidence"})) {
    out.objection =
        "expected longitudinal with is_longitudinal, timepoint_count, timepoint_evidence, interval_text and "
        "evidence";
  }
  if (!strict && reply.as_object() == nullptr) out.objection = "expected an object";
  if (!out.objection.empty()) return out;
  // By the published rules a part that is missing says nothing.
  const Json nothing = Json::Object{};
  const auto part = [&nothing](const Json* said) -> const Json& {
    return said != nullptr && said->as_object() != nullptr ? *said : nothing;
  };
  if (wants_icd10) add_icd10(out, part(icd10), *table);
  if (wants_time) add_longitudinal(out, part(longitudinal));
  return out;
}

Outcome annotate_cases(StageCall& call, AnnotationTasks tasks) { return Annotator(call, tasks).run(); }

}  // namespace fiducial
