#include "fiducial/datasets/medthinkvqa/text_audit.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/identifier_lint.h"
#include "fiducial/datasets/medthinkvqa/lint_row.h"

namespace fiducial::medthinkvqa {

namespace {

std::string span_text(std::size_t begin, std::size_t end) {
  return "characters " + decimal(begin) + " to " + decimal(end);
}

std::string manner(const LabelMention& mention) {
  if (mention.is_negated) return ", negated by \"" + mention.cue + "\"";
  return mention.is_uncertain ? ", in doubt by \"" + mention.cue + "\"" : "";
}

Json mention_json(const RowMentions& row, const LabelMention& mention) {
  return Json::object({{"file", row.file},
                       {"line", row.line},
                       {"title", row.title},
                       {"option", row.letters[mention.label]},
                       {"is_key", row.letters[mention.label] == row.key},
                       {"level", to_string(mention.level)},
                       {"begin", std::uint64_t{mention.begin}},
                       {"end", std::uint64_t{mention.end}},
                       {"text", mention.text},
                       {"negated", mention.is_negated},
                       {"uncertain", mention.is_uncertain},
                       {"cue", mention.cue}});
}

void add_hints(const std::string& file, const RawRow& row, std::string_view field, std::string_view text,
               LintProblems& out) {
  add_identifier_hints(text, lint_rules::text_identifier, row_place(file, row, field), out);
}

}  // namespace

RowMentions history_mentions(const std::string& file, const RawRow& row, const LabelSynonyms& synonyms) {
  RowMentions out{.file = file,
                  .line = row.line,
                  .title = std::string(row.title.value_or("")),
                  .key = std::string(row.key.value_or(""))};
  std::vector<std::string> labels;
  for (const auto& [letter, text] : row.options.value_or(RawRow::Options{})) {
    out.letters.emplace_back(letter);
    labels.emplace_back(text);
  }
  out.mentions = label_mentions(row.history.value_or(""), labels, synonyms);
  return out;
}

LintProblems identifier_problems(const std::string& file, const RawRow& row) {
  LintProblems out;
  add_hints(file, row, "CLINICAL_HISTORY", row.history.value_or(""), out);
  add_hints(file, row, "IMAGING_FINDINGS", row.findings.value_or(""), out);
  add_hints(file, row, "discussion", row.discussion.value_or(""), out);
  for (const RawSlot& slot : row.slots) {
    add_hints(file, row, slot_field(slot.number, "caption"), slot.caption, out);
  }
  return out;
}

void LeakageAudit::add(RowMentions row, LintProblems& problems) {
  ++histories_;
  int most_open = 0;
  bool names_key = false;
  for (const LabelMention& mention : row.mentions) {
    const bool is_key = row.letters[mention.label] == row.key;
    if (!mention.is_negated) {
      most_open = std::max(most_open, static_cast<int>(mention.level));
      names_key = names_key || is_key;
    }
    const bool is_leak = is_key && !mention.is_negated && mention.level > LeakLevel::l1;
    problems.add(is_leak ? lint_rules::history_names_key : lint_rules::history_names_option,
                 {row.file, row_word(row.file) + decimal(row.line) + ", /CLINICAL_HISTORY"},
                 "expected no diagnosis, found option " + row.letters[mention.label] +
                     (is_key ? ", the key, by \"" : " by \"") + mention.text + "\" (" +
                     std::string(to_string(mention.level)) + ", " + span_text(mention.begin, mention.end) +
                     manner(mention) + ")");
  }
  if (most_open > 0) {
    ++with_leak_;
    ++levels_[static_cast<std::size_t>(most_open - 1)];
    if (names_key) ++with_key_;
  }
  if (!row.mentions.empty()) rows_.push_back(std::move(row));
}

Json LeakageAudit::json() const {
  Json mentions{Json::Array{}};
  for (const RowMentions& row : rows_) {
    for (const LabelMention& mention : row.mentions) mentions.push(mention_json(row, mention));
  }
  return Json::object({{"histories", histories_},
                       {"with_option", with_leak_},
                       {"with_key", with_key_},
                       {"levels", Json::object({{"L1", levels_[0]}, {"L2", levels_[1]}, {"L3", levels_[2]}})},
                       {"mentions", std::move(mentions)}});
}

std::string LeakageAudit::text() const {
  return "histories that name an option: " + decimal(with_leak_) + " of " + decimal(histories_) + " (L3 " +
         decimal(levels_[2]) + ", L2 " + decimal(levels_[1]) + ", L1 " + decimal(levels_[0]) +
         "), the key: " + decimal(with_key_) + "\n";
}

}  // namespace fiducial::medthinkvqa
