#include <array>
#include <map>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/curate/engine/item_fields.h"
#include "fiducial/curate/engine/stage_call.h"
#include "fiducial/text/answer_extraction.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

using Keys = std::vector<std::string>;

// What may identify an item in another file, from the surest to the weakest.
Keys keys_of(const Json& item) {
  Keys out;
  for (const char* name : {"source_row_index", "source_link", "title"}) {
    const std::string text(white_space_trimmed(scalar_text(item.find(name)).value_or("")));
    if (!text.empty()) out.push_back(std::string(name) + ":" + text);
  }
  const std::string title = lower_norm(scalar_text(item.find("title")).value_or(""));
  const std::string history =
      lower_norm(first_text(item, {"CLINICAL_HISTORY", "clinical_history", "clinical history"}));
  if (!title.empty() || !history.empty()) out.push_back("title+history:" + title + "|" + history);
  return out;
}

std::optional<bool> flag_value(const Json& flag) {
  if (flag.as_bool() != nullptr) return *flag.as_bool();
  if (const auto number = flag.as_number()) return *number != 0;
  if (flag.as_string() == nullptr) return std::nullopt;
  const std::string word = lower_cased(white_space_trimmed(*flag.as_string()));
  for (const char* yes : {"true", "1", "yes", "y"}) {
    if (word == yes) return true;
  }
  for (const char* no : {"false", "0", "no", "n"}) {
    if (word == no) return false;
  }
  return std::nullopt;
}

constexpr std::initializer_list<const char*> prediction_fields = {"parsed_answer_letter", "prediction",
                                                                  "answer", "pred", "predicted_answer"};
constexpr std::initializer_list<const char*> key_fields = {"gt_letter", "correct_answer", "answer_key",
                                                           "label"};

// The first character of a text without white space at its start, in upper case.
std::string first_character(const std::string& text) {
  const std::string_view rest = white_space_trimmed(text);
  if (rest.empty()) return {};
  const std::string first(rest.substr(0, first_code_point(rest).bytes));
  return first.size() == 1 && first[0] >= 'a' && first[0] <= 'z'
             ? std::string(1, static_cast<char>(first[0] - 32))
             : first;
}

// The letter of an answer by the ladder of rules, with the options of the item where it has five.
std::optional<char> ladder_letter(const Json& item, const std::string& text) {
  std::array<std::string, 5> options;
  if (const Json* found = item.find("options")) {
    for (std::size_t i = 0; i < options.size(); ++i) {
      options[i] = scalar_text(found->find(option_letter(i))).value_or("");
    }
  }
  if (const auto letter = single_letter(text)) return letter;
  return extract_answer(white_space_trimmed(text), options).letter;
}

// What a model without images said about an item.
struct ProbeItem {
  std::optional<bool> result;  // whether it was right; nothing where its file does not say
  std::optional<char> letter;  // what it chose, where its file has no key to compare with
};

ProbeItem probe_item(const Json& probe, bool strict) {
  if (const Json* flag = probe.find("is_correct")) return {.result = flag_value(*flag)};
  const std::string prediction = first_text(probe, prediction_fields);
  const std::string key = first_text(probe, key_fields);
  if (!strict) {
    if (prediction.empty() || key.empty()) return {};
    return {.result = first_character(prediction) == first_character(key)};
  }
  const auto chosen = ladder_letter(probe, prediction);
  if (!chosen) return {};
  if (key.empty()) return {.letter = chosen};
  const auto right = single_letter(key);
  if (!right) return {};
  return {.result = *chosen == *right};
}

// One model's results, found by any key that is unambiguous in its file.
struct ProbeFile {
  std::string name;
  std::vector<ProbeItem> items;
  std::map<std::string, std::optional<std::size_t>> by_key;  // nothing: two items share it
  std::int64_t unmatched = 0;
  std::int64_t unknown = 0;
  std::int64_t conflicts = 0;
  std::int64_t ambiguous_keys = 0;
};

