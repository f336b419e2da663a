#include "fiducial/datasets/medthinkvqa/card.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/case_statistics.h"
#include "fiducial/datasets/counted.h"
#include "fiducial/datasets/medthinkvqa/dataset.h"
#include "fiducial/datasets/option_bias.h"

namespace fiducial::medthinkvqa {

namespace {

double share_of(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string split_sizes_of(const CaseStatistics& statistics) {
  return joined(statistics.splits, "; ", [](const DiagnosisStatistics& split) {
    return split.name + ": " + counted(split.cases, "case") + ", " + counted(split.images, "image");
  });
}

// Images by the ending of their names.
std::map<std::string, std::int64_t> image_endings(const std::vector<DiagnosisCase>& cases) {
  std::map<std::string, std::int64_t> out;
  for (const DiagnosisCase& entry : cases) {
    for (const CaseImage& image : entry.images) ++out[Path(image.path).extension().string()];
  }
  return out;
}

void fill_biases(const std::string& split, const OptionBias& bias, CardFacts& facts) {
  const auto likeliest = std::max_element(bias.letters.begin(), bias.letters.end());
  const double by_letter = share_of(*likeliest, bias.cases);
  const double by_length = share_of(bias.key_is_longest, bias.cases);
  const char letter = DiagnosisCase::letters[static_cast<std::size_t>(likeliest - bias.letters.begin())];
  facts.baselines.push_back("Without images on " + split + " (" + counted(bias.cases, "case") +
                            "): always answering " + std::string(1, letter) + " is right in " +
                            fixed(by_letter, 4) + ", the longest option in " + fixed(by_length, 4) +
                            " of cases; chance is 0.2000.");
  constexpr double significant = 0.01;
  if (by_length > 0.2 && bias.longest_p() < significant) {
    const std::string text = "the key is the longest option in " + fixed(by_length, 4) + " of " + split;
    facts.limitations.push_back(text + ".");
    facts.risks["blind_answers"] = text;
  }
}

struct QuestionTexts {
  LanguageGuess language;
  std::map<std::string, std::int64_t> endings;
  std::int64_t with_caption = 0;
  std::int64_t with_discussion = 0;
};

Outcome read_splits(const DiagnosisDataset& dataset, QuestionTexts& texts, CardFacts& facts) {
  for (const std::string& name : dataset.split_names()) {
    FIDUCIAL_TRY(const DiagnosisSplit split, dataset.read_split(name));
    OptionBias bias;
    for (const DiagnosisCase& entry : split.cases) {
      bias.add(entry);
      texts.language.add(entry.history);
      texts.with_discussion += entry.discussion.empty() ? 0 : 1;
      for (const CaseImage& image : entry.images) texts.with_caption += image.caption.empty() ? 0 : 1;
    }
    for (const auto& [ending, count] : image_endings(split.cases)) texts.endings[ending] += count;
    if (bias.cases > 0) fill_biases(name, bias, facts);
  }
  return done();
}

std::string format_of(const CaseStatistics& statistics, const QuestionTexts& texts) {
  std::string out;
  for (const auto& [file, digest] : statistics.files) append_joined(out, file, "; ");
  for (const auto& [ending, count] : texts.endings) {
    out += "; " + counted(count, "image") + " named *" + ending;
  }
  return out;
}

}  // namespace

Result<CardFacts> card_facts(const Path& folder) {
  FIDUCIAL_TRY(const Dataset dataset, Dataset::open(folder));
  FIDUCIAL_TRY(const CaseStatistics statistics, case_statistics("medthinkvqa", dataset));
  CardFacts facts;
  QuestionTexts texts;
  FIDUCIAL_TRY_DONE(read_splits(dataset, texts, facts));
  const DiagnosisStatistics& all = statistics.all;
  const std::string file = "computed from " + statistics.files.front().first;
  const std::string layout = "layout: medthinkvqa";
  facts.set("benchmark_details.name", "MedThinkVQA", layout);
  facts.set("benchmark_details.overview",
            "Teaching cases of a history, several images and five diagnoses of which one is right: " +
                counted(all.cases, "case") + " with " + counted(all.images, "image") + ", " +
                (all.told() == 0 ? "not known how many" : grouped_count(all.longitudinal)) +
                " of them followed over time.",
            file);
  facts.set("benchmark_details.data_type", "Clinical histories and radiology images with a question", layout);
  facts.set("benchmark_details.domains", Json::array({"Healthcare", "Radiology"}), layout);
  texts.language.fill(facts, statistics.files.front().first);
  facts.set("purpose_and_intended_users.goal",
            "Measure how well a model reasons from several images and a history to a diagnosis.", layout);
  facts.set("purpose_and_intended_users.tasks",
            Json::array({"Diagnosis, one of five options", "Findings of each image",
                         "Summary of all findings", "Discussion"}),
            layout);
  facts.set("data.size", split_sizes_of(statistics), file);
  facts.set("data.format", format_of(statistics, texts), "computed from the files of the folder");
  facts.set("data.annotation",
            "One key of five options a case; " + counted(texts.with_caption, "image") + " with a caption, " +
                counted(texts.with_discussion, "case") + " with a discussion",
            file);
  if (all.equal_options > 0)
    facts.limitations.push_back(counted(all.equal_options, "case") + " with two options of one text.");
  facts.metrics = {"answer_accuracy", "answer_accuracy_strict",   "rouge_l_stem_step1", "rouge_l_stem_step2",
                   "step_factuality", "critical_step_factuality", "education_value"};
  facts.risks["health_data"] = "histories and images of patients";
  return facts;
}

}  // namespace fiducial::medthinkvqa
