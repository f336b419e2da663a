#include "fiducial/datasets/rexgroundingct/dataset_file.h"

#include <unordered_map>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/rexgroundingct/ontology.h"

namespace fiducial::rexgroundingct {

namespace {

// The pointer of a member, with "~" and "/" in its key escaped as RFC 6901 has it.
std::string child(const std::string& pointer, const std::string& key) {
  std::string out = pointer + "/";
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

// The file name of an entry, from whichever form it has.
Result<std::string> entry_name(const Json& entry, const std::string& pointer) {
  for (const char* key : {"name", "seg_path", "image_path"}) {
    const Json* value = entry.find(key);
    if (value == nullptr) continue;
    FIDUCIAL_TRY(std::string name, expect_string(*value, child(pointer, key)));
    const bool is_path = std::string_view(key) != "name";
    const std::size_t slash = name.find_last_of('/');
    if (is_path && slash != std::string::npos) name = name.substr(slash + 1);
    if (name.empty() || name == "." || name == ".." ||
        name.find_first_of(std::string_view("/\\\0", 3)) != name.npos) {
      return at_pointer(child(pointer, key), "\"" + name + "\" is no file name");
    }
    if (!name.ends_with(".nii.gz") && !name.ends_with(".nii")) name += ".nii.gz";
    return name;
  }
  return at_pointer(pointer, "key \"name\" is missing (nor is there \"seg_path\" or \"image_path\")");
}

// The members of an object keyed "0", "1", ..., in the order of those numbers, which must have no gap.
Result<std::vector<const Json*>> by_channel(const Json& value, const std::string& pointer) {
  FIDUCIAL_TRY(const Json::Object* object, expect_object(value, pointer));
  std::vector<const Json*> out(object->size(), nullptr);
  for (const auto& [key, item] : *object) {
    const auto index = parse_integer(key);
    if (!index || *index < 0 || static_cast<std::size_t>(*index) >= out.size() ||
        out[static_cast<std::size_t>(*index)] != nullptr) {
      return at_pointer(child(pointer, key), "expected keys \"0\" to \"" + decimal(out.size() - 1) +
                                                 "\", one per finding, found \"" + key + "\"");
    }
    out[static_cast<std::size_t>(*index)] = &item;
  }
  return out;
}

Outcome read_findings(const Json& entry, const std::string& pointer, GroundedCase& out) {
  const Json* value = entry.find("findings");
  if (value == nullptr) {
    if (entry.find("name") != nullptr) return at_pointer(pointer, "key \"findings\" is missing");
    return done();
  }
  const std::string place = child(pointer, "findings");
  FIDUCIAL_TRY(const std::vector<const Json*> texts, by_channel(*value, place));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    FIDUCIAL_TRY(std::string text, expect_string(*texts[i], child(place, decimal(i))));
    out.findings.push_back({.index = static_cast<std::int64_t>(i), .text = std::move(text)});
  }
  out.lists_findings = true;
  return done();
}

// Calls assign(finding, value, place) for every member of an optional per-finding object.
template <typename Assign>
Outcome for_each_finding(const Json& entry, const char* key, const std::string& pointer, GroundedCase& out,
                         Assign assign) {
  const Json* value = entry.find(key);
  if (value == nullptr || !out.lists_findings) return done();
  const std::string place = child(pointer, key);
  FIDUCIAL_TRY(const Json::Object* object, expect_object(*value, place));
  for (const auto& [index_text, item] : *object) {
    const auto index = parse_integer(index_text);
    if (!index || *index < 0 || *index >= static_cast<std::int64_t>(out.findings.size())) {
      return at_pointer(child(place, index_text), "there is no finding \"" + index_text + "\"");
    }
    FIDUCIAL_TRY_DONE(assign(out.findings[static_cast<std::size_t>(*index)], item, child(place, index_text)));
  }
  return done();
}

// Adds what the ontology says of the finding's category.
void classify(Finding& finding) {
  const std::optional<Category> category = find_category(finding.category);
  if (!category) return;
  finding.category_title = category->title;
  finding.focality = category->focal ? Focality::focal : Focality::non_focal;
}

Outcome read_finding_facts(const Json& entry, const std::string& pointer, GroundedCase& out) {
  FIDUCIAL_TRY_DONE(
      for_each_finding(entry, "categories", pointer, out,
                       [](Finding& finding, const Json& value, const std::string& place) -> Outcome {
                         FIDUCIAL_TRY(finding.category, expect_string(value, place));
                         classify(finding);
                         return done();
                       }));
  FIDUCIAL_TRY_DONE(
      for_each_finding(entry, "entity_counts", pointer, out,
                       [](Finding& finding, const Json& value, const std::string& place) -> Outcome {
                         FIDUCIAL_TRY(finding.entities, expect_integer(value, place));
                         return done();
                       }));
  return for_each_finding(entry, "pixels", pointer, out,
                          [](Finding& finding, const Json& value, const std::string& place) -> Outcome {
                            FIDUCIAL_TRY(finding.voxels, expect_integer(value, place));
                            return done();
                          });
}

Outcome read_shape(const Json& entry, const std::string& pointer, GroundedCase& out) {
  const Json* value = entry.find("shape");
  if (value == nullptr) return done();
  const std::string place = child(pointer, "shape");
  FIDUCIAL_TRY(const Json::Array* items, expect_array(*value, place));
  if (items->size() != 3) return at_pointer(place, "expected 3 numbers, found " + decimal(items->size()));
  std::array<std::int64_t, 3> size{};
  for (std::size_t i = 0; i < 3; ++i) {
    FIDUCIAL_TRY(size[i], expect_integer((*items)[i], child(place, decimal(i))));
    if (size[i] < 1)
      return at_pointer(child(place, decimal(i)), "expected at least 1, found " + decimal(size[i]));
  }
  out.extent = Extent{size[0], size[1], size[2]};
  return done();
}

Result<std::vector<GroundedCase>> read_split(const Json& value, const std::string& pointer) {
  FIDUCIAL_TRY(const Json::Array* entries, expect_array(value, pointer));
  std::vector<GroundedCase> out;
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < entries->size(); ++i) {
    const std::string place = child(pointer, decimal(i));
    FIDUCIAL_TRY(GroundedCase entry, read_dataset_entry((*entries)[i], place));
    const auto [first, is_new] = seen.emplace(entry.name, i);
    if (!is_new) {
      return at_pointer(
          place, "duplicate name \"" + entry.name + "\", first at " + child(pointer, decimal(first->second)));
    }
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace

const std::vector<GroundedCase>* DatasetFile::find_split(std::string_view name) const {
  for (const auto& [split, cases] : splits) {
    if (split == name) return &cases;
  }
  return nullptr;
}

Result<GroundedCase> read_dataset_entry(const Json& entry, const std::string& pointer) {
  GroundedCase out;
  FIDUCIAL_TRY_DONE(expect_object(entry, pointer));
  FIDUCIAL_TRY(out.name, entry_name(entry, pointer));
  out.patient = patient_of(out.name);
  if (const Json* protocol = entry.find("protocol"); protocol != nullptr && !protocol->is_null()) {
    FIDUCIAL_TRY(out.protocol, expect_string(*protocol, child(pointer, "protocol")));
  }
  FIDUCIAL_TRY_DONE(read_findings(entry, pointer, out));
  FIDUCIAL_TRY_DONE(read_finding_facts(entry, pointer, out));
  FIDUCIAL_TRY_DONE(read_shape(entry, pointer, out));
  return out;
}

Result<DatasetFile> parse_dataset_file(std::string_view text) {
  FIDUCIAL_TRY(const Json document, parse_json(text));
  FIDUCIAL_TRY(const Json::Object* splits, expect_object(document, ""));
  DatasetFile out;
  for (const auto& [name, value] : *splits) {
    if (value.as_array() == nullptr && name != "train" && name != "val" && name != "test") {
      out.notes.push_back({"not_a_split", "member \"" + name + "\" is no list of cases and is ignored"});
      continue;
    }
    FIDUCIAL_TRY(std::vector<GroundedCase> cases, read_split(value, child("", name)));
    out.splits.emplace_back(name, std::move(cases));
  }
  if (out.splits.empty())
    return at_pointer("", "no split: expected lists such as \"train\", \"val\", \"test\"");
  return out;
}

}  // namespace fiducial::rexgroundingct
