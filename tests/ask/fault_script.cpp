#include "fault_script.h"

#include "json_members.h"

namespace fiducial::ask_test {

Result<FaultScript::Rule> FaultScript::parse_rule(const Json& json) {
  if (!text_at(json, "do")) return invalid_data("a step without \"do\"");
  return Rule{.step = json,
              .index = number_at(json, "index"),
              .every = number_at(json, "every"),
              .contains = text_at(json, "contains"),
              .path = text_at(json, "path"),
              .times = number_at(json, "times").value_or(INT64_MAX),
              .each = switch_at(json, "each").value_or(false)};
}

Result<FaultScript> FaultScript::parse(const Json& json) {
  FaultScript script;
  if (json.as_object() == nullptr) return invalid_data("a script is an object");
  script.latency_ms_ = number_at(json, "latency_ms").value_or(0);
  if (const Json* standard = json.find("default")) {
    if (!text_at(*standard, "do")) return invalid_data("a step without \"do\"");
    script.standard_ = *standard;
  }
  const Json* rules = json.find("rules");
  if (rules == nullptr || rules->as_array() == nullptr) return script;
  for (const Json& rule : *rules->as_array()) {
    FIDUCIAL_TRY(Rule parsed, parse_rule(rule));
    script.rules_.push_back(std::move(parsed));
  }
  return script;
}

Result<FaultScript> FaultScript::read(const Path& path) {
  FIDUCIAL_TRY(const std::string text, read_text_file(path));
  FIDUCIAL_TRY(const Json json, parse_json(text));
  return parse(json).in_file(path.string());
}

bool FaultScript::fits(Rule& rule, const Seen& seen) {
  if (rule.index && static_cast<std::uint64_t>(*rule.index) != seen.index) return false;
  if (rule.every && seen.index % static_cast<std::uint64_t>(std::max<std::int64_t>(1, *rule.every)) != 0)
    return false;
  if (rule.contains && seen.text.find(*rule.contains) == std::string_view::npos) return false;
  if (rule.path && seen.path.find(*rule.path) == std::string_view::npos) return false;
  std::int64_t& taken = rule.taken[rule.each ? std::string(seen.body_hash) : std::string()];
  return taken++ < rule.times;
}

const Json& FaultScript::step(const Seen& seen) {
  const std::lock_guard lock(mutex_);
  for (Rule& rule : rules_) {
    if (fits(rule, seen)) return rule.step;
  }
  return standard_;
}

}  // namespace fiducial::ask_test
