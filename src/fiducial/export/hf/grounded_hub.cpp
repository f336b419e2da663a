#include <algorithm>
#include <optional>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/export/hf/hub_content.h"
#include "fiducial/table/hub_view.h"

namespace fiducial {

namespace {

using Kind = Feature::Kind;

// Members of an entry that are objects by finding, and what they hold.
struct KeyedMember {
  const char* name;
  Kind kind;
};
constexpr KeyedMember keyed_members[] = {{"findings", Kind::text},
                                         {"categories", Kind::text},
                                         {"entity_counts", Kind::integer},
                                         {"pixels", Kind::integer}};
constexpr const char* own_columns[] = {"name", "shape", "mask", "mask_bytes", "ct", "ct_bytes", "more"};

bool has_kind(const Json& value, Kind kind) {
  return kind == Kind::text ? value.as_string() != nullptr : value.as_integer() != nullptr;
}

// {"0": a, "2": c} of three findings as [a, null, c]; nothing where it is no such object.
std::optional<Json> list_of_keyed(const Json& value, Kind kind, std::size_t count) {
  if (value.as_object() == nullptr || value.as_object()->size() > count) return std::nullopt;
  Json::Array out(count);
  for (const auto& [key, item] : *value.as_object()) {
    const auto index = parse_integer(key);
    const bool is_index =
        index && *index >= 0 && static_cast<std::size_t>(*index) < count && decimal(*index) == key;
    if (!is_index || !has_kind(item, kind)) return std::nullopt;
    out[static_cast<std::size_t>(*index)] = item;
  }
  return Json(std::move(out));
}

Json entry_of(const GroundedCase& item) {
  Json findings = Json::Object{};
  Json categories = Json::Object{};
  for (const Finding& finding : item.findings) {
    findings.set(decimal(finding.index), finding.text);
    if (!finding.category.empty()) categories.set(decimal(finding.index), finding.category);
  }
  return Json::object({{"name", item.name}, {"findings", findings}, {"categories", categories}});
}

// The entries of a split as they are published; made from the cases where the file has another form.
std::vector<Json> entries_of_split(const Json& document, const std::string& split,
                                   const std::vector<GroundedCase>& cases) {
  const Json::Array* entries = find_array(document, split);
  if (entries != nullptr && entries->size() == cases.size()) return *entries;
  std::vector<Json> out;
  out.reserve(cases.size());
  for (const GroundedCase& item : cases) out.push_back(entry_of(item));
  return out;
}

class GroundedHub {
 public:
  GroundedHub(const ExportCall& call, const GroundedDataset& dataset, Path folder)
      : call_(call), dataset_(dataset), folder_(std::move(folder)) {}

  Result<HubContent> write() {
    FIDUCIAL_TRY(const std::vector<std::string> splits,
                 splits_to_export(call_, dataset_.split_names(), content_));
    FIDUCIAL_TRY(const std::string text, read_text_file(dataset_.folder() / dataset_.file_name()));
    FIDUCIAL_TRY(document_, parse_json(text).in_file(dataset_.file_name()));
    for (const std::string& split : splits) find_texts(split);
    HubConfig config{.name = "default", .features = features(), .splits = {}};
    std::int64_t cases = 0;
    for (const std::string& split : splits)
      cases += static_cast<std::int64_t>(dataset_.find_split(split)->size());
    call_.progress.begin("exporting", cases);
    for (const std::string& split : splits) {
      FIDUCIAL_TRY(HubSplit written, write_split(split, splits, config.features));
      add_split(std::move(written), config, content_);
    }
    call_.progress.end();
    if (!config.splits.empty()) content_.configs.push_back(std::move(config));
    return std::move(content_);
  }

 private:
  // Members that are a text wherever they occur get a column of their own.
  void find_texts(const std::string& split) {
    for (const Json& entry : entries_of_split(document_, split, *dataset_.find_split(split))) {
      if (entry.as_object() == nullptr) continue;
      for (const auto& [name, value] : *entry.as_object()) {
        if (value.as_string() == nullptr) not_texts_.insert(name);
        if (std::find(texts_.begin(), texts_.end(), name) == texts_.end()) texts_.push_back(name);
      }
    }
    std::erase_if(texts_, [this](const std::string& name) {
      return not_texts_.contains(name) ||
             std::find(std::begin(own_columns), std::end(own_columns), name) != std::end(own_columns);
    });
  }

  std::vector<Feature> features() const {
    std::vector<Feature> out = {{.name = "name"}};
    for (const KeyedMember& member : keyed_members) out.push_back(Feature::list_of(member.name, member.kind));
    out.push_back(Feature::list_of("shape", Kind::integer));
    for (const std::string& name : texts_) out.push_back({.name = name});
    out.push_back(Feature::file("mask", "Nifti"));
    out.push_back({.name = "mask_bytes", .kind = Kind::integer});
    if (call_.request.volumes) {
      out.push_back(Feature::file("ct", "Nifti"));
      out.push_back({.name = "ct_bytes", .kind = Kind::integer});
    }
    out.push_back({.name = "more"});
    return out;
  }

