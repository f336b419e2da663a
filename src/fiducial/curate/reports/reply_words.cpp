#include "fiducial/curate/reports/reply_words.h"

#include <algorithm>
#include <tuple>

#include "fiducial/base/ascii.h"
#include "fiducial/findings/standard_report.h"
#include "fiducial/text/porter_stemmer.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

// Words in lower case, and numbers with their decimals.
std::vector<std::string> lower_words(std::string_view text) {
  std::vector<std::string> out(1);
  for (const char c : ascii_lower(text)) {
    if (is_letter(c) || is_digit(c) || is_wide(c) ||
        (c == '.' && !out.back().empty() && is_digit(out.back().back()))) {
      out.back() += c;
    } else if (!out.back().empty()) {
      out.emplace_back();
    }
  }
  for (std::string& word : out) {
    while (word.ends_with('.')) word.pop_back();
  }
  std::erase(out, "");
  return out;
}

// Words that sentences about different things share.
bool says_nothing(const std::string& word) {
  static const std::set<std::string> words{
      "a",     "an",       "and",  "are",  "as",  "at",   "be",    "been", "by",  "detected",
      "for",   "from",     "has",  "have", "in",  "is",   "it",    "its",  "no",  "not",
      "noted", "observed", "of",   "on",   "or",  "seen", "so",    "that", "the", "there",
      "these", "they",     "this", "to",   "was", "were", "which", "with"};
  return words.contains(word);
}

void add_stems(std::string_view text, Topics& topics) {
  for (const std::string& word : lower_words(text)) {
    if (!says_nothing(word)) topics.insert(porter_stem(word));
  }
}

using Likenesses = std::vector<std::vector<double>>;  // of sources, to replies

// Keeps of every likeness only those that are near to the most that its source, and its reply, has.
Likenesses near_the_best(const Likenesses& all, std::size_t replies) {
  constexpr double near = 1.0 / 3.0;
  std::vector<double> best_of_reply(replies);
  for (const std::vector<double>& row : all) {
    for (std::size_t k = 0; k < replies; ++k) best_of_reply[k] = std::max(best_of_reply[k], row[k]);
  }
  Likenesses out = all;
  for (std::vector<double>& row : out) {
    const double best = row.empty() ? 0.0 : *std::max_element(row.begin(), row.end());
    for (std::size_t k = 0; k < replies; ++k) {
      if (row[k] < near * best || row[k] < near * best_of_reply[k]) row[k] = 0.0;
    }
  }
  return out;
}

using Owners = std::vector<std::optional<std::size_t>>;  // by reply, the source it stands for

// Finds partners for sources that were left without one, by moving others to their second choice.
class PartnerSearch {
 public:
  PartnerSearch(const Likenesses& likenesses, Owners& owners) : likenesses_(likenesses), owners_(owners) {}

  bool place(std::size_t source) {
    tried_.assign(owners_.size(), false);
    return move(source);
  }

 private:
  bool move(std::size_t source) {
    for (std::size_t reply = 0; reply < owners_.size(); ++reply) {
      if (likenesses_[source][reply] <= 0.0 || tried_[reply]) continue;
      tried_[reply] = true;
      if (owners_[reply] && !move(*owners_[reply])) continue;
      owners_[reply] = source;
      return true;
    }
    return false;
  }

  const Likenesses& likenesses_;
  Owners& owners_;
  std::vector<bool> tried_;
};

Owners likest_owners(const Likenesses& likenesses, std::size_t replies) {
  std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < likenesses.size(); ++i) {
    for (std::size_t k = 0; k < replies; ++k) {
      if (likenesses[i][k] > 0.0) pairs.emplace_back(-likenesses[i][k], i, k);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  Owners owners(replies);
  std::vector<bool> is_placed(likenesses.size());
  for (const auto& [unlikeness, source, reply] : pairs) {
    if (owners[reply] || is_placed[source]) continue;
    owners[reply] = source;
    is_placed[source] = true;
  }
  return owners;
}

}  // namespace

NamedSides sides_in(std::string_view text) {
  NamedSides out;
  for (const std::string& word : lower_words(text)) {
    const bool both = word == "both" || word.starts_with("bilateral");
    out.left_word = out.left_word || word == "left";
    out.right_word = out.right_word || word == "right";
    out.left = out.left || both || out.left_word;
    out.right = out.right || both || out.right_word;
  }
  return out;
}

std::string side_beyond(const NamedSides& text, const NamedSides& other) {
  if (text.left && !other.left) return "left";
  if (text.right && !other.right) return "right";
  if (text.left_word && !text.right_word && !other.left_word && text.right) return "left";
  return text.right_word && !text.left_word && !other.right_word && text.left ? "right" : "";
}

std::string mirrored(std::string_view place) {
  std::string out;
  for (std::size_t at = 0; at < place.size();) {
    if (place.substr(at).starts_with("left")) {
      out += "right";
      at += 4;
    } else if (place.substr(at).starts_with("right")) {
      out += "left";
      at += 5;
    } else {
      out += place[at++];
    }
  }
  return out;
}

std::set<std::string> sizes_in(std::string_view text) {
  std::set<std::string> out;
  for (const Measurement& each : find_measurements(text)) out.insert(measurement_text(each));
  return out;
}

Topics TopicReader::of(std::string_view text) {
  Topics out;
  add_stems(text, out);
  add_stems(WordingTable::standard().applied(text), out);
  for (const Fact& fact : facts_.read(text)) out.insert(facts_.lexicon().concepts()[fact.finding].name);
  return out;
}

double likeness(const Topics& a, const Topics& b) {
  const auto shared = static_cast<double>(
      std::count_if(a.begin(), a.end(), [&b](const std::string& topic) { return b.contains(topic); }));
  const double all = static_cast<double>(a.size() + b.size()) - shared;
  return all > 0.0 ? shared / all : 0.0;
}

std::vector<TextPair> paired_texts(const std::vector<Topics>& source, const std::vector<Topics>& reply) {
  Likenesses all(source.size(), std::vector<double>(reply.size()));
  for (std::size_t i = 0; i < source.size(); ++i) {
    for (std::size_t k = 0; k < reply.size(); ++k) all[i][k] = likeness(source[i], reply[k]);
  }
  const Likenesses likenesses = near_the_best(all, reply.size());
  Owners owners = likest_owners(likenesses, reply.size());
  PartnerSearch search(likenesses, owners);
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (std::find(owners.begin(), owners.end(), std::optional(i)) == owners.end()) search.place(i);
  }
  std::vector<TextPair> out(source.size());
  for (std::size_t k = 0; k < reply.size(); ++k) {
    if (owners[k]) out[*owners[k]] = {.reply = k, .likeness = likenesses[*owners[k]][k]};
  }
  return out;
}

}  // namespace fiducial
