#include "fiducial/server/case_json.h"

#include <map>

#include "fiducial/base/ascii.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/server/headline.h"

namespace fiducial {

namespace {

Json nullable(const Json* value) { return value == nullptr ? Json() : *value; }

Json headline_json(const Json& summary) {
  const auto [slot, value] = headline_of(summary);
  if (value == nullptr) return {};
  return Json::object({{"slot", slot},
                       {"metric", nullable(value->find("metric"))},
                       {"value", nullable(value->find("value"))},
                       {"ci95", nullable(value->find("ci95"))},
                       {"n", nullable(value->find("n"))},
                       {"counted", nullable(value->find("counted"))},
                       {"unit", "1"},
                       {"direction", nullable(value->find("better"))}});
}

}  // namespace

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~') {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
  }
  return out;
}

std::string case_address(const ServedDataset& dataset, const CasePlace& place) {
  return "/api/v1/cases/" + percent_encoded(dataset.id()) + "/" + percent_encoded(place.entry().id);
}

Json dataset_json(const Library& library, const ServedDataset& dataset) {
  Json out = Json::object({{"id", dataset.id()},
                           {"title", dataset.adapter().title},
                           {"benchmark", dataset.adapter().id},
                           {"layout", dataset.adapter().layout},
                           {"path", dataset.shown_path()},
                           {"kinds", Json::strings(dataset.kinds())}});
  const auto opened = dataset.open();
  std::vector<std::string> order;
  std::map<std::string, std::int64_t> counts;
  bool has_volumes = false;
  if (opened.ok()) {
    for (const CasePlace& place : (*opened)->cases) {
      const std::string& split = place.entry().split;
      if (counts[split]++ == 0) order.push_back(split);
    }
    if (!(*opened)->cases.empty())
      has_volumes = library.find_volume(dataset, (*opened)->cases.front()).has_value();
  }
  Json splits{Json::Array{}};
  for (const std::string& split : order)
    splits.push(Json::object({{"name", split}, {"cases", counts[split]}}));
  out.set("splits", std::move(splits));
  out.set("cases", opened.ok() ? static_cast<std::int64_t>((*opened)->cases.size()) : std::int64_t{0});
  out.set("has_volumes", has_volumes);
  out.set("problem", opened.ok() ? Json() : Json(opened.error().text()));
  return out;
}

Json run_json(const Library& library, const ServedRun& run) {
  const auto content = run.head();
  Json out = Json::object({{"id", run.id()},
                           {"kind", run.kind() == ServedRun::Kind::scores ? "scores" : "asked"},
                           {"path", run.shown_path()}});
  if (!content.ok()) {
    for (const char* key : {"system", "task", "benchmark", "dataset", "split", "headline"}) out.set(key, {});
    return out.set("cases", std::int64_t{0}).set("problem", content.error().text());
  }
  const Json& summary = (*content)->summary;
  for (const char* key : {"system", "task", "benchmark", "split"}) out.set(key, nullable(summary.find(key)));
  const ServedDataset* dataset = library.dataset_of(run);
  out.set("dataset", Json::object({{"id", dataset == nullptr ? Json() : Json(dataset->id())}}));
  const Json* counts = summary.find("counts");
  out.set("cases", counts == nullptr ? std::int64_t{0} : integer_at(*counts, "cases"));
  out.set("headline", headline_json(summary));
  return out.set("problem", {});
}

Json case_row_json(const ServedDataset& dataset, const CasePlace& place) {
  const CaseEntry& entry = place.entry();
  Json counts{Json::Object{}};
  for (const auto& [name, count] : entry.counts) counts.set(name, count);
  Json groups{Json::Object{}};
  for (const auto& [kind, labels] : entry.groups) groups.set(kind, Json::strings(labels));
  return Json::object({{"id", entry.id},
                       {"name", entry.name},
                       {"split", entry.split},
                       {"kind", place.source->kind()},
                       {"title", entry.title},
                       {"patient", entry.patient},
                       {"counts", std::move(counts)},
                       {"groups", std::move(groups)},
                       {"thumb", case_address(dataset, place) + "/thumb"}});
}

}  // namespace fiducial
