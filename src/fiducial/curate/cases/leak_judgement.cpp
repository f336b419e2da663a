#include "fiducial/curate/cases/leak_judgement.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/curate/cases/leakage_reply.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

// The text between two characters, or nothing where there are none.
std::optional<std::string> characters(std::string_view text, std::int64_t begin, std::int64_t end) {
  std::int64_t count = 0;
  std::optional<std::size_t> from;
  for (std::size_t at = 0;; at += first_code_point(text.substr(at)).bytes, ++count) {
    if (count == begin) from = at;
    if (count == end && from) return std::string(text.substr(*from, at - *from));
    if (at >= text.size()) return std::nullopt;
  }
}

}  // namespace

ExposedCase exposed_case(const Json& item) {
  ExposedCase out{.history = first_text(item, history_fields)};
  for (const char* name : {"options", "gpt_options"}) {
    if (out.options.empty() && item.find(name) != nullptr) out.options = judged_options(*item.find(name));
  }
  out.key =
      key_letter(first_text(item, {"correct_answer", "correct_answer_letter", "gt_letter"}), out.options);
  for (const LetteredOption& option : out.options) {
    if (out.key == option.letter) out.key_text = option.text;
  }
  if (out.key_text.empty()) out.key_text = first_text(item, {"correct_answer_text"});
  return out;
}

LeakJudgement judged_leaks(const Json& reply, const ExposedCase& item, bool strict) {
  LeakJudgement out;
  const std::optional<bool> flag = flag_at(reply, "has_leak");
  if (!flag) return {.objection = "expected has_leak to be true or false"};
  const Json* named = reply.find("leaked_options");
  if (named != nullptr && named->as_array() == nullptr)
    return {.objection = "expected leaked_options to be a list"};
  out.letters = leaked_letters(named, item.options);
  if (strict && !*flag && !out.letters.empty())
    return {.objection = "has_leak is false, but leaked_options names " + joined(out.letters)};
  out.has_leak = *flag && !out.letters.empty();
  if (const Json* reason = reply.find("non_leak_reason")) out.reason = *reason;
  const Json::Array* evidence = find_array(reply, "evidence");
  if (!strict || evidence == nullptr) return out;
  for (const Json& each : *evidence) {
    const Json* begin = each.find("start");
    const Json* end = each.find("end");
    const std::string quote = scalar_text(each.find("quote")).value_or("");
    const bool placed =
        begin != nullptr && begin->as_integer() != nullptr && end != nullptr && end->as_integer() != nullptr;
    Json checked = each;
    if (checked.as_object() == nullptr) return {.objection = "expected evidence to be a list of objects"};
    checked.set("verbatim",
                placed && characters(item.history, *begin->as_integer(), *end->as_integer()) == quote);
    out.evidence.push(std::move(checked));
  }
  return out;
}

bool has_leak_by_search(const std::vector<LabelMention>& mentions) {
  return std::any_of(mentions.begin(), mentions.end(),
                     [](const LabelMention& mention) { return !mention.is_negated; });
}

LeakJudgement leaks_by_search(const std::vector<LabelMention>& mentions, const ExposedCase& item) {
  LeakJudgement out{.has_leak = has_leak_by_search(mentions)};
  for (std::size_t i = 0; i < item.options.size(); ++i) {
    const bool is_named = std::any_of(mentions.begin(), mentions.end(), [i](const LabelMention& mention) {
      return mention.label == i && !mention.is_negated;
    });
    if (is_named) out.letters.push_back(item.options[i].letter);
  }
  return out;
}

}  // namespace fiducial
