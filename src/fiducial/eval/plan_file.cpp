#include "fiducial/eval/plan_file.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

Result<std::string> text_field(const Json& object, const char* key) {
  FIDUCIAL_TRY(const Json* value, required_field(object, key, ""));
  return expect_string(*value, std::string("/") + key);
}

Result<std::int64_t> integer_field(const Json& object, const char* key) {
  FIDUCIAL_TRY(const Json* value, required_field(object, key, ""));
  return expect_integer(*value, std::string("/") + key);
}

Result<InstanceRules> parse_rules(const Json& value) {
  InstanceRules out;
  FIDUCIAL_TRY(const std::int64_t neighbours, integer_field(value, "connectivity"));
  if (neighbours != 6 && neighbours != 18 && neighbours != 26) {
    return invalid_data("connectivity " + decimal(neighbours) + "; expected 6, 18 or 26");
  }
  out.connectivity = static_cast<Connectivity>(neighbours);
  FIDUCIAL_TRY(out.min_voxels, integer_field(value, "min_voxels"));
  FIDUCIAL_TRY(const std::int64_t most, integer_field(value, "max_components"));
  out.max_components = static_cast<std::int32_t>(most);
  return out;
}

Result<PlannedMetric> parse_metric(const Json& value) {
  PlannedMetric out;
  FIDUCIAL_TRY(out.id, text_field(value, "id"));
  FIDUCIAL_TRY(const std::string contract, text_field(value, "contract"));
  FIDUCIAL_TRY(const std::int64_t version, integer_field(value, "version"));
  out.metric = find_mask_metric(contract);
  if (out.metric == nullptr) return invalid_data("metric \"" + contract + "\" is not known to this version");
  if (out.metric->contract.version != version) {
    return invalid_data("metric \"" + contract + "\" has version " + decimal(version) + " in the plan and " +
                        decimal(out.metric->contract.version) + " here");
  }
  return out;
}

Outcome parse_groups(const Json& value, ScorePlan& plan) {
  const Json* columns = value.find("group_by");
  if (columns == nullptr) return done();
  FIDUCIAL_TRY(const Json::Array* items, expect_array(*columns, "/group_by"));
  for (const Json& item : *items) {
    FIDUCIAL_TRY(GroupColumn column, parse_group_column(item));
    plan.group_by.push_back(std::move(column));
  }
  FIDUCIAL_TRY(const Json* metadata, required_field(value, "metadata", ""));
  FIDUCIAL_TRY(plan.metadata_file, text_field(*metadata, "file"));
  FIDUCIAL_TRY(const std::string hex, text_field(*metadata, "sha256"));
  const auto digest = parse_digest(hex);
  if (!digest) {
    return at_pointer("/metadata/sha256", "expected 64 hexadecimal digits, found \"" + hex + "\"");
  }
  plan.metadata_digest = *digest;
  return done();
}

}  // namespace

Result<ScorePlan> parse_score_plan(const Json& value) {
  ScorePlan plan;
  FIDUCIAL_TRY(plan.benchmark, text_field(value, "benchmark"));
  FIDUCIAL_TRY(plan.split, text_field(value, "split"));
  FIDUCIAL_TRY(const std::string mode, text_field(value, "mode"));
  FIDUCIAL_TRY(plan.mode, parse_score_mode(mode));
  FIDUCIAL_TRY(plan.system, text_field(value, "system"));
  FIDUCIAL_TRY(const std::int64_t seed, integer_field(value, "seed"));
  plan.seed = static_cast<std::uint64_t>(seed);
  FIDUCIAL_TRY(const std::int64_t resamples, integer_field(value, "resamples"));
  plan.resamples = static_cast<int>(resamples);
  if (const Json* strict = value.find("strict")) {
    FIDUCIAL_TRY(plan.strict_rules, parse_rules(*strict));
  }
  if (const Json* official = value.find("official")) {
    FIDUCIAL_TRY(plan.official_rules, parse_rules(*official));
    const Json* global_only = official->find("global_only");
    plan.global_only = global_only != nullptr && global_only->as_bool() != nullptr && *global_only->as_bool();
  }
  if (const Json* tolerance = value.find("tolerance_mm"); tolerance != nullptr && tolerance->as_number()) {
    plan.tolerance_mm = *tolerance->as_number();
  }
  plan.ignores_regions = value.find("ignores_regions") != nullptr;
  plan.partial_labels = value.find("labels") != nullptr;
  if (const Json* conformance = value.find("conformance")) {
    FIDUCIAL_TRY(plan.conformance, expect_string(*conformance, "/conformance"));
  }
  FIDUCIAL_TRY_DONE(parse_groups(value, plan));
  FIDUCIAL_TRY(const Json* metrics, required_field(value, "metrics", ""));
  FIDUCIAL_TRY(const Json::Array* items, expect_array(*metrics, "/metrics"));
  for (const Json& item : *items) {
    FIDUCIAL_TRY(PlannedMetric metric, parse_metric(item));
    plan.metrics.push_back(std::move(metric));
  }
  // What was not understood does not come back.
  const Json understood = to_json(plan);
  for (const auto& [key, part] : *understood.as_object()) {
    const Json* found = value.find(key);
    if (found == nullptr || found->compact() != part.compact()) {
      return invalid_data("the plan's \"" + key + "\" is not understood by this version");
    }
  }
  return plan;
}

}  // namespace fiducial
