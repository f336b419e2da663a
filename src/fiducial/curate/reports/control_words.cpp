#include "fiducial/curate/reports/control_words.h"

#include <algorithm>

#include "fiducial/base/ascii.h"
#include "fiducial/base/error.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/text/words.h"

namespace fiducial {

std::string_view embedded_control_words();  // data/control_words.txt

namespace {

std::vector<std::string> split_at_bars(std::string_view line) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t at = std::min(line.find('|'), line.size());
    out.emplace_back(trimmed(line.substr(0, at)));
    if (at == line.size()) return out;
    line.remove_prefix(at + 1);
  }
}

void add_line(std::string_view line, ControlWords& out) {
  const std::size_t blank = line.find(' ');
  FIDUCIAL_ASSERT(blank != std::string_view::npos);
  const std::string_view word = line.substr(0, blank);
  const std::vector<std::string> parts = split_at_bars(line.substr(blank));
  if (word == "asked" && parts.size() == 3) {
    out.asked[parts[0]] = {parts[1], parts[2]};
  } else if (word == "family" && parts.size() == 2) {
    out.families[parts[0]] = parts[1];
  } else if ((word == "same" || word == "says") && parts.size() == 2) {
    (word == "same" ? out.same : out.says).emplace_back(parts[0], parts[1]);
  } else {
    const std::pair<std::string_view, ControlWords::WordSet&> sets[] = {{"narrows", out.narrows},
                                                                        {"limits", out.limits},
                                                                        {"points", out.points},
                                                                        {"one-sided", out.one_sided},
                                                                        {"in-lobe", out.in_lobe}};
    const auto found =
        std::find_if(std::begin(sets), std::end(sets), [word](const auto& set) { return set.first == word; });
    FIDUCIAL_ASSERT(found != std::end(sets) && parts.size() == 1);
    found->second.insert(parts[0]);
  }
}

bool in_word(char c) { return is_letter(c) || is_digit(c) || is_wide(c); }

}  // namespace

const ControlWords& ControlWords::known() {
  static const ControlWords words = [] {
    ControlWords out;
    std::string_view text = embedded_control_words();
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = trimmed(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (!line.empty() && line.front() != '#') add_line(line, out);
    }
    return out;
  }();
  return words;
}

std::string ControlWords::family_of(const std::string& finding) const {
  if (const auto found = asked.find(finding); found != asked.end()) return found->second.family;
  const auto found = families.find(finding);
  return found == families.end() ? finding : found->second;
}

bool ControlWords::names_any(const WordSet& set, std::string_view text) {
  const std::vector<std::string> words = lower_words(text);
  return std::any_of(words.begin(), words.end(),
                     [&set](const std::string& word) { return set.contains(word); });
}

std::optional<std::string> with_phrase(const std::string& text, std::string_view from, std::string_view to,
                                       bool all) {
  const std::string lower = ascii_lower(text);
  const std::string wanted = ascii_lower(from);
  std::string out;
  std::size_t done_to = 0;
  for (std::size_t at = lower.find(wanted); at != std::string::npos; at = lower.find(wanted, at + 1)) {
    const std::size_t end = at + wanted.size();
    const bool is_whole =
        at >= done_to && (at == 0 || !in_word(text[at - 1])) && (end == text.size() || !in_word(text[end]));
    if (!is_whole) continue;
    std::string put(to);
    if (is_capital(text[at]) && !put.empty() && is_small(put[0])) put[0] = static_cast<char>(put[0] - 32);
    out.append(text, done_to, at - done_to).append(put);
    done_to = end;
    if (!all) break;
  }
  if (done_to == 0) return std::nullopt;
  return out.append(text, done_to);
}

std::vector<std::string> lower_words(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  for (const char c : ascii_lower(text) + " ") {
    if (in_word(c)) {
      word += c;
    } else if (!word.empty()) {
      out.push_back(std::move(word));
      word.clear();
    }
  }
  return out;
}

}  // namespace fiducial
