#include "fiducial/datasets/lint_report.h"

#include <algorithm>
#include <array>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/printable.h"

namespace fiducial {

namespace {

constexpr Severity severities[] = {Severity::error, Severity::warning, Severity::note};
constexpr std::size_t shown_of_a_code = 10;
constexpr std::int64_t kept_of_a_code = 10'000;

std::string number_of(std::int64_t count, std::string_view noun) {
  return decimal(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

Json problem_json(const LintProblem& problem) {
  return Json::object({{"code", problem.code},
                       {"severity", to_string(problem.severity)},
                       {"file", problem.file},
                       {"place", problem.place},
                       {"message", problem.message}});
}

Json submission_json(const SubmissionFacts& submission) {
  Json files{Json::Array{}};
  std::uint64_t total = 0;
  for (const SubmittedFile& file : submission.files) {
    total += file.bytes;
    files.push(Json::object({{"file", file.name},
                             {"bytes", file.bytes},
                             {"sha256", file.digest ? Json(file.digest->hex()) : Json(nullptr)}}));
  }
  Json out = Json::object({{"split", submission.split},
                           {"kind", submission.kind},
                           {"bytes", total},
                           {"files", std::move(files)}});
  if (const auto& answers = submission.answers) {
    out.set("answers", Json::object({{"lines", answers->lines},
                                     {"unchanged", answers->unchanged},
                                     {"bare", answers->bare},
                                     {"labelled", answers->labelled},
                                     {"with_steps", answers->with_steps}}));
  }
  return out;
}

std::string submission_text(const SubmissionFacts& submission) {
  const std::string things =
      submission.answers ? number_of(submission.answers->lines, "answer")
                         : number_of(static_cast<std::int64_t>(submission.files.size()), "submitted file");
  return " and " + things + " of \"" + printable(submission.split) + "\"";
}

// The problems of one code, the first few in full.
std::string code_block(const std::vector<const LintProblem*>& problems, std::int64_t found) {
  std::string out =
      std::string(to_string(problems[0]->severity)) + " " + problems[0]->code + " (" + decimal(found) + ")\n";
  const std::size_t shown = std::min(problems.size(), shown_of_a_code);
  for (std::size_t i = 0; i < shown; ++i) {
    const LintProblem& problem = *problems[i];
    std::string where = problem.file;
    if (!problem.place.empty()) append_joined(where, problem.place);
    out += "  " + printable((where.empty() ? "" : where + ": ") + problem.message) + "\n";
  }
  const std::int64_t more = found - static_cast<std::int64_t>(shown);
  const bool has_all = found == static_cast<std::int64_t>(problems.size());
  if (more > 0) {
    out += "  and " + decimal(more) + " more; --json lists " +
           (has_all ? "all" : "the first " + decimal(problems.size())) + "\n";
  }
  return out;
}

Result<Severity> parse_severity(std::string_view name) {
  for (const Severity each : severities) {
    if (to_string(each) == name) return each;
  }
  return invalid_data("\"" + std::string(name) + "\" is no severity");
}

struct NamedInput {
  LintInput input;
  std::string_view name;
  bool is_given = false;
};

std::array<NamedInput, 8> named_inputs(const LintRequest& request) {
  return {
      {{LintInput::predictions, "--predictions", request.predictions.has_value()},
       {LintInput::volumes, "--volumes", request.volumes.has_value()},
       {LintInput::metadata, "--metadata", request.metadata.has_value()},
       {LintInput::synonyms, "--synonyms", request.synonyms.has_value()},
       {LintInput::labels, "--labels", request.labels.has_value()},
       {LintInput::view, "--view", request.view.has_value()},
       {LintInput::columns, "--question-column, --answer-column, --image-column", request.names_columns()},
       {LintInput::line_limit, "--max-line-bytes", request.max_line_bytes.has_value()}}};
}

}  // namespace

std::string_view to_string(Severity severity) {
  constexpr std::string_view names[] = {"error", "warning", "note"};
  return names[static_cast<std::size_t>(severity)];
}

LintPlace LintPlace::channel(std::string file, std::int64_t index) {
  return {std::move(file), "channel " + decimal(index)};
}

LintPlace LintPlace::of(std::string file, const Error& error) {
  Place place = error.place();
  if (!place.pointer.empty()) return {std::move(file), place.pointer};
  place.path.clear();
  return {std::move(file), place.text()};
}

void LintProblems::add(const LintRule& rule, LintPlace where, std::string message, std::int64_t occurrences) {
  Tally& tally = by_code_[std::string(rule.code)];
  tally.severity = rule.severity;
  ++tally.found;
  if (tally.kept == kept_of_a_code) return;
  ++tally.kept;
  all_.push_back({std::string(rule.code), rule.severity, std::move(where.file), std::move(where.place),
                  std::move(message), occurrences});
}

void LintProblems::add_notes(const LintRule& rule, const std::string& file, const Notes& notes) {
  for (const Note& note : notes) {
    if (note.code != "no_orientation") add(rule, {file, ""}, note.text);
  }
}

void LintProblems::append(LintProblems other) {
  for (LintProblem& problem : other.all_) {
    Tally& tally = by_code_[problem.code];
    if (tally.kept == kept_of_a_code) continue;
    ++tally.kept;
    all_.push_back(std::move(problem));
  }
  for (const auto& [code, tally] : other.by_code_) {
    Tally& ours = by_code_[code];
    ours.severity = tally.severity;
    ours.found += tally.found;
  }
}

std::int64_t LintProblems::remove(const LintRule& rule) {
  std::erase_if(all_, [&rule](const LintProblem& problem) { return problem.code == rule.code; });
  const std::int64_t found = count(rule);
  by_code_.erase(std::string(rule.code));
  return found;
}

std::int64_t LintProblems::count(Severity severity) const {
  std::int64_t out = 0;
  for (const auto& [code, tally] : by_code_) out += tally.severity == severity ? tally.found : 0;
  return out;
}

std::int64_t LintProblems::count(const LintRule& rule) const { return count(rule.code); }

std::int64_t LintProblems::count(std::string_view code) const {
  const auto found = by_code_.find(code);
  return found == by_code_.end() ? 0 : found->second.found;
}

Json LintProblems::json() const {
  Json::Array problems;
  problems.reserve(all_.size());
  for (const LintProblem& each : all_)
    problems.push_back(problem_json(each).set("occurrences", each.occurrences));
  Json::Array counts;
  counts.reserve(by_code_.size());
  for (const auto& [code, tally] : by_code_)
    counts.push_back(Json::array({code, to_string(tally.severity), tally.kept, tally.found}));
  return Json::object({{"problems", std::move(problems)}, {"counts", std::move(counts)}});
}

Result<LintProblems> LintProblems::parse(const Json& value) {
  LintProblems out;
  const Json::Array* problems = find_array(value, "problems");
  const Json::Array* counts = find_array(value, "counts");
  if (problems == nullptr || counts == nullptr) return invalid_data("expected problems and their counts");
  out.all_.reserve(problems->size());
  for (const Json& each : *problems) {
    FIDUCIAL_TRY(const Severity severity, parse_severity(text_at(each, "severity")));
    out.all_.push_back({text_at(each, "code"), severity, text_at(each, "file"), text_at(each, "place"),
                        text_at(each, "message"), integer_at(each, "occurrences")});
  }
  for (const Json& each : *counts) {
    const Json::Array* parts = each.as_array();
    if (parts == nullptr || parts->size() != 4)
      return invalid_data("expected a code, a severity and two counts");
    FIDUCIAL_TRY(const std::string code, expect_string((*parts)[0], "/0"));
    FIDUCIAL_TRY(const std::string severity, expect_string((*parts)[1], "/1"));
    Tally& tally = out.by_code_[code];
    FIDUCIAL_TRY(tally.severity, parse_severity(severity));
    FIDUCIAL_TRY(tally.kept, expect_integer((*parts)[2], "/2"));
    FIDUCIAL_TRY(tally.found, expect_integer((*parts)[3], "/3"));
  }
  return out;
}

Outcome refuse_other_inputs(const LintRequest& request, const std::string& benchmark,
                            const std::vector<LintInput>& taken) {
  std::string refused;
  std::string takes;
  for (const NamedInput& input : named_inputs(request)) {
    const bool is_taken = std::find(taken.begin(), taken.end(), input.input) != taken.end();
    std::string& list = is_taken ? takes : refused;
    if (is_taken || input.is_given) append_joined(list, input.name);
  }
  if (refused.empty()) return done();
  const std::string hint = request.predictions && refused.starts_with("--predictions")
                               ? "; predictions are checked when they are scored (fiducial score)"
                               : "";
  return bad_usage(benchmark + ": check takes no " + refused + " for this benchmark, only " +
                   (takes.empty() ? "--split" : takes) + hint);
}

std::int64_t LintReport::cases() const {
  std::int64_t out = 0;
  for (const auto& split : splits) out += split.second;
  return out;
}

Json LintReport::json() const {
  Json split_sizes{Json::Object{}};
  for (const auto& [name, count] : splits) split_sizes.set(name, count);
  Json list{Json::Array{}};
  for (const LintProblem& problem : problems.all()) list.push(problem_json(problem));
  Json out = Json::object({{"schema", "fiducial.check/1"},
                           {"benchmark", benchmark},
                           {"dataset_file", dataset_file},
                           {"splits", std::move(split_sizes)},
                           {"findings", std::move(list)},
                           {"counts", Json::object({{"errors", problems.count(Severity::error)},
                                                    {"warnings", problems.count(Severity::warning)},
                                                    {"notes", problems.count(Severity::note)},
                                                    {"cases", cases()}})}});
  if (submission) out.set("submission", submission_json(*submission));
  if (audit) out.set("audit", audit->json);
  return out;
}

std::string lint_table(const LintReport& report) {
  std::string out;
  for (const Severity severity : severities) {
    std::vector<std::string> codes;  // in order of appearance
    std::vector<std::vector<const LintProblem*>> groups;
    for (const LintProblem& problem : report.problems.all()) {
      if (problem.severity != severity) continue;
      const auto at = std::find(codes.begin(), codes.end(), problem.code);
      if (at == codes.end()) {
        codes.push_back(problem.code);
        groups.push_back({&problem});
      } else {
        groups[static_cast<std::size_t>(at - codes.begin())].push_back(&problem);
      }
    }
    for (const auto& group : groups)
      out += code_block(group, report.problems.count(group.front()->code)) + "\n";
  }
  if (report.audit) out += report.audit->text + "\n";
  out += report.benchmark + ": " + number_of(report.cases(), "case");
  if (report.submission) out += submission_text(*report.submission);
  out += " checked: " + number_of(report.problems.count(Severity::error), "error");
  out += ", " + number_of(report.problems.count(Severity::warning), "warning");
  return out + ", " + number_of(report.problems.count(Severity::note), "note") + "\n";
}

}  // namespace fiducial
