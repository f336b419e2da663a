#include "fiducial/synth/demo_question.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/number_text.h"
#include "fiducial/image/picture_writer.h"
#include "fiducial/synth/finding_text.h"

namespace fiducial {

namespace {

constexpr int jpeg_quality = 90;

struct Diagnosis {
  std::string_view name;
  std::string_view block;
  std::string_view category;
  std::string_view clue;  // why a reader thinks of it
};

// What a finding is called in the end. Blocks and categories are made up.
constexpr Diagnosis diagnoses[] = {
    {"Chronic bronchitis", "J40-J47 - Airways (demo)", "J42 - Bronchial disease (demo)",
     "thick walls of the airways"},
    {"Panlobular emphysema", "J40-J47 - Airways (demo)", "J43 - Loss of walls (demo)",
     "low density without walls"},
    {"Plate atelectasis", "J95-J99 - Other (demo)", "J98 - Collapse (demo)", "a thin band without volume"},
    {"Lobar pneumonia", "J09-J18 - Infection (demo)", "J18 - Lobar process (demo)",
     "dense lung with open airways"},
    {"Pneumocystis infection", "J09-J18 - Infection (demo)", "J17 - Hazy process (demo)",
     "haze that hides no vessel"},
    {"Metastatic melanoma", "C30-C39 - Tumours (demo)", "C34 - Nodular disease (demo)",
     "round opacities of soft tissue"},
    {"Cardiac decompensation", "I30-I52 - Heart (demo)", "I50 - Failure (demo)",
     "fluid in the pleural space"},
    {"Granulomatosis with polyangiitis", "M30-M36 - Systemic (demo)", "M31 - Vessels (demo)",
     "cavities that wander"},
    {"Silicosis", "J60-J70 - Agents (demo)", "J62 - Dust (demo)", "small dense nodules above"},
    {"Amiodarone toxicity", "J60-J70 - Agents (demo)", "J70 - Drugs (demo)", "density of iodine"},
};
constexpr std::size_t kinds = 7;  // the first ones are of the kinds of findings, in their order

constexpr std::string_view complaints[] = {"a cough for three weeks", "shortness of breath on stairs",
                                           "loss of weight",          "fatigue and night sweats",
                                           "chest discomfort",        "an incidental shadow",
                                           "fever of unknown origin"};

template <std::size_t count>
std::string chosen(Random& random, const std::string_view (&texts)[count]) {
  return std::string(texts[random.below(count)]);
}

std::uint8_t windowed(double value, double low, double high) {
  return static_cast<std::uint8_t>(
      std::floor(std::clamp((value - low) / (high - low), 0.0, 1.0) * 255 + 0.5));
}

Picture make_picture(std::int64_t width, std::int64_t height) {
  return {.width = width,
          .height = height,
          .channels = 1,
          .values = std::vector<std::uint8_t>(static_cast<std::size_t>(width * height))};
}

struct Window {
  double low;
  double high;
};
constexpr Window lung{-1350, 150};
constexpr Window mediastinum{-160, 240};

Picture axial(const ChestVolume& chest, std::int64_t z, const Window& window) {
  const Extent& extent = chest.frame.extent;
  Picture out = make_picture(extent.x, extent.y);
  for (std::int64_t y = 0; y < extent.y; ++y) {
    for (std::int64_t x = 0; x < extent.x; ++x) {
      const double hu = chest.hu[chest.frame.index({x, y, z})];
      out.values[static_cast<std::size_t>(y * extent.x + x)] = windowed(hu, window.low, window.high);
    }
  }
  return out;
}

// Rows of a picture seen from the front, head up, as high as the patient is.
std::int64_t frontal_rows(const ChestFrame& frame) {
  return static_cast<std::int64_t>(
      std::floor(static_cast<double>(frame.extent.z) * frame.spacing_mm[2] / frame.spacing_mm[0]));
}

std::int64_t slice_of_row(const ChestFrame& frame, std::int64_t row, std::int64_t rows) {
  return frame.extent.z - 1 - row * frame.extent.z / rows;
}

Picture coronal(const ChestVolume& chest, std::int64_t y) {
  const ChestFrame& frame = chest.frame;
  const std::int64_t rows = frontal_rows(frame);
  Picture out = make_picture(frame.extent.x, rows);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t x = 0; x < frame.extent.x; ++x) {
      const double hu = chest.hu[frame.index({x, y, slice_of_row(frame, row, rows)})];
      out.values[static_cast<std::size_t>(row * frame.extent.x + x)] = windowed(hu, lung.low, lung.high);
    }
  }
  return out;
}

