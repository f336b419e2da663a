#include "fiducial/tasks/finding_masks/case_score_json.h"

#include "fiducial/base/json_fields.h"

namespace fiducial {

namespace {

// Undefined scores are written as their reason.
Json to_json(const std::vector<Score>& scores) {
  Json out = Json(Json::Array{});
  for (const Score& score : scores) out.push(score.defined() ? Json(score.value()) : Json(score.reason()));
  return out;
}

Json to_json(const std::vector<std::int32_t>& labels) {
  Json out = Json(Json::Array{});
  for (const std::int32_t label : labels) out.push(static_cast<std::int64_t>(label));
  return out;
}

Json to_json(const InstanceMatching& matching) {
  Json matches = Json(Json::Array{});
  for (const InstanceMatch& match : matching.matches) {
    matches.push(Json::array({static_cast<std::int64_t>(match.reference),
                              static_cast<std::int64_t>(match.prediction), match.dice}));
  }
  return Json::object({{"matches", std::move(matches)},
                       {"unmatched_reference", to_json(matching.unmatched_reference)},
                       {"unmatched_prediction", to_json(matching.unmatched_prediction)},
                       {"had_tie", matching.had_tie}});
}

Json to_json(const FindingScore& finding) {
  Json out = Json::object({{"index", finding.index},
                           {"category", finding.category},
                           {"category_group", finding.category_group},
                           {"focality", finding.focality},
                           {"voxels", finding.reference_voxels},
                           {"entities", finding.reference_entities},
                           {"strict", to_json(finding.strict)},
                           {"official", to_json(finding.official)},
                           {"strict_best", to_json(finding.strict_best)},
                           {"official_best", to_json(finding.official_best)}});
  if (finding.official_matching) out.set("matching", to_json(*finding.official_matching));
  return out;
}

Json to_json(const OrientationVerdict& verdict) {
  Json source;
  Json reversed;
  for (std::size_t i = 0; i < 3; ++i) {
    source.push(verdict.transform.source[i]);
    reversed.push(static_cast<bool>(verdict.transform.reversed[i]));
  }
  return Json::object({{"source", std::move(source)},
                       {"reversed", std::move(reversed)},
                       {"dice_as_is", verdict.dice_as_is},
                       {"dice_transformed", verdict.dice_transformed}});
}

Json to_json(const FindingOrder& order) {
  return Json::object({{"source", to_json(order.source)},
                       {"dice_as_is", order.dice_as_is},
                       {"dice_reordered", order.dice_reordered}});
}

// Reads typed members; the first thing that does not fit is remembered and everything after it is empty.
class Fields {
 public:
  explicit Fields(const Json& object) : object_(object) {}

  std::string text(const char* key) { return take(key, &Json::as_string, std::string()); }
  std::int64_t integer(const char* key) { return take(key, &Json::as_integer, std::int64_t{0}); }
  bool flag(const char* key) { return take(key, &Json::as_bool, false); }
  double number(const char* key) {
    const Json* value = object_.find(key);
    const auto number = value == nullptr ? std::nullopt : value->as_number();
    if (!number) note(key);
    return number.value_or(0);
  }
  const Json::Array& array(const char* key) {
    static const Json::Array empty;
    const Json* value = object_.find(key);
    const Json::Array* items = value == nullptr ? nullptr : value->as_array();
    if (items == nullptr) note(key);
    return items == nullptr ? empty : *items;
  }
  void note(const char* key) {
    if (problem_.empty()) problem_ = key;
  }
  Outcome outcome() const {
    if (problem_.empty()) return done();
    return invalid_data("scored case: \"" + problem_ + "\" is missing or has the wrong type");
  }

 private:
  template <typename T>
  T take(const char* key, const T* (Json::*as)() const, T otherwise) {
    const Json* value = object_.find(key);
    const T* found = value == nullptr ? nullptr : (value->*as)();
    if (found == nullptr) note(key);
    return found == nullptr ? otherwise : *found;
  }

