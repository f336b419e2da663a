#include "fiducial/datasets/kept_report.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

Json kept_answers(const AnswerCounts& answers) {
  return Json::array({answers.lines, answers.unchanged, answers.bare, answers.labelled, answers.with_steps});
}

Result<AnswerCounts> parse_answers(const Json& value) {
  FIDUCIAL_TRY(const Json::Array* counts, expect_array(value, "/submission/answers"));
  if (counts->size() != 5) return at_pointer("/submission/answers", "expected five counts");
  AnswerCounts out;
  std::size_t at = 0;
  for (std::int64_t* const count : {&out.lines, &out.unchanged, &out.bare, &out.labelled, &out.with_steps}) {
    FIDUCIAL_TRY(*count, expect_integer((*counts)[at++], "/submission/answers"));
  }
  return out;
}

Json kept_submission(const SubmissionFacts& facts) {
  Json files{Json::Array{}};
  for (const SubmittedFile& file : facts.files) files.push(kept_file(file));
  return Json::object({{"split", facts.split},
                       {"kind", facts.kind},
                       {"files", std::move(files)},
                       {"answers", facts.answers ? kept_answers(*facts.answers) : Json()}});
}

Result<SubmissionFacts> parse_submission(const Json& value) {
  SubmissionFacts out;
  FIDUCIAL_TRY(out.split, required_string(value, "split", "/submission"));
  FIDUCIAL_TRY(out.kind, required_string(value, "kind", "/submission"));
  FIDUCIAL_TRY(const Json* files, required_field(value, "files", "/submission"));
  FIDUCIAL_TRY(const Json::Array* list, expect_array(*files, "/submission/files"));
  out.files.reserve(list->size());
  for (const Json& each : *list) {
    FIDUCIAL_TRY(SubmittedFile file, parse_kept_file(each));
    out.files.push_back(std::move(file));
  }
  const Json* answers = value.find("answers");
  if (answers == nullptr || answers->is_null()) return out;
  FIDUCIAL_TRY(out.answers, parse_answers(*answers));
  return out;
}

}  // namespace

Json kept_file(const SubmittedFile& file) {
  return Json::object({{"name", file.name},
                       {"bytes", file.bytes},
                       {"sha256", file.digest ? Json(file.digest->hex()) : Json()}});
}

Result<SubmittedFile> parse_kept_file(const Json& value) {
  SubmittedFile out;
  FIDUCIAL_TRY(out.name, required_string(value, "name", "/submitted"));
  FIDUCIAL_TRY(const std::int64_t bytes, required_integer(value, "bytes", "/submitted"));
  if (bytes < 0) return at_pointer("/submitted/bytes", "expected a size, found " + decimal(bytes));
  out.bytes = static_cast<std::uint64_t>(bytes);
  const std::string digest = text_at(value, "sha256");
  if (digest.empty()) return out;
  out.digest = parse_digest(digest);
  if (!out.digest) return at_pointer("/submitted/sha256", "expected a sha256, found \"" + digest + "\"");
  return out;
}

Json kept_report(const LintReport& report) {
  Json splits{Json::Array{}};
  for (const auto& [name, cases] : report.splits) splits.push(Json::array({name, cases}));
  Json out = Json::object({{"benchmark", report.benchmark},
                           {"dataset_file", report.dataset_file},
                           {"splits", std::move(splits)},
                           {"problems", report.problems.json()}});
  if (report.submission) out.set("submission", kept_submission(*report.submission));
  if (report.audit)
    out.set("audit", Json::object({{"json", report.audit->json}, {"text", report.audit->text}}));
  return out;
}

Result<LintReport> parse_kept_report(const Json& value) {
  LintReport out;
  FIDUCIAL_TRY(out.benchmark, required_string(value, "benchmark", ""));
  FIDUCIAL_TRY(out.dataset_file, required_string(value, "dataset_file", ""));
  FIDUCIAL_TRY(const Json* splits, required_field(value, "splits", ""));
  FIDUCIAL_TRY(const Json::Array* list, expect_array(*splits, "/splits"));
  for (const Json& each : *list) {
    const Json::Array* pair = each.as_array();
    if (pair == nullptr || pair->size() != 2) return at_pointer("/splits", "expected names and counts");
    FIDUCIAL_TRY(std::string name, expect_string((*pair)[0], "/splits"));
    FIDUCIAL_TRY(const std::int64_t cases, expect_integer((*pair)[1], "/splits"));
    out.splits.emplace_back(std::move(name), cases);
  }
  FIDUCIAL_TRY(const Json* problems, required_field(value, "problems", ""));
  FIDUCIAL_TRY(out.problems, LintProblems::parse(*problems));
  if (const Json* submission = value.find("submission")) {
    FIDUCIAL_TRY(out.submission, parse_submission(*submission));
  }
  const Json* audit = value.find("audit");
  if (audit == nullptr) return out;
  FIDUCIAL_TRY(const Json* json, required_field(*audit, "json", "/audit"));
  FIDUCIAL_TRY(std::string text, required_string(*audit, "text", "/audit"));
  out.audit = LintAudit{*json, std::move(text)};
  return out;
}

}  // namespace fiducial
