#include "fiducial/datasets/case_checks.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

Json json_of(const SubmittedFile& file) {
  return Json::object({{"name", file.name},
                       {"bytes", file.bytes},
                       {"sha256", file.digest ? Json(file.digest->hex()) : Json()}});
}

Result<SubmittedFile> parse_submitted(const Json& value) {
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

}  // namespace

Json CheckedFiles::json() const {
  return Json::object(
      {{"problems", problems.json()}, {"submitted", submitted ? json_of(*submitted) : Json()}});
}

Result<CheckedFiles> CheckedFiles::parse(const Json& value) {
  CheckedFiles out;
  FIDUCIAL_TRY(const Json* problems, required_field(value, "problems", ""));
  FIDUCIAL_TRY(out.problems, LintProblems::parse(*problems));
  const Json* submitted = value.find("submitted");
  if (submitted == nullptr || submitted->is_null()) return out;
  FIDUCIAL_TRY(out.submitted, parse_submitted(*submitted));
  return out;
}

CaseChecks CaseChecks::part(std::set<std::string> names) {
  CaseChecks out(Kind::part);
  out.names_ = std::move(names);
  return out;
}

CaseChecks CaseChecks::known(const std::vector<Json>& kept) {
  CaseChecks out(Kind::known);
  for (const Json& part : kept) {
    const Json::Object* members = part.as_object();
    if (members == nullptr) continue;
    for (const auto& [index, result] : *members) {
      if (const auto number = parse_integer(index)) out.results_.insert_or_assign(*number, result);
    }
  }
  return out;
}

CaseChecks::CaseChecks(CaseChecks&& other) noexcept
    : kind_(other.kind_),
      names_(std::move(other.names_)),
      results_(std::move(other.results_)),
      listed_(std::move(other.listed_)) {}

Result<CheckedFiles> CaseChecks::check(CaseToCheck entry, const std::function<CheckedFiles()>& check) {
  if (kind_ == Kind::known) {
    const auto found = results_.find(entry.index);
    if (found != results_.end()) return CheckedFiles::parse(found->second);
    return Error(ErrorCode::integrity, "no part has checked the case \"" + entry.name + "\"");
  }
  if (kind_ == Kind::part) {
    if (!names_.contains(entry.name)) return CheckedFiles{};
    CheckedFiles out = check();
    const std::lock_guard lock(mutex_);
    results_.insert_or_assign(entry.index, out.json());
    return out;
  }
  const std::lock_guard lock(mutex_);
  const std::int64_t index = entry.index;
  listed_.insert_or_assign(index, std::move(entry));
  return CheckedFiles{};
}

std::vector<CaseToCheck> CaseChecks::listed() const {
  const std::lock_guard lock(mutex_);
  std::vector<CaseToCheck> out;
  out.reserve(listed_.size());
  for (const auto& [index, entry] : listed_) out.push_back(entry);
  return out;
}

Json CaseChecks::kept() const {
  const std::lock_guard lock(mutex_);
  Json::Object out;
  out.reserve(results_.size());
  for (const auto& [index, result] : results_) out.emplace_back(decimal(index), result);
  return out;
}

Result<CheckedFiles> checked_files(const LintRequest& request, CaseToCheck entry,
                                   const std::function<CheckedFiles()>& check) {
  return request.checks == nullptr ? Result<CheckedFiles>(check())
                                   : request.checks->check(std::move(entry), check);
}

}  // namespace fiducial