Result<ProbeFile> read_probe(StageCall& call, const Path& path) {
  ProbeFile out{.name = path.filename().string()};
  FIDUCIAL_TRY(ItemReader reader, call.open_items("probe", path, {.breaks_at_separators = !call.strict()}));
  while (true) {
    FIDUCIAL_TRY(const std::optional<Item> item, reader.next());
    if (!item) break;
    if (item->value.as_object() == nullptr) continue;
    for (const std::string& key : keys_of(item->value)) {
      const auto [found, is_new] = out.by_key.emplace(key, out.items.size());
      if (is_new || !found->second) continue;
      found->second.reset();
      ++out.ambiguous_keys;
    }
    out.items.push_back(probe_item(item->value, call.strict()));
  }
  FIDUCIAL_TRY_DONE(call.close_items("probe", path, reader));
  return out;
}

struct Match {
  enum class Kind { found, unmatched, conflict } kind = Kind::unmatched;
  std::size_t item = 0;
};

// Official: by the first key alone. Strict: by every key that is unambiguous; all must name one item.
Match matched(const ProbeFile& probe, const Keys& keys, bool strict) {
  std::set<std::size_t> found;
  for (const std::string& key : keys) {
    const auto at = probe.by_key.find(key);
    if (at != probe.by_key.end() && at->second) found.insert(*at->second);
    if (!strict) break;
  }
  if (found.empty()) return {};
  return {found.size() > 1 ? Match::Kind::conflict : Match::Kind::found, *found.begin()};
}

// What the probes say about one item.
struct ProbeVotes {
  Json names = Json::Array{};
  Json results = Json::Array{};
  std::int64_t right = 0;
  std::int64_t known = 0;
  std::int64_t conflicts = 0;
};

ProbeVotes votes_on(const Json& item, const Keys& keys, std::vector<ProbeFile>& probes, bool strict) {
  ProbeVotes out;
  const auto key = single_letter(first_text(item, {"correct_answer"}));
  for (ProbeFile& probe : probes) {
    const Match match = matched(probe, keys, strict);
    if (match.kind == Match::Kind::unmatched) ++probe.unmatched;
    if (match.kind == Match::Kind::conflict) ++probe.conflicts, ++out.conflicts;
    if (match.kind != Match::Kind::found) continue;
    const ProbeItem& found = probe.items[match.item];
    std::optional<bool> result = found.result;
    if (!result && found.letter && key) result = *found.letter == *key;
    if (!result) ++probe.unknown;
    if (!result) continue;
    ++out.known;
    out.right += *result ? 1 : 0;
    out.names.push(probe.name);
    out.results.push(*result);
  }
  return out;
}

Json removed_json(const Json& item, const Keys& keys, const ProbeVotes& votes) {
  const auto field = [&item](const char* name) {
    return item.find(name) != nullptr ? *item.find(name) : Json();
  };
  return Json::object({{"key", keys.front()},
                       {"title", field("title")},
                       {"source_row_index", field("source_row_index")},
                       {"source_link", field("source_link")},
                       {"probes", votes.names},
                       {"results", votes.results}});
}

Json probes_json(const std::vector<ProbeFile>& probes) {
  Json out = Json::Array{};
  for (const ProbeFile& probe : probes) {
    out.push(Json::object({{"file", probe.name},
                           {"items", static_cast<std::int64_t>(probe.items.size())},
                           {"unmatched", probe.unmatched},
                           {"unknown", probe.unknown},
                           {"conflicts", probe.conflicts},
                           {"ambiguous_keys", probe.ambiguous_keys}}));
  }
  return out;
}

// Filters one file of items.
class TextFilter {
 public:
  TextFilter(StageCall& call, std::vector<ProbeFile> probes)
      : call_(call), probes_(std::move(probes)), all_(call.text("remove-when") == "all") {}

