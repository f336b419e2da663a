#include "fiducial/curate/cot_import.h"

#include <algorithm>
#include <initializer_list>
#include <map>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
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

// All numbers of a small value, in order; nothing where anything else is in it.
bool collect_numbers(const Json& value, std::vector<double>& out) {
  if (out.size() > 6) return false;
  if (const auto number = value.as_number()) {
    out.push_back(*number);
    return true;
  }
  if (const Json::Array* items = value.as_array()) {
    return !items->empty() && std::all_of(items->begin(), items->end(),
                                          [&out](const Json& item) { return collect_numbers(item, out); });
  }
  if (const Json::Object* members = value.as_object()) {
    return !members->empty() &&
           std::all_of(members->begin(), members->end(),
                       [&out](const Json::Member& member) { return collect_numbers(member.second, out); });
  }
  return false;
}

// Which end of which axis a key names: "x_min", "zmax", "y1", "lower_x"; nothing where it names none.
std::optional<std::size_t> corner_of_key(std::string_view key) {
  std::string lower = ascii_lower(key);
  const std::size_t most = lower.find("max");  // its x is no axis
  if (most != std::string::npos) lower.replace(most, 3, "high");
  std::size_t axis = 3;
  for (std::size_t i = 0; i < 3; ++i) {
    if (lower.find(static_cast<char>('x' + i)) == std::string::npos) continue;
    if (axis != 3) return std::nullopt;
    axis = i;
  }
  if (axis == 3) return std::nullopt;
  const auto says = [&lower](std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&lower](std::string_view word) { return lower.find(word) != std::string::npos; });
  };
  const bool high = says({"high", "upper", "end", "stop"});
  const bool low = says({"min", "low", "begin", "start"});
  if (high == low) return std::nullopt;
  return high ? axis + 3 : axis;
}

// A box whose ends are named by their keys, as corners; nothing where they are not.
std::optional<std::array<double, 6>> named_box(const Json& value) {
  const Json::Object* members = value.as_object();
  if (members == nullptr || members->size() != 6) return std::nullopt;
  std::array<double, 6> box{};
  std::array<bool, 6> is_set{};
  for (const auto& [key, member] : *members) {
    const auto corner = corner_of_key(key);
    const auto number = member.as_number();
    if (!corner || !number || is_set.at(*corner)) return std::nullopt;
    box.at(*corner) = *number;
    is_set.at(*corner) = true;
  }
  return box;
}

// The boxes that a text holds in brackets: "[10, 20, 30, 40, 50, 60]", "(10,20,30) to (40,50,60)".
std::vector<std::array<double, 6>> boxes_in_text(std::string_view text) {
  constexpr int letters_between_corners = 3;
  std::vector<std::array<double, 6>> boxes;
  std::vector<double> numbers;
  int depth = 0;
  int letters = 0;  // since the last bracket closed
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const bool begins_number = is_digit(c) || (c == '-' && at + 1 < text.size() && is_digit(text[at + 1]));
    std::size_t end = at + 1;
    if (depth > 0 && begins_number) {
      while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
      if (const auto number = parse_double(text.substr(at, end - at))) numbers.push_back(*number);
    }
    at = end;
    if (c == '[' || c == '(') ++depth;
    const bool closes = (c == ']' || c == ')') && depth > 0 && --depth == 0;
    if (closes) letters = 0;
    if (closes && numbers.size() == 6) {
      std::array<double, 6> box{};
      std::copy(numbers.begin(), numbers.end(), box.begin());
      boxes.push_back(box);
    }
    letters += depth == 0 && is_letter(c) ? 1 : 0;
    // Three numbers are a corner, whose other one follows.
    const bool is_corner = numbers.size() == 3 && letters <= letters_between_corners;
    if ((depth == 0 && !is_corner) || numbers.size() > 6) numbers.clear();
  }
  return boxes;
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
        const Json* name = value.find(key);
        if (name == nullptr || name->as_string() == nullptr) continue;
        const std::string base = name->as_string()->substr(name->as_string()->rfind('/') + 1);
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
      const Json* said = value.find(key);
      if (said == nullptr || said->as_string() == nullptr) continue;
      const auto at = std::find(chain.texts.begin(), chain.texts.end(), *said->as_string());
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
    if (const auto box = named_box(value)) {
      chain.boxes.push_back(*box);
      return;
    }
    std::vector<double> numbers;
    const bool numeric = collect_numbers(value, numbers);
    if (numeric && numbers.size() == 6) {
      std::array<double, 6> box{};
      std::copy(numbers.begin(), numbers.end(), box.begin());
      chain.boxes.push_back(box);
      return;
    }
    if (numeric && value.as_array() != nullptr) {
      ++chain.odd_boxes;
      return;
    }
    if (const Json::Object* members = value.as_object()) {
      for (const auto& [key, member] : *members) collect(member, chain);
    } else if (const Json::Array* items = value.as_array()) {
      for (const Json& item : *items) collect(item, chain);
    }
  }

  std::vector<PublishedChain> chains_;
  std::map<std::string, std::int64_t> numbered_;  // chains without a key, by volume
};

