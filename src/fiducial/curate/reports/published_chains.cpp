#include "fiducial/curate/reports/published_chains.h"

#include <algorithm>
#include <map>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "train_12_a_1" or "valid_3_b_2.nii.gz": four fields of a CT-RATE name.
bool names_a_volume(std::string_view text) {
  if (text.ends_with(".nii.gz")) text.remove_suffix(7);
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t at = text.find('_');
    fields.push_back(text.substr(0, at));
    if (at == std::string_view::npos) break;
    text.remove_prefix(at + 1);
  }
  return fields.size() == 4 && (fields[0] == "train" || fields[0] == "valid") && all_digits(fields[1]) &&
         fields[2].size() == 1 && all_digits(fields[3]);
}

std::string with_ending(const std::string& name) {
  return name.ends_with(".nii.gz") ? name : name + ".nii.gz";
}

// Walks a document and keeps in mind where it is.
class ChainFinder {
 public:
  std::vector<PublishedChain> find(const Json& document) {
    walk(document, {}, "");
    return std::move(chains_);
  }

 private:
  struct Where {
    std::string volume;
    std::string split;
  };

  void walk(const Json& value, Where where, const std::string& pointer) {
    if (const Json::Object* members = value.as_object()) {
      bool names_one = false;
      for (const char* key : {"name", "volume", "volume_name", "VolumeName", "file", "seg_path"}) {
        const std::string* name = find_string(value, key);
        if (name == nullptr) continue;
        const std::string base = name->substr(name->rfind('/') + 1);
        if (!names_a_volume(base)) continue;
        where.volume = with_ending(base);
        names_one = true;
      }
      const std::size_t before = chains_.size();
      for (const auto& [key, member] : *members)
        walk_member(key, member, where, std::string(pointer).append("/").append(key));
      if (names_one && chains_.size() == before) add_without_keys(value, where, pointer);
    } else if (const Json::Array* items = value.as_array()) {
      for (std::size_t i = 0; i < items->size(); ++i) walk((*items)[i], where, pointer + "/" + decimal(i));
    }
  }

  void walk_member(const std::string& key, const Json& member, Where where, const std::string& pointer) {
    const std::string lower = ascii_lower(key);
    if (lower == "train" || lower == "val" || lower == "validation" || lower == "test") where.split = lower;
    const bool names_one = names_a_volume(key);
    if (names_one) where.volume = with_ending(key);
    const bool in_volume = !where.volume.empty() && !names_one;
    // Below a volume the first members that are keyed by a number, or "P1", "S1", "finding_0", are findings.
    const bool keyed = all_digits(key.substr(key.find_last_not_of("0123456789") + 1)) &&
                       !lower.starts_with("step") && !lower.starts_with("level");
    if (in_volume && keyed && member.as_number() == std::nullopt) {
      add(member, where, key, pointer);
      return;
    }
    const std::size_t before = chains_.size();
    walk(member, where, pointer);
    if (names_one && chains_.size() == before) add_without_keys(member, where, pointer);
  }

  void add(const Json& value, const Where& where, const std::string& finding, const std::string& pointer) {
    PublishedChain chain{
        .volume = where.volume, .split = where.split, .finding = finding, .pointer = pointer};
    collect(value, chain);
    std::erase_if(chain.texts, [](const std::string& text) {
      return names_a_volume(std::string_view(text).substr(text.rfind('/') + 1));
    });
    // What the chain is about stands first, wherever it is written.
    for (const char* key : {"finding", "finding_text", "statement"}) {
      const std::string* said = find_string(value, key);
      if (said == nullptr) continue;
      const auto at = std::find(chain.texts.begin(), chain.texts.end(), *said);
      if (at != chain.texts.end()) std::rotate(chain.texts.begin(), at, at + 1);
      break;
    }
    chains_.push_back(std::move(chain));
  }

  // A volume whose findings are a list, or that has one chain and no more: numbered from 0.
  void add_without_keys(const Json& value, const Where& where, const std::string& pointer) {
    const auto [list, name] = list_of_findings(value);
    if (list == nullptr) {
      const std::string number = decimal(numbered_[where.volume]++);
      add(value, where, number, pointer);
      if (chains_.back().boxes.empty() && chains_.back().texts.empty()) chains_.pop_back();
      return;
    }
    const Json::Array& items = *list->as_array();
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string number = decimal(i);
      add(items[i], where, number, pointer + (name.empty() ? "" : "/" + name) + "/" + number);
    }
  }

  // A list whose items are chains, not steps of one: they are called findings, or have steps of their own.
  static std::pair<const Json*, std::string> list_of_findings(const Json& value) {
    const auto has_steps = [](const Json& item) {
      const Json::Object* members = item.as_object();
      return members != nullptr &&
             std::any_of(members->begin(), members->end(), [](const Json::Member& member) {
               const Json::Array* steps = member.second.as_array();
               return steps != nullptr && !steps->empty() && steps->front().as_object() != nullptr;
             });
    };
    const auto are_chains = [&](const Json& list) {
      return list.as_array() != nullptr && !list.as_array()->empty() &&
             std::all_of(list.as_array()->begin(), list.as_array()->end(), has_steps);
    };
    if (are_chains(value)) return {&value, ""};
    if (value.as_object() == nullptr) return {nullptr, ""};
    for (const auto& [key, member] : *value.as_object()) {
      const bool called = ascii_lower(key) == "findings" && member.as_array() != nullptr;
      if (called || are_chains(member)) return {&member, key};
    }
    return {nullptr, ""};
  }

  void collect(const Json& value, PublishedChain& chain) {
    if (const std::string* text = value.as_string()) {
      chain.texts.push_back(*text);
      for (const auto& box : boxes_in_text(*text)) chain.boxes.push_back(box);
      return;
    }
    const BoxReading reading = read_box(value);
    if (reading.box) chain.boxes.push_back(*reading.box);
    if (reading.is_odd) ++chain.odd_boxes;
    if (reading.box || reading.is_odd) return;
    if (const Json::Object* members = value.as_object()) {
      for (const auto& [key, member] : *members) collect(member, chain);
    } else if (const Json::Array* items = value.as_array()) {
      for (const Json& item : *items) collect(item, chain);
    }
  }

  std::vector<PublishedChain> chains_;
  std::map<std::string, std::int64_t> numbered_;  // chains without a key, by volume
};

}  // namespace

std::vector<PublishedChain> find_published_chains(const Json& document) {
  return ChainFinder().find(document);
}

}  // namespace fiducial
