#include "fiducial/datasets/card_facts.h"

#include <algorithm>
#include <array>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/counted.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/radgenome/tables.h"

namespace fiducial {

namespace {

// Sizes of splits as a card lists them.
class SplitSizes {
 public:
  void add(const std::string& split, const std::string& sizes) {
    append_joined(text_, split + ": " + sizes, "; ");
  }
  void fill(CardFacts& facts, const std::string& file) const {
    facts.set("data.size", text_, "computed from " + file);
  }

 private:
  std::string text_;
};

void add_grounded(const GroundedDataset& dataset, CardFacts& facts) {
  SplitSizes sizes;
  LanguageGuess language;
  for (const std::string& name : dataset.split_names()) {
    const std::vector<GroundedCase>& cases = *dataset.find_split(name);
    std::int64_t findings = 0;
    for (const GroundedCase& entry : cases) {
      facts.volumes.push_back(entry.name);
      findings += static_cast<std::int64_t>(entry.findings.size());
      for (const Finding& finding : entry.findings) language.add(finding.text);
    }
    sizes.add(name, counted(static_cast<std::int64_t>(cases.size()), "scan") +
                        (findings == 0 ? "" : ", " + counted(findings, "finding")));
  }
  sizes.fill(facts, dataset.file_name());
  language.fill(facts, dataset.file_name());
}

Outcome add_questions(const DiagnosisDataset& dataset, CardFacts& facts) {
  SplitSizes sizes;
  LanguageGuess language;
  std::string files;
  for (const std::string& name : dataset.split_names()) {
    FIDUCIAL_TRY(const DiagnosisSplit split, dataset.read_split(name));
    std::int64_t images = 0;
    for (const DiagnosisCase& entry : split.cases) {
      language.add(entry.history);
      images += static_cast<std::int64_t>(entry.images.size());
    }
    sizes.add(name, counted(static_cast<std::int64_t>(split.cases.size()), "case") + ", " +
                        counted(images, "image"));
    append_joined(files, split.file, "; ");
  }
  sizes.fill(facts, files);
  language.fill(facts, files);
  facts.set("data.format", files, "computed from the files of the folder");
  return done();
}

void add_tables(const radgenome::TableFolder& folder, CardFacts& facts) {
  std::string files =
      joined(folder.files(), "; ", [](const radgenome::TableFile& file) { return file.file; });
  facts.set("data.format", files, "computed from the files of the folder");
}

Result<CardFacts> default_facts(const DatasetAdapter& adapter, const Path& folder) {
  CardFacts out;
  out.set("benchmark_details.name", adapter.title.substr(0, adapter.title.find(':')),
          "layout: " + adapter.id);
  Json tasks = Json::Array{};
  for (const std::string& task : adapter.tasks) tasks.push(task);
  out.set("purpose_and_intended_users.tasks", std::move(tasks), "layout: " + adapter.id);
  if (adapter.open_grounded != nullptr) {
    FIDUCIAL_TRY(const std::unique_ptr<GroundedDataset> dataset, adapter.open_grounded(folder));
    add_grounded(*dataset, out);
  }
  if (adapter.open_questions != nullptr) {
    FIDUCIAL_TRY(const std::unique_ptr<DiagnosisDataset> dataset, adapter.open_questions(folder));
    FIDUCIAL_TRY_DONE(add_questions(*dataset, out));
  }
  if (adapter.open_tables != nullptr) {
    FIDUCIAL_TRY(const radgenome::TableFolder tables, adapter.open_tables(folder));
    add_tables(tables, out);
  }
  return out;
}

}  // namespace

void CardFacts::set(std::string_view field, Json value, std::string origin) {
  fields.push_back({std::string(field), std::move(value), std::move(origin)});
}

void CardFacts::alert(std::string_view field, std::string text) {
  alerts.push_back({std::string(field), std::move(text)});
}

void LanguageGuess::add(std::string_view text) {
  constexpr std::array<std::string_view, 9> words{"the", "of", "in", "and", "with", "is", "are", "at", "on"};
  if (text.find_first_not_of(' ') == std::string_view::npos) return;
  ++texts_;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    std::string word;
    while (end < text.size() && is_letter(text[end])) word += static_cast<char>(text[end++] | 0x20);
    if (std::find(words.begin(), words.end(), word) != words.end()) {
      ++english_;
      return;
    }
    begin = end + 1;
  }
}

void LanguageGuess::fill(CardFacts& facts, const std::string& file) const {
  const double share = texts_ == 0 ? 0 : static_cast<double>(english_) / static_cast<double>(texts_);
  if (share < 0.5) return;
  facts.set("benchmark_details.languages", Json::array({"English"}),
            "computed from " + file + ": " + percent_text(share) + " of " + counted(texts_, "text") +
                " hold English function words");
}

Result<CardFacts> card_facts(const DatasetAdapter& adapter, const Path& folder) {
  return adapter.card != nullptr ? adapter.card(folder) : default_facts(adapter, folder);
}

}  // namespace fiducial