std::size_t low_of(BoxOrder order, std::size_t axis) { return order == BoxOrder::corners ? axis : 2 * axis; }
std::size_t high_of(BoxOrder order, std::size_t axis) {
  return order == BoxOrder::corners ? axis + 3 : 2 * axis + 1;
}

bool ordered(const std::array<double, 6>& box, BoxOrder order) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (box[low_of(order, axis)] > box[high_of(order, axis)]) return false;
  }
  return true;
}

struct SidesInText {
  bool left = false;
  bool right = false;

  bool both() const { return left && right; }
};

SidesInText sides_named(std::string_view text) {
  SidesInText out;
  const std::string lower = ascii_lower(text);
  std::size_t begin = 0;
  while (begin < lower.size()) {
    std::size_t end = begin;
    while (end < lower.size() && lower[end] >= 'a' && lower[end] <= 'z') ++end;
    const std::string_view word = std::string_view(lower).substr(begin, end - begin);
    if (word == "left" || word == "bilateral" || word == "both") out.left = true;
    if (word == "right" || word == "bilateral" || word == "both") out.right = true;
    begin = end + 1;
  }
  return out;
}

// Whether the chain keeps to the side that the finding names; nothing where it names none or both.
std::optional<bool> keeps_side(const PublishedChain& chain, const std::string& statement) {
  const SidesInText said = sides_named(statement);
  if (said.left == said.right) return std::nullopt;
  bool same = false;
  bool other = false;
  for (const std::string& text : chain.texts) {
    const SidesInText step = sides_named(text);
    if (step.both() || text == statement) continue;
    same = same || (said.left ? step.left : step.right);
    other = other || (said.left ? step.right : step.left);
  }
  if (!same && !other) return std::nullopt;
  return same || !other;
}

// Statements and splits of a dataset, by volume.
class KnownFindings {
 public:
  static Result<KnownFindings> open(StageCall& call) {
    KnownFindings known;
    if (!call.has("findings")) return known;
    FIDUCIAL_TRY(known.dataset_, rexgroundingct::Dataset::open(call.text("findings")));
    call.record_input("findings", known.dataset_->folder() / known.dataset_->file_name(),
                      known.dataset_->digest());
    return known;
  }

  std::string split_of(const PublishedChain& chain) const {
    if (dataset_) {
      for (const auto& [split, cases] : dataset_->content().splits) {
        for (const GroundedCase& entry : cases) {
          if (entry.name == chain.volume) return split;
        }
      }
    }
    return chain.split;
  }

  std::string statement_of(const PublishedChain& chain) const {
    if (dataset_) {
      for (const auto& [split, cases] : dataset_->content().splits) {
        for (const GroundedCase& entry : cases) {
          if (entry.name != chain.volume) continue;
          for (const Finding& finding : entry.findings) {
            if (decimal(finding.index) == chain.finding) return finding.text;
          }
        }
      }
    }
    return chain.texts.empty() ? "" : chain.texts.front();
  }

 private:
  std::optional<rexgroundingct::Dataset> dataset_;
};

Json verdict(std::optional<bool> holds) {
  return holds ? Json(*holds ? "holds" : "violated") : Json("unknown");
}

Json box_json(const std::array<double, 6>& box, BoxOrder order) {
  Json low = Json::Array{};
  Json high = Json::Array{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    low.push(box[low_of(order, axis)]);
    high.push(box[high_of(order, axis)]);
  }
  return Json::array({std::move(low), std::move(high)});
}

