#include "fiducial/datasets/case_checks.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/kept_report.h"

namespace fiducial {

Json CheckedFiles::json() const {
  return Json::object(
      {{"problems", problems.json()}, {"submitted", submitted ? kept_file(*submitted) : Json()}});
}

Result<CheckedFiles> CheckedFiles::parse(const Json& value) {
  CheckedFiles out;
  FIDUCIAL_TRY(const Json* problems, required_field(value, "problems", ""));
  FIDUCIAL_TRY(out.problems, LintProblems::parse(*problems));
  const Json* submitted = value.find("submitted");
  if (submitted == nullptr || submitted->is_null()) return out;
  FIDUCIAL_TRY(out.submitted, parse_kept_file(*submitted));
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

Result<Json> CaseChecks::take(CaseToCheck entry, const std::function<Json()>& make) {
  if (kind_ == Kind::known) {
    const auto found = results_.find(entry.index);
    if (found != results_.end()) return found->second;
    return Error(ErrorCode::integrity, "no part has checked the case \"" + entry.name + "\"");
  }
  if (kind_ == Kind::part) {
    if (!names_.contains(entry.name)) return Json();
    Json out = make();
    const std::lock_guard lock(mutex_);
    results_.insert_or_assign(entry.index, out);
    return out;
  }
  const std::lock_guard lock(mutex_);
  const std::int64_t index = entry.index;
  listed_.insert_or_assign(index, std::move(entry));
  return Json();
}

Result<CheckedFiles> CaseChecks::check(CaseToCheck entry, const std::function<CheckedFiles()>& check) {
  FIDUCIAL_TRY(const Json made, take(std::move(entry), [&check] { return check().json(); }));
  return made.is_null() ? Result<CheckedFiles>(CheckedFiles{}) : CheckedFiles::parse(made);
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