  HubPart part(const std::string& split, const std::vector<std::string>& splits) const {
    HubPart out{.form = HubPart::Form::document,
                .file = "dataset.json",
                .split = split,
                .splits = splits,
                .left_out = {"mask_bytes", "ct_bytes"},
                .more = "more",
                .folders = {{"mask", "segmentations"}}};
    for (const KeyedMember& member : keyed_members) out.keyed.emplace_back(member.name);
    if (call_.request.volumes) out.folders.emplace_back("ct", "volumes");
    return out;
  }

  Result<HubSplit> write_split(const std::string& split, const std::vector<std::string>& splits,
                               const std::vector<Feature>& features) {
    FIDUCIAL_TRY(FeatureShards shards,
                 FeatureShards::create(folder_ / "data",
                                       {.split = split,
                                        .features = features,
                                        .metadata = {{hub_part_key, part(split, splits).json().compact()},
                                                     {"terms", call_.terms.compact()}}}));
    const std::vector<GroundedCase>& cases = *dataset_.find_split(split);
    const std::vector<Json> entries = entries_of_split(document_, split, cases);
    const bool has_masks = has_any_mask(cases);
    if (!has_masks && !cases.empty())
      content_.left_out.push_back("the masks of split \"" + split + "\" are not in this copy");
    HubSplit out{.name = split};
    std::int64_t flagged = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      call_.progress.advance(1);
      if (is_flagged(cases[i])) {
        ++flagged;
        continue;
      }
      FIDUCIAL_TRY(const FeatureRow row, row_of(entries[i], cases[i], has_masks));
      FIDUCIAL_TRY_DONE(shards.add(row));
      ++out.rows;
    }
    if (flagged > 0)
      content_.left_out.push_back(decimal(flagged) + " cases of split \"" + split +
                                  "\" are flagged by the terms of the data");
    FIDUCIAL_TRY(const std::vector<std::string> files, shards.finish());
    for (const std::string& file : files) out.files.push_back("data/" + file);
    return out;
  }

  bool is_flagged(const GroundedCase& item) const {
    return !reason_to_stay(call_.terms, item.name).empty() ||
           !reason_to_stay(call_.terms, item.name.substr(0, item.name.find(".nii"))).empty();
  }

  bool has_any_mask(const std::vector<GroundedCase>& cases) const {
    return std::any_of(cases.begin(), cases.end(), [this](const GroundedCase& item) {
      return is_there(dataset_.folder() / dataset_.mask_name(item));
    });
  }

  Result<FeatureRow> row_of(const Json& entry, const GroundedCase& item, bool has_masks) {
    FeatureRow out{.values = values_of(entry, item)};
    if (has_masks) {
      const Path mask = dataset_.folder() / dataset_.mask_name(item);
      FIDUCIAL_TRY(RowFile file, row_file(mask, item.name));
      out.values.set("mask_bytes", static_cast<std::int64_t>(file.bytes.size()));
      out.files.emplace("mask", std::move(file));
      ++content_.masks;
    }
    if (!call_.request.volumes) return out;
    const auto volume = dataset_.find_volume(*call_.request.volumes, item);
    if (!volume) {
      return path_missing("no CT of " + item.name + " below this folder", call_.request.volumes->string());
    }
    FIDUCIAL_TRY(RowFile file, row_file(*volume, item.name));
    out.values.set("ct_bytes", static_cast<std::int64_t>(file.bytes.size()));
    out.files.emplace("ct", std::move(file));
    ++content_.volumes;
    return out;
  }

  // Columns where a member fits one, and "more" for all others.
  Json values_of(const Json& entry, const GroundedCase& item) const {
    Json out = Json::Object{};
    Json more = Json::Object{};
    for (const auto& [name, value] : *entry.as_object()) {
      const auto keyed = std::find_if(std::begin(keyed_members), std::end(keyed_members),
                                      [&name = name](const KeyedMember& each) { return name == each.name; });
      std::optional<Json> fitting;
      if (keyed != std::end(keyed_members)) {
        fitting = list_of_keyed(value, keyed->kind, item.findings.size());
      } else if (name == "shape" && value.as_array() != nullptr) {
        const auto& items = *value.as_array();
        if (std::all_of(items.begin(), items.end(), [](const Json& each) { return each.as_integer(); }))
          fitting = value;
      } else if (std::find(texts_.begin(), texts_.end(), name) != texts_.end() ||
                 is_name(name, value, item)) {
        fitting = value;
      }
      if (fitting) {
        out.set(name, *std::move(fitting));
      } else {
        more.set(name, value);
      }
    }
    if (out.find("name") == nullptr && more.find("name") == nullptr) more.set("name", Json());
    if (out.find("name") == nullptr) out.set("name", item.name);
    if (!more.as_object()->empty()) out.set("more", more.compact());
    return out;
  }

  static bool is_name(const std::string& member, const Json& value, const GroundedCase& item) {
    return member == "name" && value.as_string() != nullptr && *value.as_string() == item.name;
  }

  const ExportCall& call_;
  const GroundedDataset& dataset_;
  Path folder_;
  Json document_;
  std::vector<std::string> texts_;
  std::set<std::string> not_texts_;
  HubContent content_;
};

}  // namespace

Result<HubContent> write_grounded_hub(const ExportCall& call, const GroundedDataset& dataset,
                                      const Path& folder) {
  return GroundedHub(call, dataset, folder).write();
}

}  // namespace fiducial
