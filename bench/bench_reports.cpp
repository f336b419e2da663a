// bench_reports make FOLDER [REPORTS] writes reports.csv, and truth.csv with the labels that were planted
// bench_reports labels|read FOLDER    answers repetitions: labelling every report, or only reading every byte
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "fiducial/base/random.h"
#include "fiducial/findings/report_labels.h"
#include "fiducial/table/csv.h"

#include "repetitions.h"

namespace fiducial::bench {

namespace {

constexpr std::uint64_t usual_reports = 20'000;
constexpr std::size_t sentences_per_report = 22;

// A sentence, and the label it raises; -1: none.
struct Planted {
  std::string_view text;
  int label;
};

constexpr std::array<Planted, 20> sentences{{
    {"Trachea and both main bronchi are open and no occlusive pathology was detected in the lumen. ", -1},
    {"Mediastinal main vascular structures, heart contour and size are within normal limits. ", -1},
    {"No enlarged lymph nodes in pathological dimensions were detected in the mediastinum and both axillae. ",
     -1},
    {"Pericardial effusion or thickening was not observed in this examination. ", -1},
    {"Aeration of both lungs is normal and no nodular or infiltrative lesion is seen in the parenchyma. ",
     -1},
    {"The liver, spleen, pancreas and both kidneys are of normal size within the limits of the sections. ",
     -1},
    {"No lytic or destructive lesion was detected in the bone structures of the study area. ", -1},
    {"When examined together with the previous study, no significant difference was found. ", -1},
    {"No nodule is seen in the middle lobe of the right lung. ", -1},
    {"Pleural effusion was not detected on the left. ", -1},
    {"No bronchiectasis was observed in the lower lobe of the left lung. ", -1},
    {"No hiatal hernia is seen at the lower end of the esophagus. ", -1},
    {"Calcific plaques are observed in the coronary arteries. ", 4},
    {"There is a sliding type hiatal hernia at the lower end of the esophagus. ", 5},
    {"Paraseptal emphysematous changes are seen in the upper lobes of both lungs. ", 7},
    {"A nonspecific nodule of 4 mm is present in the middle lobe of the right lung. ", 9},
    {"Patchy ground-glass areas are observed in the lower lobes of both lungs. ", 10},
    {"A pleural effusion of 12 mm is observed on the left. ", 12},
    {"Mosaic attenuation pattern is observed in both lungs. ", 13},
    {"There is tubular bronchiectasis in the lower lobe of the left lung. ", 16},
}};
constexpr std::int64_t silent_sentences = 12;

Outcome make(const Path& folder, std::uint64_t reports) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  Random random(20);
  std::string table = "VolumeName,Findings_EN\n";
  std::string truth;
  for (std::uint64_t i = 0; i < reports; ++i) {
    std::string text;
    std::string labels(ct_rate_label_rules().names().size(), '0');
    for (std::size_t j = 0; j < sentences_per_report; ++j) {
      const bool silent = random.between(0, 9) < 8;
      const auto at = silent
                          ? random.between(0, silent_sentences - 1)
                          : random.between(silent_sentences, static_cast<std::int64_t>(sentences.size()) - 1);
      const Planted& planted = sentences[static_cast<std::size_t>(at)];
      text += planted.text;
      if (planted.label >= 0) labels[static_cast<std::size_t>(planted.label)] = '1';
    }
    table += csv_row(std::vector<std::string>{"valid_" + decimal(i + 1) + "_a_1.nii.gz", text});
    truth += labels + "\n";
  }
  FIDUCIAL_TRY_DONE(write_file(folder / "truth.csv", truth));
  return write_file(folder / "reports.csv", table);
}

std::vector<std::string> texts_of(const CsvTable& table) {
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < table.rows(); ++row) texts.emplace_back(table.cell(row, 1));
  return texts;
}

std::optional<Took> label_all(const std::vector<std::string>& texts) {
  ReportLabeller labeller;
  return timed([&] {
    for (const std::string& text : texts) keep(labeller.labels(text));
  });
}

// The limit: every byte is looked at once.
std::optional<Took> read_all(const std::vector<std::string>& texts) {
  return timed([&] {
    std::uint64_t sum = 0;
    for (const std::string& text : texts) {
      for (const char c : text) sum += static_cast<unsigned char>(c);
      keep(sum);
    }
  });
}

int answer(const std::string& mode, const Path& folder) {
  const Result<CsvTable> table = read_csv(folder / "reports.csv");
  if (!table.ok()) {
    std::fputs((table.error().text() + "\n").c_str(), stderr);
    return 1;
  }
  const std::vector<std::string> texts = texts_of(*table);
  return answer_repetitions([&] { return mode == "labels" ? label_all(texts) : read_all(texts); });
}

}  // namespace

}  // namespace fiducial::bench

int main(int argc, char** argv) {
  using namespace fiducial::bench;
  if (argc < 3 || argc > 4) return 2;
  const std::string mode = argv[1];
  if (mode == "make") {
    const auto reports = argc == 4 ? fiducial::parse_unsigned(argv[3]) : usual_reports;
    return reports && make(argv[2], *reports).ok() ? 0 : 1;
  }
  return answer(mode, argv[2]);
}