  const Json& object_;
  std::string problem_;
};

std::vector<Score> parse_scores(Fields& fields, const char* key) {
  std::vector<Score> out;
  for (const Json& item : fields.array(key)) {
    if (const auto number = item.as_number()) {
      out.emplace_back(*number);
    } else if (item.as_string() != nullptr) {
      out.push_back(Score::undefined(*item.as_string()));
    } else {
      fields.note(key);
    }
  }
  return out;
}

std::vector<std::int32_t> parse_labels(Fields& fields, const char* key) {
  std::vector<std::int32_t> out;
  for (const Json& item : fields.array(key)) {
    if (item.as_integer() == nullptr) fields.note(key);
    out.push_back(item.as_integer() == nullptr ? 0 : static_cast<std::int32_t>(*item.as_integer()));
  }
  return out;
}

Result<InstanceMatching> parse_matching(const Json& value) {
  Fields fields(value);
  InstanceMatching out;
  for (const Json& item : fields.array("matches")) {
    const Json::Array* triple = item.as_array();
    if (triple == nullptr || triple->size() != 3 || (*triple)[0].as_integer() == nullptr ||
        (*triple)[1].as_integer() == nullptr || !(*triple)[2].as_number()) {
      fields.note("matches");
      continue;
    }
    out.matches.push_back({static_cast<std::int32_t>(*(*triple)[0].as_integer()),
                           static_cast<std::int32_t>(*(*triple)[1].as_integer()), *(*triple)[2].as_number()});
  }
  out.unmatched_reference = parse_labels(fields, "unmatched_reference");
  out.unmatched_prediction = parse_labels(fields, "unmatched_prediction");
  out.had_tie = fields.flag("had_tie");
  FIDUCIAL_TRY_DONE(fields.outcome());
  return out;
}

Result<FindingScore> parse_finding(const Json& value) {
  Fields fields(value);
  FindingScore out{.index = fields.integer("index"),
                   .category = fields.text("category"),
                   .category_group = fields.text("category_group"),
                   .focality = fields.text("focality"),
                   .reference_voxels = fields.integer("voxels"),
                   .reference_entities = fields.integer("entities"),
                   .strict = parse_scores(fields, "strict"),
                   .official = parse_scores(fields, "official"),
                   .strict_best = parse_scores(fields, "strict_best"),
                   .official_best = parse_scores(fields, "official_best")};
  if (const Json* matching = value.find("matching")) {
    FIDUCIAL_TRY(out.official_matching, parse_matching(*matching));
  }
  FIDUCIAL_TRY_DONE(fields.outcome());
  return out;
}

Result<OrientationVerdict> parse_verdict(const Json& value) {
  Fields fields(value);
  OrientationVerdict out{.dice_as_is = fields.number("dice_as_is"),
                         .dice_transformed = fields.number("dice_transformed")};
  const Json::Array& source = fields.array("source");
  const Json::Array& reversed = fields.array("reversed");
  for (std::size_t i = 0; i < 3; ++i) {
    const bool fits = i < source.size() && i < reversed.size() && source[i].as_integer() != nullptr &&
                      *source[i].as_integer() >= 0 && *source[i].as_integer() <= 2 &&
                      reversed[i].as_bool() != nullptr;
    if (!fits) {
      fields.note("source");
      continue;
    }
    out.transform.source[i] = static_cast<int>(*source[i].as_integer());
    out.transform.reversed[i] = *reversed[i].as_bool();
  }
  FIDUCIAL_TRY_DONE(fields.outcome());
  return out;
}

Vec3 parse_spacing(Fields& fields) {
  Vec3 out{};
  const Json::Array& items = fields.array("spacing_mm");
  for (std::size_t i = 0; i < 3; ++i) {
    const auto number = i < items.size() ? items[i].as_number() : std::nullopt;
    if (!number) fields.note("spacing_mm");
    out[i] = number.value_or(0);
  }
  return out;
}

// Whether a finding has the scores that a case of this status has by the plan. The Dice of the published
// scorer is always a number.
bool fits_plan(const FindingScore& finding, CaseStatus official_status, const MaskPlan& plan) {
  const std::vector<PlannedMetric> official = plan.metrics_of(Scorer::official);
  const bool wants_official = official_status == CaseStatus::scored && plan.wants(Scorer::official);
  if (finding.strict.size() != plan.metrics_of(Scorer::strict).size()) return false;
  if (finding.official.size() != (wants_official ? official.size() : 0)) return false;
  for (std::size_t i = 0; i < finding.official.size(); ++i) {
    const bool is_dice = official[i].metric->contract.id.starts_with("dice_rexrank");
    if (is_dice && !finding.official[i].defined()) return false;
  }
  return true;
}

CaseStatus parse_status(Fields& fields, const char* key) {
  const std::string text = fields.text(key);
  for (const CaseStatus status : {CaseStatus::scored, CaseStatus::missing, CaseStatus::failed}) {
    if (text == to_string(status)) return status;
  }
  fields.note(key);
  return CaseStatus::failed;
}

}  // namespace

std::string_view to_string(CaseStatus status) {
  constexpr std::string_view names[] = {"scored", "missing", "failed"};
  return names[static_cast<std::size_t>(status)];
}

Json to_json(const CaseScore& scored) {
  Json findings = Json(Json::Array{});
  for (const FindingScore& finding : scored.findings) findings.push(to_json(finding));
  Json notes = Json(Json::Array{});
  for (const Note& note : scored.notes) notes.push(Json::object({{"code", note.code}, {"text", note.text}}));
  Json out = Json::object({{"case", scored.name},
                           {"patient", scored.patient},
                           {"protocol", scored.protocol},
                           {"reference", scored.reference_file},
                           {"reference_sha256", scored.reference_digest.hex()},
                           {"status", to_string(scored.status)},
                           {"reason", scored.reason},
                           {"official_status", to_string(scored.official_status)},
                           {"official_reason", scored.official_reason},
                           {"findings", std::move(findings)},
                           {"notes", std::move(notes)}});
  if (scored.prediction_digest) out.set("prediction_sha256", scored.prediction_digest->hex());
  if (scored.ignored_digest) out.set("ignored_sha256", scored.ignored_digest->hex());
  if (scored.volume_digest) out.set("volume_sha256", scored.volume_digest->hex());
  if (scored.spacing_mm) {
    const Vec3& spacing = *scored.spacing_mm;
    out.set("spacing_mm", Json::array({spacing[0], spacing[1], spacing[2]}));
  }
  if (scored.orientation) out.set("orientation", to_json(*scored.orientation));
  if (scored.order) out.set("order", to_json(*scored.order));
  return out;
}

Result<CaseScore> parse_case_score(const Json& value) {
  Fields fields(value);
  CaseScore out{.name = fields.text("case"),
                .patient = fields.text("patient"),
                .protocol = fields.text("protocol"),
                .reference_file = fields.text("reference"),
                .status = parse_status(fields, "status"),
                .official_status = parse_status(fields, "official_status"),
                .reason = fields.text("reason"),
                .official_reason = fields.text("official_reason")};
  const auto reference = parse_digest(fields.text("reference_sha256"));
  if (!reference) fields.note("reference_sha256");
  out.reference_digest = reference.value_or(Digest{});
  if (value.find("prediction_sha256") != nullptr) {
    out.prediction_digest = parse_digest(fields.text("prediction_sha256"));
    if (!out.prediction_digest) fields.note("prediction_sha256");
  }
  if (value.find("ignored_sha256") != nullptr) {
    out.ignored_digest = parse_digest(fields.text("ignored_sha256"));
    if (!out.ignored_digest) fields.note("ignored_sha256");
  }
  if (value.find("volume_sha256") != nullptr) {
    out.volume_digest = parse_digest(fields.text("volume_sha256"));
    if (!out.volume_digest) fields.note("volume_sha256");
  }
  if (value.find("spacing_mm") != nullptr) out.spacing_mm = parse_spacing(fields);
  for (const Json& item : fields.array("findings")) {
    FIDUCIAL_TRY(FindingScore finding, parse_finding(item));
    out.findings.push_back(std::move(finding));
  }
  for (const Json& item : fields.array("notes")) {
    Fields note(item);
    out.notes.push_back({note.text("code"), note.text("text")});
    FIDUCIAL_TRY_DONE(note.outcome());
  }
  if (const Json* verdict = value.find("orientation")) {
    FIDUCIAL_TRY(out.orientation, parse_verdict(*verdict));
  }
  if (const Json* found = value.find("order")) {
    Fields order(*found);
    out.order = FindingOrder{.source = parse_labels(order, "source"),
                             .dice_as_is = order.number("dice_as_is"),
                             .dice_reordered = order.number("dice_reordered")};
    FIDUCIAL_TRY_DONE(order.outcome());
  }
  FIDUCIAL_TRY_DONE(fields.outcome());
  return out;
}

Result<CaseScore> parse_case_score(const Json& value, const MaskPlan& plan) {
  FIDUCIAL_TRY(CaseScore out, parse_case_score(value));
  for (const FindingScore& finding : out.findings) {
    if (fits_plan(finding, out.official_status, plan)) continue;
    return invalid_data("scored case \"" + out.name + "\" has other scores than its plan asks for");
  }
  return out;
}

}  // namespace fiducial
