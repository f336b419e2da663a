#include "fiducial/cards/card_draft.h"

#include "fiducial/cards/card_form.h"

namespace fiducial {

namespace {

Json nothing_known(CardField::Kind kind) {
  using Kind = CardField::Kind;
  if (kind == Kind::risks) return Json::object({{"risks", Json::Array{}}});
  return kind == Kind::list || kind == Kind::links ? Json(Json::Array{}) : Json("N/A");
}

}  // namespace

void CardDraft::set(std::string_view field, Json value, std::string origin) {
  values_[std::string(field)] = {std::move(value), std::move(origin)};
}

void CardDraft::alert(std::string_view field, std::string text) {
  alerts_[std::string(field)].push_back(std::move(text));
}

std::string_view CardDraft::origin(std::string_view field) const {
  const auto found = values_.find(std::string(field));
  return found == values_.end() ? std::string_view() : std::string_view(found->second.origin);
}

Json CardDraft::card() const {
  Json out = Json::Object{};
  Json provenance = Json::Object{};
  Json alerts = Json::Array{};
  for (const CardSection& section : card_sections()) {
    Json content = Json::Object{};
    Json origins = Json::Object{};
    if (section.key == "benchmark_details") content.set("is_benchmark", true);
    const auto add_alert = [&](const CardField& field, const std::string& text) {
      alerts.push(Json::object(
          {{"section", std::string(section.key)}, {"field", std::string(field.key)}, {"text", text}}));
    };
    for (const CardField& field : section.fields) {
      const std::string name = std::string(section.key) + "." + std::string(field.key);
      const auto found = values_.find(name);
      const bool known = found != values_.end();
      content.set(std::string(field.key), known ? found->second.value : nothing_known(field.kind));
      origins.set(std::string(field.key), known ? found->second.origin : "none");
      if (!known) add_alert(field, "no evidence: nothing in the data or the configuration says it");
      const auto noted = alerts_.find(name);
      if (noted == alerts_.end()) continue;
      for (const std::string& text : noted->second) add_alert(field, text);
    }
    out.set(std::string(section.key), std::move(content));
    provenance.set(std::string(section.key), std::move(origins));
  }
  out.set("provenance", std::move(provenance));
  out.set("alerts", std::move(alerts));
  return out;
}

}  // namespace fiducial