// An X-ray-like picture: what is summed from front to back, bright where much is absorbed.
Picture radiograph(const ChestVolume& chest) {
  const ChestFrame& frame = chest.frame;
  const std::int64_t rows = frontal_rows(frame);
  Picture out = make_picture(frame.extent.x, rows);
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t z = slice_of_row(frame, row, rows);
    for (std::int64_t x = 0; x < frame.extent.x; ++x) {
      double sum_mm = 0;  // of water
      for (std::int64_t y = 0; y < frame.extent.y; ++y) {
        const double hu = chest.hu[frame.index({x, y, z})];
        sum_mm += std::max(0.0, hu + 1000) / 1000 * frame.spacing_mm[1];
      }
      out.values[static_cast<std::size_t>(row * frame.extent.x + x)] =
          windowed(sum_mm / (sum_mm + 120), 0, 0.75);
    }
  }
  return out;
}

// The voxel that most of a finding lies around: the fullest slice of each axis.
Voxel fullest_slices(const ChestFrame& frame, const PaintedFinding& finding) {
  std::array<std::vector<std::int64_t>, 3> counts;
  for (std::size_t i = 0; i < 3; ++i)
    counts[i].resize(static_cast<std::size_t>(frame.extent[static_cast<int>(i)]));
  std::size_t index = 0;
  for (std::int64_t z = 0; z < frame.extent.z; ++z) {
    for (std::int64_t y = 0; y < frame.extent.y; ++y) {
      for (std::int64_t x = 0; x < frame.extent.x; ++x, ++index) {
        if (finding.entities[index] == 0) continue;
        ++counts[0][static_cast<std::size_t>(x)];
        ++counts[1][static_cast<std::size_t>(y)];
        ++counts[2][static_cast<std::size_t>(z)];
      }
    }
  }
  Voxel out{};
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = std::max_element(counts[i].begin(), counts[i].end()) - counts[i].begin();
  }
  return out;
}

struct View {
  std::string_view modality;
  std::string_view sub_modality;
  std::string caption;
  Picture picture;
};

std::vector<View> views_of(const DemoCase& demo, std::size_t finding, std::int64_t number) {
  const Voxel at = fullest_slices(demo.chest.frame, demo.findings[finding]);
  const std::string phrase = finding_text(demo.facts[finding]).phrase;
  const std::string_view technique =
      demo.contrast == Contrast::none ? "Non-contrast CT" : "Contrast-enhanced CT";
  std::vector<View> out;
  out.push_back({"CT", technique, "Axial CT in a lung window: " + phrase, axial(demo.chest, at[2], lung)});
  if (finding == 0) {
    out.push_back({"X-ray", "Plain radiograph",
                   "Frontal radiograph: shadows in " + lungs_text(demo.facts[finding]) + ".",
                   radiograph(demo.chest)});
  }
  if (number % 3 != 0) {
    out.push_back({"CT", technique, "Coronal reformation through the same place: " + phrase,
                   coronal(demo.chest, at[1])});
  }
  if (number % 4 == 1) {
    out.push_back({"CT", technique, "The mediastinum on an axial slice shows no enlarged node.",
                   axial(demo.chest, demo.chest.frame.extent.z * 3 / 5, mediastinum)});
  }
  return out;
}

// A part of a picture, as people cut them for teaching; another one for every picture.
Picture cut_out(const Picture& picture, Random& random) {
  const std::int64_t width = picture.width * random.between(60, 100) / 100;
  const std::int64_t height = picture.height * random.between(60, 100) / 100;
  const std::int64_t left = random.between(0, picture.width - width);
  const std::int64_t top = random.between(0, picture.height - height);
  Picture out = make_picture(width, height);
  for (std::int64_t y = 0; y < height; ++y) {
    const auto from = picture.values.begin() + (top + y) * picture.width + left;
    std::copy(from, from + width, out.values.begin() + y * width);
  }
  return out;
}

std::string picture_id(Random& random) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  for (int i = 0; i < 8; ++i) out += alphabet[random.below(alphabet.size())];
  return out;
}

std::string five_digits(std::int64_t number) {
  const std::string text = decimal(number);
  return std::string(text.size() < 5 ? 5 - text.size() : 0, '0') + text;
}

std::string history_text(const DemoCasePlan& plan, Random& random) {
  const std::string age = decimal(random.between(31, 84));
  std::string out = "A " + age + "-year-old " + (random.below(2) == 0 ? "woman" : "man") + " came with " +
                    chosen(random, complaints) + " and " + chosen(random, complaints) + ".";
  if (plan.scan != 'a') out += " An earlier examination three months before was available.";
  return out;
}

void add_options(DiagnosisCase& item, std::size_t right, Random& random) {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < std::size(diagnoses); ++i) {
    if (i != right) others.push_back(i);
  }
  const std::size_t key = random.below(5);
  for (std::size_t i = 0; i < 5; ++i) {
    std::size_t taken = right;
    if (i != key) {
      const std::size_t at = random.below(others.size());
      taken = others[at];
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(at));
    }
    item.options[i] = diagnoses[taken].name;
  }
  item.key = DiagnosisCase::letters[key];
}