ItemStatus status_of_import(std::optional<bool> contained, std::optional<bool> side, bool leaks,
                            const PublishedChain& chain) {
  if (leaks)
    return {.status = "rejected", .code = "test_leak", .detail = "boxes of a private test case are public"};
  if (side == false) {
    return {.status = "rejected", .code = "side_conflict", .detail = "the chain names the other side only"};
  }
  if (contained == false) {
    return {.status = "rejected", .code = "not_contained", .detail = "a box leaves the one before"};
  }
  if (chain.boxes.empty()) return {.status = "ok", .code = "no_box", .detail = "a chain without a box"};
  return {};
}

}  // namespace

std::vector<PublishedChain> find_published_chains(const Json& document) {
  return ChainFinder().find(document);
}

std::optional<BoxOrder> box_order(const std::vector<PublishedChain>& chains) {
  for (const BoxOrder order : {BoxOrder::corners, BoxOrder::axes}) {
    const bool fits = std::all_of(chains.begin(), chains.end(), [order](const PublishedChain& chain) {
      return std::all_of(chain.boxes.begin(), chain.boxes.end(),
                         [order](const auto& box) { return ordered(box, order); });
    });
    if (fits) return order;
  }
  return std::nullopt;
}

std::optional<bool> boxes_contained(const PublishedChain& chain, BoxOrder order) {
  if (chain.boxes.size() < 2) return std::nullopt;
  for (std::size_t i = 1; i < chain.boxes.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t low = low_of(order, axis);
      const std::size_t high = high_of(order, axis);
      if (chain.boxes[i][low] < chain.boxes[i - 1][low] || chain.boxes[i][high] > chain.boxes[i - 1][high]) {
        return false;
      }
    }
  }
  return true;
}

Outcome import_chains(StageCall& call) {
  const Path path = call.text("REPORTS");
  FIDUCIAL_TRY(const std::string text, call.read_input("REPORTS", path));
  FIDUCIAL_TRY(const Json document, parse_json(text).in_file(path.string()));
  const std::vector<PublishedChain> chains = find_published_chains(document);
  if (chains.empty()) {
    return Error(ErrorCode::invalid_data,
                 "no chain was found: expected volumes (train_12_a_1.nii.gz) with findings keyed by numbers",
                 Place{.path = path.string()});
  }
  FIDUCIAL_TRY(const KnownFindings known, KnownFindings::open(call));
  FIDUCIAL_TRY(OutputFile * lines, call.output().add("chains.jsonl"));
  const std::optional<BoxOrder> order = box_order(chains);
  std::int64_t index = 0;
  for (const PublishedChain& chain : chains) {
    const std::string split = known.split_of(chain);
    const std::string statement = known.statement_of(chain);
    const std::optional<bool> contained = order ? boxes_contained(chain, *order) : std::nullopt;
    const std::optional<bool> side = keeps_side(chain, statement);
    const bool leaks = split == "test" && !chain.boxes.empty();
    Json boxes = Json::Array{};
    for (const auto& box : chain.boxes) boxes.push(box_json(box, order.value_or(BoxOrder::corners)));
    Json texts = Json::Array{};
    for (const std::string& each : chain.texts) texts.push(each);
    const Json line = Json::object({{"schema", "fiducial.imported_chain/1"},
                                    {"volume", chain.volume},
                                    {"split", split},
                                    {"finding", chain.finding},
                                    {"pointer", chain.pointer},
                                    {"statement", statement},
                                    {"texts", std::move(texts)},
                                    {"boxes", std::move(boxes)},
                                    {"odd_boxes", chain.odd_boxes},
                                    {"containment", verdict(contained)},
                                    {"side", verdict(side)},
                                    {"leak", leaks}});
    FIDUCIAL_TRY_DONE(lines->write(line.compact() + "\n"));
    FIDUCIAL_TRY_DONE(call.record(index++, chain.volume + "/" + chain.finding,
                                  status_of_import(contained, side, leaks, chain)));
  }
  call.summary().set("box_order", order ? Json(*order == BoxOrder::corners ? "corners" : "axes") : Json());
  call.summary().set("frame", "unknown: the document does not say; boxes are kept as written");
  return done();
}

}  // namespace fiducial
