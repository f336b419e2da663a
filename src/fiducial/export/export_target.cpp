#include "fiducial/export/export_target.h"

#include <algorithm>

#include "fiducial/base/suggestion.h"

namespace fiducial {

namespace {

using Need = ExportTarget::Need;

const TaskOption* find_option(const ExportTarget& target, const std::string& name) {
  const auto found = std::find_if(target.options.begin(), target.options.end(),
                                  [&name](const TaskOption& option) { return option.name == name; });
  return found == target.options.end() ? nullptr : &*found;
}

Outcome check_need(Need need, bool given, const std::string& to, const std::string& what) {
  if (need == Need::required && !given) return bad_usage(to + " needs " + what);
  if (need == Need::none && given) return bad_usage(to + " takes no " + what);
  return done();
}

Outcome check_request(const ExportTarget& target, const ExportRequest& request) {
  const std::string to = "--to " + target.id;
  FIDUCIAL_TRY_DONE(check_need(target.predictions, request.predictions.has_value(), to, "PREDICTIONS"));
  FIDUCIAL_TRY_DONE(check_need(target.volumes, request.volumes.has_value(), to, "--volumes, the CTs"));
  for (const auto& [name, values] : request.options) {
    const TaskOption* option = find_option(target, name);
    if (option == nullptr) return bad_usage(to + " takes no --" + name);
    for (const std::string& value : values) {
      const auto& choices = option->choices;
      if (!choices.empty() && std::find(choices.begin(), choices.end(), value) == choices.end())
        return no_such_name("value", value, choices, "--" + name + ": ");
    }
  }
  if (!target.carries_data && request.terms.any())
    return bad_usage(to +
                     " takes no --licence, --source and --allowed-use: it writes no data of the dataset");
  return done();
}

OptionValues with_fallbacks(const ExportTarget& target, OptionValues values) {
  for (const TaskOption& option : target.options) {
    if (!option.fallback.empty()) values.try_emplace(option.name, std::vector{option.fallback});
  }
  return values;
}

}  // namespace

std::string ExportCall::text(const std::string& option) const {
  const std::vector<std::string> all = texts(option);
  return all.empty() ? std::string() : all.front();
}

std::vector<std::string> ExportCall::texts(const std::string& option) const {
  const auto found = request.options.find(option);
  return found == request.options.end() ? std::vector<std::string>() : found->second;
}

Result<const ExportTarget*> find_export_target(const std::string& id) {
  std::vector<std::string> ids;
  for (const ExportTarget& target : all_export_targets()) {
    if (target.id == id) return &target;
    ids.push_back(target.id);
  }
  return no_such_name("export target", id, ids);
}

Result<ExportOutcome> run_export(const ExportTarget& target, const ExportRequest& request,
                                 const Executor& executor, Progress& progress) {
  FIDUCIAL_TRY_DONE(check_request(target, request));
  ExportRequest whole = request;
  whole.options = with_fallbacks(target, request.options);
  Json terms = Json::Object{};
  if (target.carries_data) {
    FIDUCIAL_TRY(terms, terms_to_pass_on(request.dataset, request.terms, target.leaves_machine));
  }
  return target.run({whole, std::move(terms), executor, progress});
}

}  // namespace fiducial
