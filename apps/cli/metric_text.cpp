#include "metric_text.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/utf8.h"
#include "fiducial/base/version.h"
#include "fiducial/metrics/text_metric.h"
#include "fiducial/terminal/text_table.h"
#include "fiducial/text/wordnet.h"

namespace fiducial::cli {

namespace {

struct TextMetricOptions {
  std::string reference;
  std::string prediction;
  bool stem = false;
  std::string bleu = "13a_smooth";
  std::string wordnet;
  bool json = false;
};

// One text a line; a backslash and an n inside a line stand for a line break.
std::string with_line_breaks(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool line_break = line[i] == '\\' && i + 1 < line.size() && line[i + 1] == 'n';
    out.push_back(line_break ? '\n' : line[i]);
    if (line_break) ++i;
  }
  return out;
}

Result<std::vector<std::string>> read_texts(const std::string& path) {
  FIDUCIAL_TRY(const std::string content, read_text_file(path));
  std::vector<std::string> out;
  std::string_view rest = content;
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (rest.starts_with(byte_order_mark)) rest.remove_prefix(byte_order_mark.size());
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (const auto bad = first_invalid_utf8(line)) {
      return Error(ErrorCode::invalid_data, "byte " + decimal(*bad) + " of the line is not UTF-8",
                   Place{.path = path, .line = out.size() + 1});
    }
    out.push_back(with_line_breaks(line));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  if (out.empty()) {
    return Error(ErrorCode::invalid_data, "the file is empty; expected one text a line", Place{.path = path});
  }
  return out;
}

Result<TextPairs> read_pairs(const TextMetricOptions& options) {
  FIDUCIAL_TRY(std::vector<std::string> references, read_texts(options.reference));
  FIDUCIAL_TRY(std::vector<std::string> predictions, read_texts(options.prediction));
  if (references.size() != predictions.size()) {
    return invalid_data(options.reference + " has " + decimal(references.size()) + " lines, " +
                        options.prediction + " has " + decimal(predictions.size()) +
                        "; expected one prediction for every reference");
  }
  return TextPairs(std::move(references), std::move(predictions));
}

bool is_wanted(const TextMetric& metric, const TextMetricOptions& options) {
  const std::string& id = metric.contract.id;
  if (metric.contract.group == "rouge") return id.ends_with(options.stem ? "_stem" : "_nostem");
  if (metric.contract.group != "bleu") return true;
  const std::string_view variant = std::string_view(id).substr(id.find('_') + 1);
  return variant == options.bleu || variant == options.bleu + "_mean";
}

using NamedScore = std::pair<const TextMetric*, Score>;

Json scores_json(const TextMetricOptions& options, std::size_t pairs, const std::vector<NamedScore>& scores) {
  Json out = Json::object({{"schema", "fiducial.metric_text/1"},
                           {"version", tool_version},
                           {"reference", options.reference},
                           {"prediction", options.prediction},
                           {"pairs", pairs}});
  for (const auto& [metric, score] : scores) {
    Json entry = Json::object({{"value", score.defined() ? Json(score.value()) : Json()},
                               {"metric", metric->contract.id},
                               {"unit", metric->contract.unit},
                               {"version", metric->contract.version}});
    if (!score.defined()) entry.set("undefined", score.reason());
    out.set(metric->slot, entry);
  }
  return out;
}

std::string scores_text(std::size_t pairs, const std::vector<NamedScore>& scores, std::size_t width) {
  using Align = TextTable::Align;
  TextTable table({Align::left, Align::left, Align::left});
  table.add_header({"score", "metric", "value"});
  for (const auto& [metric, score] : scores) {
    table.add({metric->slot, metric->contract.id,
               score.defined() ? fixed(score.value(), 6) : "undefined: " + score.reason()});
  }
  return decimal(pairs) + (pairs == 1 ? " text\n" : " texts\n") + table.text("", width);
}

Result<int> metric_text(const TextMetricOptions& options, Console& console) {
  FIDUCIAL_TRY(TextPairs pairs, read_pairs(options));
  std::optional<WordNet> wordnet;
  if (!options.wordnet.empty()) {
    FIDUCIAL_TRY(wordnet, WordNet::open(options.wordnet));
    pairs.use_synonyms(&*wordnet);
  }
  std::vector<NamedScore> scores;
  for (const TextMetric& metric : all_text_metrics()) {
    if (is_wanted(metric, options)) scores.emplace_back(&metric, metric.score(pairs));
  }
  if (options.json) {
    console.print(scores_json(options, pairs.size(), scores).pretty());
  } else {
    console.show(scores_text(pairs.size(), scores, console.width()));
  }
  return 0;
}

}  // namespace

CommandBody define_metric_text(Verb subcommand) {
  auto options = std::make_shared<TextMetricOptions>();
  subcommand
      .add_option("--reference", options->reference,
                  "One text a line; a literal \\n inside a line separates sentences")
      ->required();
  subcommand.add_option("--prediction", options->prediction, "The same for what was predicted")->required();
  subcommand.add_flag("--stem", options->stem, "Stem words for ROUGE");
  subcommand.add_option("--bleu", options->bleu, "Variant of BLEU")
      ->one_of({"13a_smooth", "coco", "nltk", "sacre"})
      ->capture_default_str();
  subcommand.add_option(
      "--wordnet", options->wordnet,
      "Folder of a WordNet 3 database (index.noun, ...), for METEOR with synonyms; auto: Debian's");
  subcommand.add_flag("--json", options->json, "Print as JSON");
  return [options](Console& console) { return metric_text(*options, console); };
}

}  // namespace fiducial::cli
