#include "fiducial/tasks/controls/control_score.h"

#include "fiducial/eval/run/json_reader.h"

namespace fiducial {

Json to_json(const ControlScore& score) {
  Json prompts{Json::Array{}};
  for (const PromptScore& each : score.prompts) {
    prompts.push(Json::object({{"kind", to_string(each.kind)},
                               {"finding", each.finding},
                               {"voxels", each.voxels},
                               {"dice", each.dice},
                               {"same", each.same}}));
  }
  Json notes{Json::Array{}};
  for (const Remark& each : score.notes) notes.push(Json::array({each.code, each.text}));
  Json out = Json::object({{"case", score.name},
                           {"status", score.status},
                           {"reason", score.reason},
                           {"prompts", std::move(prompts)},
                           {"reference_sha256", score.reference_digest.hex()},
                           {"notes", std::move(notes)}});
  if (score.prediction_digest) out.set("prediction_sha256", score.prediction_digest->hex());
  if (score.axes) {
    out.set("axes", Json::object({{"transform", score.axes->transform},
                                  {"dice_as_is", score.axes->dice_as_is},
                                  {"dice_transformed", score.axes->dice_transformed}}));
  }
  return out;
}

namespace {

Result<PromptScore> parse_prompt(const Json& value) {
  JsonReader in(value);
  const auto kind = find_control_kind(in.text("kind"));
  if (!kind) in.refuse("kind");
  PromptScore out{.kind = kind.value_or(ControlKind::finding),
                  .finding = in.integer("finding"),
                  .voxels = in.integer("voxels"),
                  .dice = in.number("dice"),
                  .same = in.number("same")};
  FIDUCIAL_TRY_DONE(in.outcome("scored prompt"));
  return out;
}

}  // namespace

Result<ControlScore> parse_control_score(const Json& value) {
  JsonReader in(value);
  ControlScore out{.name = in.text("case"), .status = in.text("status"), .reason = in.text("reason")};
  for (const Json& each : in.array("prompts")) {
    FIDUCIAL_TRY(out.prompts.emplace_back(), parse_prompt(each));
  }
  out.reference_digest = in.digest("reference_sha256");
  out.prediction_digest = in.optional_digest("prediction_sha256");
  if (const Json* wish = value.find("axes")) {
    JsonReader axes(*wish);
    out.axes = AxesWish{axes.text("transform"), axes.number("dice_as_is"), axes.number("dice_transformed")};
    FIDUCIAL_TRY_DONE(axes.outcome("axes of a scored case"));
  }
  for (const Json& each : in.array("notes")) {
    const Json::Array* parts = each.as_array();
    const bool fits = parts != nullptr && parts->size() == 2 && (*parts)[0].as_string() != nullptr &&
                      (*parts)[1].as_string() != nullptr;
    if (!fits) return invalid_data("scored case: a note is no code with a text");
    out.notes.push_back({out.name, *(*parts)[0].as_string(), *(*parts)[1].as_string(), Remark::Kind::note});
  }
  FIDUCIAL_TRY_DONE(in.outcome("scored case"));
  for (const PromptScore& each : out.prompts) {
    if (each.finding < 0 || each.finding >= static_cast<std::int64_t>(out.prompts.size()))
      return invalid_data("scored case: a prompt is of no finding");
  }
  return out;
}

bool ControlValues::is_answered(std::size_t prompt) const {
  if (!usable()) return at(prompt).kind != ControlKind::finding;
  return at(prompt).voxels >= least_voxels_;
}

double ControlValues::movement(std::size_t prompt) const {
  const bool has_start = usable() && at(static_cast<std::size_t>(at(prompt).finding)).voxels > 0;
  return has_start ? 1 - at(prompt).same : 0;
}

double ControlValues::grounded_listening(std::size_t prompt) const {
  if (!usable()) return 0;
  return at(static_cast<std::size_t>(at(prompt).finding)).dice - at(prompt).dice;
}

template <typename Wanted>
std::optional<double> ControlValues::mean_movement(std::size_t finding, Wanted wanted) const {
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < score_.prompts.size(); ++i) {
    if (!wanted(at(i).kind) || at(i).finding != static_cast<std::int64_t>(finding)) continue;
    sum += movement(i);
    count += 1;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

std::optional<double> ControlValues::listening(std::size_t finding) const {
  const auto of_meaning = mean_movement(finding, is_swapped);
  const auto of_words =
      mean_movement(finding, [](ControlKind kind) { return kind == ControlKind::paraphrase; });
  if (!of_meaning || !of_words) return std::nullopt;
  return *of_meaning - *of_words;
}

std::optional<double> ControlValues::alarms() const {
  double count = 0;
  double asked = 0;
  for (std::size_t i = 0; i < score_.prompts.size(); ++i) {
    if (!must_be_empty(at(i).kind)) continue;
    asked += 1;
    count += alarm(i);
  }
  if (asked == 0) return std::nullopt;
  return count;
}

std::optional<double> ControlValues::discrimination() const {
  double findings = 0;
  double answered = 0;
  double empties = 0;
  for (std::size_t i = 0; i < score_.prompts.size(); ++i) {
    if (must_be_empty(at(i).kind)) empties += 1;
    if (at(i).kind != ControlKind::finding) continue;
    findings += 1;
    answered += is_answered(i) ? 1 : 0;
  }
  if (findings == 0 || empties == 0) return std::nullopt;
  return answered / findings - *alarms() / empties;
}

}  // namespace fiducial