  Outcome run() {
    const Path path = call_.text("CASES");
    FIDUCIAL_TRY(ItemReader reader,
                 call_.open_items("CASES", path, {.breaks_at_separators = !call_.strict()}));
    ContainerForm form = reader.form();
    // The published script writes back a list, whatever it read from lines.
    if (!call_.strict() && form.kind == ContainerForm::Kind::lines) form = {};
    FIDUCIAL_TRY(OutputFile * file, call_.output().add_main(form.extension()));
    ItemWriter writer(*file, form);
    while (true) {
      FIDUCIAL_TRY(const std::optional<Item> item, reader.next());
      if (!item) break;
      FIDUCIAL_TRY_DONE(filter(*item, writer));
    }
    FIDUCIAL_TRY_DONE(writer.finish());
    FIDUCIAL_TRY_DONE(call_.close_items("CASES", path, reader));
    return write_report();
  }

 private:
  Outcome filter(const Item& item, ItemWriter& writer) {
    if (item.value.as_object() == nullptr) {
      return call_.record(item.index, item.id(), {.status = "removed", .code = "not_an_object"});
    }
    ++total_;
    const Keys keys = keys_of(item.value);
    const ProbeVotes votes =
        keys.empty() ? ProbeVotes{} : votes_on(item.value, keys, probes_, call_.strict());
    const bool solved = votes.known > 0 && (all_ ? votes.right == votes.known : votes.right > 0);
    ItemStatus status{.facts = Json::object({{"probes", votes.known}, {"right", votes.right}})};
    if (keys.empty()) status.code = "no_key";
    if (!keys.empty() && votes.known == 0) status.code = "no_probe";
    if (votes.conflicts > 0) status.code = "key_conflict";
    if (solved) {
      status.status = "removed";
      status.code = "text_solvable";
      removed_.push(removed_json(item.value, keys, votes));
    }
    FIDUCIAL_TRY_DONE(call_.record(item.index, item.id(), status));
    return solved ? done() : writer.write(item);
  }

  Outcome write_report() {
    const auto removed = static_cast<std::int64_t>(removed_.as_array()->size());
    call_.summary() = Json::object({{"remove_when", all_ ? "all" : "any"},
                                    {"input", total_},
                                    {"kept", total_ - removed},
                                    {"removed", removed},
                                    {"probes", probes_json(probes_)}});
    Json report = call_.summary();
    report.set("removed_cases", std::move(removed_));
    FIDUCIAL_TRY(OutputFile * file, call_.output().add("report.json"));
    return file->write(report.pretty());
  }

  StageCall& call_;
  std::vector<ProbeFile> probes_;
  bool all_;
  std::int64_t total_ = 0;
  Json removed_ = Json::Array{};
};

Outcome run_text_filter(StageCall& call) {
  if (call.strict() && !call.has("remove-when")) {
    return bad_usage("curate text-filter: --remove-when any|all must be said in strict mode");
  }
  std::vector<ProbeFile> probes;
  for (const std::string& path : call.texts("probe")) {
    FIDUCIAL_TRY(ProbeFile probe, read_probe(call, path));
    probes.push_back(std::move(probe));
  }
  return TextFilter(call, std::move(probes)).run();
}

}  // namespace

Stage text_filter_stage() {
  return {
      .name = "text-filter",
      .summary = "Remove cases that models solve without the images",
      .example =
          "fiducial curate text-filter cases.jsonl --probe a.json --probe b.json --remove-when all -o "
          "kept.jsonl",
      .inputs = {{.name = "CASES", .help = "Cases: JSON list, {\"data\": [...]} or JSONL", .required = true}},
      .options = {{.name = "probe",
                   .help = "Records of a model that saw no image; may be repeated",
                   .kind = StageOption::Kind::texts,
                   .required = true},
                  {.name = "remove-when",
                   .help = "Remove where any or all of the probes were right (official default: any)",
                   .choices = {"any", "all"}}},
      .run = run_text_filter};
}

}  // namespace fiducial
