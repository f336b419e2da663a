#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/board/answer_board.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

constexpr std::string_view efforts[] = {"xhigh", "high", "medium", "low", "minimal"};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return out;
}

// Whether a word stands between '-', '_' or the ends.
bool has_delimited(std::string_view text, std::string_view word) {
  const auto delimits = [&](std::size_t at) {
    return at >= text.size() || text[at] == '-' || text[at] == '_';
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    if ((at == 0 || delimits(at - 1)) && delimits(at + word.size())) return true;
  }
  return false;
}

// The effort that is found first of those that stand before or after the word.
std::string effort_at(std::string_view text, std::string_view before, std::string_view after) {
  std::size_t first = std::string_view::npos;
  std::string out;
  for (const std::string_view effort : efforts) {
    const std::string word = std::string(before) + std::string(effort) + std::string(after);
    const std::size_t at = text.find(word);
    if (at >= first) continue;
    first = at;
    out = effort;
  }
  return out;
}

// Every "-ratio<digits>" goes.
void erase_ratios(std::string& name) {
  constexpr std::string_view word = "-ratio";
  for (std::size_t at = 0; at < name.size();) {
    std::size_t end = at + word.size();
    const bool fits = lower(std::string_view(name).substr(at, word.size())) == word;
    while (fits && end < name.size() && is_digit(name[end])) ++end;
    if (fits && end > at + word.size()) {
      name.erase(at, end - at);
    } else {
      ++at;
    }
  }
}

// Every one of the words that is followed by '-' or the end goes.
void erase_words(std::string& name, const std::vector<std::string>& words) {
  for (std::size_t at = 0; at < name.size();) {
    const auto found = std::find_if(words.begin(), words.end(), [&](const std::string& word) {
      const std::size_t end = at + word.size();
      return lower(std::string_view(name).substr(at, word.size())) == word &&
             (end == name.size() || name[end] == '-');
    });
    if (found == words.end()) {
      ++at;
    } else {
      name.erase(at, found->size());
    }
  }
}

std::vector<std::string> with_efforts(const std::string& before, const std::string& after) {
  std::vector<std::string> out;
  for (const std::string_view effort : efforts) out.push_back(before + std::string(effort) + after);
  return out;
}

std::string model_name(std::string_view run_id) {
  std::string name(run_id);
  for (const std::string_view prefix : {"api-", "vllm-"}) {
    if (lower(std::string_view(name).substr(0, prefix.size())) != prefix) continue;
    name.erase(0, prefix.size());
    break;
  }
  erase_ratios(name);
  if (lower(name).ends_with("-acc")) name.resize(name.size() - 4);
  erase_words(name, {"-qmode"});
  erase_words(name, with_efforts("-effort-", ""));
  erase_words(name, with_efforts("-", "thinking"));
  erase_words(name, {"-nonthinking", "-nothinking", "-thinking"});
  name.erase(std::unique(name.begin(), name.end(), [](char a, char b) { return a == '-' && b == '-'; }),
             name.end());
  return std::string(trimmed(name, "-_ "));
}

// A double as Python writes it: always with a point, unless it is very small or very large.
std::string python_number(double value) {
  const double size = std::abs(value);
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  if (size != 0 && (size < 1e-4 || size >= 1e16)) return shortest(value);
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
  const std::string text(buffer.data(), end.ptr);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

}  // namespace

bool is_full_run(std::string_view run_id) {
  const std::string id = lower(run_id);
  if (id.find("ratio100") != std::string::npos) return true;
  for (std::size_t at = id.find("ratio"); at != std::string::npos; at = id.find("ratio", at + 1)) {
    if (at + 5 < id.size() && is_digit(id[at + 5])) return false;
  }
  return true;
}

std::string image_share(const RunLabel& run) {
  constexpr std::string_view word = "ratio";
  const std::string_view bucket = run.ratio_bucket;
  return bucket.starts_with(word) ? std::string(bucket.substr(word.size())) + " %" : "100 %";
}

RunLabel run_label(std::string_view run_id) {
  const std::string id = lower(run_id);
  const auto has = [&id](std::string_view word) { return id.find(word) != std::string::npos; };
  const std::string thinking_effort = effort_at(id, "", "thinking");
  RunLabel out{.model = model_name(run_id), .mode = "Unspecified"};
  const bool says_not = has("nonthinking") || has("nothinking");
  if (!says_not && (has_delimited(id, "thinking") || !thinking_effort.empty())) {
    out.mode = "Thinking";
  } else if (says_not || has_delimited(id, "instruct")) {
    out.mode = "Non-thinking";
  }
  out.effort = thinking_effort.empty() ? effort_at(id, "effort-", "") : thinking_effort;
  if (out.effort.empty()) out.effort = out.mode == "Thinking" ? "standard" : "N/A";
  out.ratio_bucket = has("ratio100") ? "ratio100" : "no-ratio";
  return out;
}

Result<GeneratedEntries> generated_entries(const CsvTable& table, bool official) {
  FIDUCIAL_TRY(const std::size_t model, table.column("model"));
  FIDUCIAL_TRY(const std::size_t accuracy, table.column("newacc"));
  GeneratedEntries out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string_view id = white_space_trimmed(table.cell(row, model));
    const auto value = parse_double(white_space_trimmed(table.cell(row, accuracy)));
    if (id.empty() || !value) {
      ++out.skipped;
      continue;
    }
    const bool is_share = *value >= 0 && *value <= 1;
    // What is no number has no place among the others.
    if (std::isnan(*value) || (!official && !is_share)) {
      return table.cell_error(row, accuracy,
                              "expected " + std::string(official ? "a number" : "an accuracy from 0 to 1") +
                                  ", found \"" + std::string(table.cell(row, accuracy)) + "\"");
    }
    if (is_full_run(id)) {
      out.entries.push_back({run_label(id), *value});
    } else {
      ++out.partial;
    }
  }
  std::stable_sort(out.entries.begin(), out.entries.end(),
                   [](const GeneratedEntry& a, const GeneratedEntry& b) {
                     if (a.accuracy != b.accuracy) return a.accuracy > b.accuracy;
                     return lower_cased(a.run.model) < lower_cased(b.run.model);
                   });
  return out;
}

std::vector<GeneratedEntry> generated_entries(const AnswerBoard& board) {
  std::vector<GeneratedEntry> out;
  for (const AnswerEntry& entry : board.entries) {
    out.push_back({entry.run, static_cast<double>(entry.correct) / static_cast<double>(board.cases)});
  }
  return out;
}

std::string benchmark_json(const std::vector<GeneratedEntry>& entries, const std::string& source_csv,
                           const std::string& generated_at) {
  const auto quoted = [](const std::string& text) { return Json(text).compact(); };
  std::string out =
      "{\n  \"name\": \"MedThinkVQA Benchmark Leaderboard\",\n  \"source_csv\": " + quoted(source_csv) +
      ",\n  \"generated_at\": " + quoted(generated_at) + ",\n  \"entries\": [";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const RunLabel& run = entries[i].run;
    out += std::string(i == 0 ? "\n" : ",\n") + "    {\n      \"model\": " + quoted(run.model) +
           ",\n      \"acc\": " + python_number(entries[i].accuracy) +
           ",\n      \"mode\": " + quoted(run.mode) + ",\n      \"effort\": " + quoted(run.effort) +
           ",\n      \"ratio_bucket\": " + quoted(run.ratio_bucket) + "\n    }";
  }
  return out + (entries.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace fiducial
