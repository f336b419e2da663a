#include "fiducial/curate/cases/length_balance.h"

#include <array>
#include <set>

#include "fiducial/curate/cases/leakage_reply.h"
#include "fiducial/curate/engine/item_fields.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

std::int64_t characters_in(std::string_view text) {
  std::int64_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(first_code_point(text).bytes);
  return count;
}

}  // namespace

Result<LengthQuestion> length_question(const Json& item) {
  const Json* value = item.find("options");
  const std::vector<LetteredOption> options =
      value == nullptr ? std::vector<LetteredOption>() : judged_options(*value);
  const auto letter = key_letter(first_text(item, {"correct_answer"}), options);
  LengthQuestion out;
  for (const LetteredOption& option : options) {
    if (letter == option.letter) out.key = option.text;
  }
  if (out.key.empty()) return invalid_data("key_unknown");
  std::set<std::string> seen{folded_norm(out.key)};
  for (const LetteredOption& option : options) {
    if (!seen.insert(folded_norm(option.text)).second) continue;
    (characters_in(option.text) > characters_in(out.key) ? out.longer : out.shorter).push_back(option.text);
  }
  if (out.longer.size() + out.shorter.size() < options_wanted - 1) return invalid_data("too_few_options");
  return out;
}

std::vector<std::string> distractors(const LengthQuestion& question, std::size_t longer,
                                     PythonRandom& random) {
  longer = std::clamp(longer, question.least(), question.most());
  std::vector<std::string> out;
  for (const std::size_t at : random.sample(question.longer.size(), longer))
    out.push_back(question.longer[at]);
  for (const std::size_t at : random.sample(question.shorter.size(), options_wanted - 1 - longer)) {
    out.push_back(question.shorter[at]);
  }
  return out;
}

bool key_is_longest(const CroppedCase& question) {
  const std::int64_t length = characters_in(question.options[*question.key]);
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    if (i != *question.key && characters_in(question.options[i]) >= length) return false;
  }
  return true;
}

std::vector<std::size_t> length_targets(const std::vector<LengthQuestion>& questions, PythonRandom& random) {
  const std::vector<std::size_t> wishes = balanced_targets(questions.size(), random);
  std::array<std::size_t, options_wanted> left{};
  for (const std::size_t wish : wishes) ++left.at(wish);
  std::vector<std::size_t> order(questions.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  random.shuffle(order);
  std::stable_sort(order.begin(), order.end(), [&questions](std::size_t a, std::size_t b) {
    return questions[a].most() - questions[a].least() < questions[b].most() - questions[b].least();
  });
  std::vector<std::size_t> out(questions.size());
  for (const std::size_t at : order) {
    std::size_t best = questions[at].least();
    for (std::size_t rank = best; rank <= questions[at].most(); ++rank) {
      if (left.at(rank) > left.at(best)) best = rank;
    }
    if (left.at(best) > 0) --left.at(best);
    out[at] = best;
  }
  return out;
}

}  // namespace fiducial
