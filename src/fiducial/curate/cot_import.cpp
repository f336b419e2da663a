#include "fiducial/curate/cot_import.h"

#include <algorithm>
#include <set>

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
      for (const char* key : {"name", "volume", "volume_name", "VolumeName", "file", "seg_path"}) {
        const Json* name = value.find(key);
        if (name == nullptr || name->as_string() == nullptr) continue;
        const std::string base = name->as_string()->substr(name->as_string()->rfind('/') + 1);
        if (names_a_volume(base)) where.volume = with_ending(base);
      }
      for (const auto& [key, member] : *members)
        walk_member(key, member, where, std::string(pointer).append("/").append(key));
    } else if (const Json::Array* items = value.as_array()) {
      for (std::size_t i = 0; i < items->size(); ++i) walk((*items)[i], where, pointer + "/" + decimal(i));
    }
  }

  void walk_member(const std::string& key, const Json& member, Where where, const std::string& pointer) {
    const std::string lower = ascii_lower(key);
    if (lower == "train" || lower == "val" || lower == "validation" || lower == "test") where.split = lower;
    if (names_a_volume(key)) where.volume = with_ending(key);
    const bool in_volume = !where.volume.empty() && !names_a_volume(key);
    // Below a volume the first members that are keyed by a number, or "P1", "S1", "finding_0", are findings.
    const bool keyed = all_digits(key.substr(key.find_last_not_of("0123456789") + 1));
    if (in_volume && keyed && member.as_number() == std::nullopt) {
      PublishedChain chain{.volume = where.volume, .split = where.split, .finding = key, .pointer = pointer};
      collect(member, chain);
      chains_.push_back(std::move(chain));
      return;
    }
    walk(member, where, pointer);
  }

  void collect(const Json& value, PublishedChain& chain) {
    if (const std::string* text = value.as_string()) {
      chain.texts.push_back(*text);
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
