#include "fiducial/curate/cases/probe_votes.h"

#include <array>
#include <set>

#include "fiducial/curate/engine/item_fields.h"
#include "fiducial/text/answer_extraction.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

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

struct Match {
  enum class Kind { found, unmatched, conflict } kind = Kind::unmatched;
  std::size_t item = 0;
};

// Official: by the first key alone. Strict: by every key that is unambiguous; all must name one item.
Match matched(const ProbeFile& probe, const ItemKeys& keys, bool strict) {
  std::set<std::size_t> found;
  for (const std::string& key : keys) {
    const auto at = probe.by_key.find(key);
    if (at != probe.by_key.end() && at->second) found.insert(*at->second);
    if (!strict) break;
  }
  if (found.empty()) return {};
  return {found.size() > 1 ? Match::Kind::conflict : Match::Kind::found, *found.begin()};
}

}  // namespace

ItemKeys item_keys(const Json& item) {
  ItemKeys out;
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

void ProbeFile::add(const Json& item, bool strict) {
  for (const std::string& key : item_keys(item)) {
    const auto [found, is_new] = by_key.emplace(key, items.size());
    if (is_new || !found->second) continue;
    found->second.reset();
    ++ambiguous_keys;
  }
  items.push_back(probe_item(item, strict));
}

ProbeVotes votes_on(const Json& item, const ItemKeys& keys, std::vector<ProbeFile>& probes, bool strict) {
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

}  // namespace fiducial