std::string discussion_text(const DiagnosisCase& item, const Diagnosis& right) {
  std::string out = "Background: " + item.key_text() +
                    " is a diagnosis that images can suggest. Clinical Perspective: " +
                    "The complaints fit several of the candidates. Imaging Perspective: The sign is " +
                    std::string(right.clue) + ".";
  for (const std::string& option : item.options) {
    if (option != item.key_text()) out += " " + option + " would look different.";
  }
  return out +
         " Clinical Significance: The finding changes what is done next. Outcome: The course confirmed " +
         item.key_text() + ". Take-Home Message: Look for " + std::string(right.clue) + ".";
}

// The text with one word less and another one more.
std::string retold(const std::string& text, Random& random) {
  constexpr std::string_view added[] = {"probably", "mild", "again", "subtle"};
  std::string out;
  const std::size_t gap = text.find(' ', random.below(std::max<std::size_t>(text.size(), 1)));
  out =
      gap == std::string::npos ? text : text.substr(0, gap) + " " + chosen(random, added) + text.substr(gap);
  const std::size_t first = out.find(' ');
  return random.below(3) == 0 && first != std::string::npos ? out.substr(first + 1) : out;
}

DemoQuestion make_question(Random random, const DemoCasePlan& plan, const DemoCase& demo, std::size_t finding,
                           std::int64_t number) {
  const auto kind = static_cast<std::size_t>(demo.facts[finding].kind);
  FIDUCIAL_ASSERT(kind < kinds);
  DemoQuestion out;
  DiagnosisCase& item = out.item;
  item.number = number;
  item.title = "Case number " + decimal(number);
  item.history = history_text(plan, random);
  item.findings = demo.report.findings;
  add_options(item, kind, random);
  item.discussion = discussion_text(item, diagnoses[kind]);
  item.icd_chapter = "Chapter X - Breathing (demo)";
  item.icd_block = diagnoses[kind].block;
  item.icd_category = diagnoses[kind].category;
  item.is_longitudinal = plan.scan != 'a';
  item.timepoints = item.is_longitudinal ? 2 : 1;
  item.interval = item.is_longitudinal ? "3 months" : "";
  for (View& view : views_of(demo, finding, number)) {
    const std::string id = picture_id(random);
    item.images.push_back({.id = id,
                           .path = "images/case" + five_digits(number) + "/" + id + ".jpg",
                           .caption = std::move(view.caption),
                           .modality = std::string(view.modality),
                           .sub_modality = std::string(view.sub_modality)});
    // Some published files are PNG under the name of a JPEG.
    const bool is_png = plan.split == "train" && number % 20 == 3 && out.pictures.empty();
    const Picture shown = cut_out(view.picture, random);
    out.pictures.push_back(is_png ? png_picture_file(shown) : jpeg_file(shown, jpeg_quality));
  }
  return out;
}

char chosen_letter(DemoReader reader, const DiagnosisCase& item, Random& random) {
  if (reader == DemoReader::text_only) {
    std::array<std::size_t, 5> order{0, 1, 2, 3, 4};
    std::stable_sort(order.begin(), order.end(), [&item](std::size_t a, std::size_t b) {
      return item.options[a].size() < item.options[b].size();
    });
    return DiagnosisCase::letters[order[2]];
  }
  const bool is_right = reader == DemoReader::good && random.below(6) != 0;
  return is_right ? item.key : DiagnosisCase::letters[random.below(5)];
}

}  // namespace

std::vector<DemoQuestion> make_questions(std::uint64_t seed, const DemoCasePlan& plan, const DemoCase& demo,
                                         std::int64_t first_number) {
  std::vector<DemoQuestion> out;
  for (std::size_t finding = 0; finding < demo.facts.size(); ++finding) {
    Random random(seed, "question " + decimal(finding) + " on " + plan.file_name());
    out.push_back(
        make_question(random, plan, demo, finding, first_number + static_cast<std::int64_t>(finding)));
  }
  return out;
}

std::string_view to_string(DemoReader reader) {
  constexpr std::string_view names[] = {"good", "guessing", "text-only"};
  return names[static_cast<std::size_t>(reader)];
}

Json reader_line(DemoReader reader, std::uint64_t seed, const DiagnosisCase& item) {
  Random random(seed, std::string(to_string(reader)) + " reader on " + item.title);
  const bool is_good = reader == DemoReader::good;
  const char letter = chosen_letter(reader, item, random);
  const std::string& diagnosis = item.options[DiagnosisCase::letters.find(letter)];
  Json findings = Json::Array{};
  for (const CaseImage& image : item.images) {
    findings.push(is_good ? retold(image.caption, random)
                          : "An image of the chest without clear abnormality.");
  }
  const std::string reasoning =
      "The images are of the chest. " + diagnosis + " fits best. The others are less likely.";
  return Json::object(
      {{"title", item.title},
       {"prediction", std::string(1, letter)},
       {"prediction_rationale", reasoning},
       {"prediction_twi", Json::object({{"step1_per_image_findings", std::move(findings)},
                                        {"step2_integrated_summary",
                                         is_good ? retold(item.findings, random)
                                                 : "The chest shows findings that need a clinical context."},
                                        {"step3_differential_reasoning", reasoning}})}});
}

}  // namespace fiducial
