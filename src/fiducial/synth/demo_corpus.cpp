#include "fiducial/synth/demo_corpus.h"

#include <cstring>
#include <limits>
#include <span>

#include "fiducial/base/number_text.h"
#include "fiducial/base/system_error.h"
#include "fiducial/base/version.h"
#include "fiducial/datasets/medthinkvqa/release_writer.h"
#include "fiducial/image/label_encoder.h"
#include "fiducial/image/nifti_file.h"
#include "fiducial/synth/demo_question.h"
#include "fiducial/synth/demo_systems.h"
#include "fiducial/synth/dense_labels.h"
#include "fiducial/synth/finding_text.h"
#include "fiducial/synth/organ_labels.h"
#include "fiducial/table/csv.h"

namespace fiducial {

namespace {

constexpr const char* dataset_folder = "rexgroundingct";
constexpr const char* predictions_folder = "systems/rexgroundingct";
constexpr const char* questions_folder = "medthinkvqa";
constexpr const char* answers_folder = "systems/medthinkvqa";
constexpr const char* metadata_file = "volumes/dataset/metadata/demo_metadata.csv";

// Noise hardly compresses, so more effort only costs time.
constexpr int volume_gzip_level = 1;

// What the corpus's tables need to know of a case once its volumes are written.
struct CaseEntry {
  Json dataset;
  std::string report_row;
  std::string metadata_row;
  std::vector<DiagnosisCase> questions;
  std::int64_t findings = 0;
  std::int64_t entities = 0;
};

NiftiImage make_volume(const ChestVolume& chest) {
  const Extent& extent = chest.frame.extent;
  NiftiHeader header;
  header.dim = {3, extent.x, extent.y, extent.z, 1, 1, 1, 1};
  header.type = VoxelType::int16;
  header.slope = 1;
  header.set_affine(chest.frame.affine());
  NiftiImage image = NiftiImage::make(std::move(header));
  std::memcpy(image.bytes().data(), chest.hu.data(), image.bytes().size());
  return image;
}

// The organs as an expert would outline them: fluid around a lung is not lung.
std::vector<std::uint8_t> outlined_organs(const DemoCase& demo) {
  std::vector<std::uint8_t> organs = demo.chest.organs;
  for (const PaintedFinding& finding : demo.findings) {
    if (finding.kind != FindingKind::pleural_effusion) continue;
    for (std::size_t i = 0; i < organs.size(); ++i) {
      if (finding.entities[i] != 0) organs[i] = 0;
    }
  }
  return organs;
}

Outcome write_scan(const Path& dataset, const DemoCasePlan& plan, const DemoCase& demo) {
  const ChestVolume& chest = demo.chest;
  const Path study = dataset / "volumes/dataset/train_fixed" / plan.patient_name() / plan.study_name();
  FIDUCIAL_TRY_DONE(make_folders(study));
  FIDUCIAL_TRY_DONE(write_nifti(study / plan.file_name(), make_volume(chest), volume_gzip_level));
  const std::vector<LabelMap> organs{labels_from_dense(chest.frame.grid(), outlined_organs(demo))};
  FIDUCIAL_TRY(const NiftiImage labels, encode_labels(organs, ChannelAxis::none));
  return write_nifti(dataset / "organs" / plan.file_name(), labels);
}

Outcome write_masks(const Path& file, std::span<const LabelMap> channels) {
  FIDUCIAL_TRY(const NiftiImage image, encode_labels(channels, ChannelAxis::first));
  return write_nifti(file, image);
}

std::vector<LabelMap> truth_channels(const DemoCase& demo) {
  const Grid grid{demo.chest.frame.extent, Affine::identity()};
  std::vector<LabelMap> channels;
  for (const PaintedFinding& finding : demo.findings) {
    channels.push_back(labels_from_dense(grid, finding.entities));
  }
  return channels;
}

Json dataset_entry(const DemoCasePlan& plan, const DemoCase& demo) {
  Json findings = Json::Object{};
  Json entity_counts = Json::Object{};
  Json pixels = Json::Object{};
  Json categories = Json::Object{};
  for (std::size_t i = 0; i < demo.facts.size(); ++i) {
    const FindingFacts& facts = demo.facts[i];
    const std::string key = decimal(i);
    findings.set(key, finding_text(facts).phrase);
    entity_counts.set(key, static_cast<std::int64_t>(facts.entities.size()));
    pixels.set(key, facts.voxels());
    categories.set(key, category_code(facts.kind));
  }
  const Extent& extent = demo.chest.frame.extent;
  return Json::object({{"name", plan.file_name()},
                       {"findings", std::move(findings)},
                       {"entity_counts", std::move(entity_counts)},
                       {"shape", Json::array({extent.x, extent.y, extent.z})},
                       {"pixels", std::move(pixels)},
                       {"categories", std::move(categories)},
                       {"protocol", plan.protocol}});
}

// What CT-RATE's table of metadata says of a volume. The patient's facts follow the patient.
std::string metadata_row(std::uint64_t seed, const DemoCasePlan& plan, const ChestFrame& frame) {
  Random random(seed, "metadata of " + plan.patient_name());
  const std::string sex = random.below(2) == 0 ? "F" : "M";
  const std::string age = "0" + decimal(random.between(31, 84)) + "Y";
  const Vec3& mm = frame.spacing_mm;
  const std::string spacing = "[" + shortest(mm[0]) + ", " + shortest(mm[1]) + "]";
  return csv_row_of({plan.file_name(), "Phantom", "demo", sex, age, decimal(frame.extent.z), spacing, "0",
                     "1", "HU", spacing, shortest(mm[2])});
}

CaseEntry make_entry(const DemoCasePlan& plan, const DemoCase& demo) {
  CaseEntry entry{
      .dataset = dataset_entry(plan, demo),
      .report_row = csv_row_of({plan.study_name(), demo.report.clinical_information, demo.report.technique,
                                demo.report.findings, demo.report.impressions}),
      .findings = static_cast<std::int64_t>(demo.facts.size())};
  for (const FindingFacts& facts : demo.facts)
    entry.entities += static_cast<std::int64_t>(facts.entities.size());
  return entry;
}

// The pictures of a question, where its rows will look for them.
Outcome write_pictures(const Path& root, const DemoQuestion& question) {
  for (std::size_t i = 0; i < question.pictures.size(); ++i) {
    const Path path = root / questions_folder / question.item.images[i].path;
    FIDUCIAL_TRY_DONE(make_folders(path.parent_path()));
    FIDUCIAL_TRY_DONE(write_file(path, question.pictures[i]));
  }
  return done();
}

Result<CaseEntry> write_case(const Path& root, const DemoOptions& options, const DemoCasePlan& plan,
                             std::int64_t number) {
  const DemoCase demo = make_case(options.seed, plan, options.size.extent);
  if (demo.facts.empty()) {
    return bad_usage("volumes of " + options.size.extent.text() + " voxels are too small for any finding");
  }
  const Path dataset = root / dataset_folder;
  FIDUCIAL_TRY_DONE(write_scan(dataset, plan, demo));
  FIDUCIAL_TRY_DONE(write_masks(dataset / "segmentations" / plan.file_name(), truth_channels(demo)));
  if (plan.split != "train") {
    for (const DemoSystem system : all_demo_systems) {
      FIDUCIAL_TRY_DONE(write_masks(root / predictions_folder / to_string(system) / plan.file_name(),
                                    predicted(system, options.seed, plan, demo)));
    }
  }
  CaseEntry entry = make_entry(plan, demo);
  entry.metadata_row = metadata_row(options.seed, plan, demo.chest.frame);
  for (DemoQuestion& question : make_questions(options.seed, plan, demo, number)) {
    FIDUCIAL_TRY_DONE(write_pictures(root, question));
    entry.questions.push_back(std::move(question.item));
  }
  return entry;
}

Outcome write_tables(const Path& root, std::span<const DemoCasePlan> plans,
                     std::span<const CaseEntry> entries) {
  Json::Array train;
  Json::Array val;
  Json::Array test;
  std::string reports =
      csv_row_of({"VolumeName", "ClinicalInformation_EN", "Technique_EN", "Findings_EN", "Impressions_EN"});
  for (std::size_t i = 0; i < plans.size(); ++i) {
    Json::Array& split = plans[i].split == "train" ? train : plans[i].split == "val" ? val : test;
    split.push_back(entries[i].dataset);
    reports += entries[i].report_row;
  }
  const Json splits =
      Json::object({{"train", std::move(train)}, {"val", std::move(val)}, {"test", std::move(test)}});
  Json labels = Json::Object{};
  for (const OrganName& organ : organ_names()) labels.set(decimal(organ.id), organ.name);
  const Path dataset = root / dataset_folder;
  FIDUCIAL_TRY_DONE(write_file(dataset / "dataset.json", splits.pretty()));
  FIDUCIAL_TRY_DONE(write_file(dataset / "reports.csv", reports));
  std::string metadata = csv_row_of({"VolumeName", "Manufacturer", "SeriesDescription", "PatientSex",
                                     "PatientAge", "NumberofSlices", "PixelSpacing", "RescaleIntercept",
                                     "RescaleSlope", "RescaleType", "XYSpacing", "ZSpacing"});
  for (const CaseEntry& entry : entries) metadata += entry.metadata_row;
  FIDUCIAL_TRY_DONE(write_file(dataset / metadata_file, metadata));
  return write_file(dataset / "organs/labels.json", labels.pretty());
}

Result<Bytes> read_bytes(const Path& path) {
  FIDUCIAL_TRY(const std::string text, read_text_file(path));
  const ByteView bytes = as_bytes(text);
  return Bytes(bytes.begin(), bytes.end());
}

// The questions of one split, embedded pictures too; validation cases of the scans train here.
Outcome write_questions(const Path& root, const std::string& split, std::span<const DemoCasePlan> plans,
                        std::span<const CaseEntry> entries) {
  const Path folder = root / questions_folder;
  medthinkvqa::ReleaseOptions options{.embeds_images = true,
                                      .terms = {.licence = "Apache-2.0",
                                                .source = "fiducial demo: synthetic, no patient",
                                                .allowed_use = "anything",
                                                .contact = "none"}};
  FIDUCIAL_TRY(auto writer, medthinkvqa::ReleaseWriter::create(folder, split, options));
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if ((plans[i].split == "test") != (split == "test")) continue;
    for (const DiagnosisCase& question : entries[i].questions) {
      FIDUCIAL_TRY_DONE(writer.add(
          question, [&folder](const CaseImage& image) { return read_bytes(folder / image.path); }));
    }
  }
  return writer.finish();
}

Outcome write_answers(const Path& root, std::uint64_t seed, std::span<const DemoCasePlan> plans,
                      std::span<const CaseEntry> entries) {
  for (const DemoReader reader : all_demo_readers) {
    std::string lines;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (plans[i].split != "test") continue;
      for (const DiagnosisCase& question : entries[i].questions) {
        lines += reader_line(reader, seed, question).compact() + "\n";
      }
    }
    const Path folder = root / answers_folder / to_string(reader);
    FIDUCIAL_TRY_DONE(make_folders(folder));
    FIDUCIAL_TRY_DONE(write_file(folder / "predictions.jsonl", lines));
  }
  return done();
}

Outcome make_layout(const Path& root) {
  FIDUCIAL_TRY_DONE(make_folders(root / dataset_folder / Path(metadata_file).parent_path()));
  FIDUCIAL_TRY_DONE(make_folders(root / questions_folder));
  FIDUCIAL_TRY_DONE(make_folders(root / dataset_folder / "segmentations"));
  FIDUCIAL_TRY_DONE(make_folders(root / dataset_folder / "organs"));
  for (const DemoSystem system : all_demo_systems) {
    FIDUCIAL_TRY_DONE(make_folders(root / predictions_folder / to_string(system)));
  }
  return done();
}

Outcome check_options(const DemoOptions& options) {
  const DemoSize& size = options.size;
  if (size.train < 0 || size.val < 0 || size.test < 0)
    return bad_usage("a split cannot have fewer than 0 cases");
  if (size.extent.x < 16 || size.extent.y < 16 || size.extent.z < 8 || size.extent.count() > (1 << 28)) {
    return bad_usage("volumes of " + size.extent.text() + " voxels cannot show a chest");
  }
  // JSON integers are signed, and the seed is recorded.
  if (options.seed > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return bad_usage("the seed must be below 2^63");
  }
  return done();
}

}  // namespace

Json DemoFacts::json() const {
  Json names = Json::strings(systems);
  Json reader_names = Json::strings(readers);
  const std::string dataset = std::string(dataset_folder) + "/";
  return Json::object({{"schema", "fiducial.demo/1"},
                       {"version", tool_version},
                       {"seed", seed},
                       {"counts", Json::object({{"train", train},
                                                {"val", val},
                                                {"test", test},
                                                {"findings", findings},
                                                {"entities", entities}})},
                       {"dataset", dataset_folder},
                       {"volumes", dataset + "volumes"},
                       {"organs", dataset + "organs"},
                       {"reports", dataset + "reports.csv"},
                       {"predictions", predictions_folder},
                       {"systems", std::move(names)},
                       {"metadata", dataset + metadata_file},
                       {"questions", std::string(questions_folder) + "/"},
                       {"answers", answers_folder},
                       {"readers", std::move(reader_names)}});
}

Result<DemoFacts> write_demo(const Path& folder, const DemoOptions& options, const Executor& executor,
                             Progress& progress) {
  FIDUCIAL_TRY_DONE(check_options(options));
  FIDUCIAL_TRY(StagedFolder staged, StagedFolder::create(folder, demo_marker, options.overwrite));
  const Path& root = staged.staging();
  FIDUCIAL_TRY_DONE(make_layout(root));
  const std::vector<DemoCasePlan> plans = plan_cases(options.seed, options.size);
  std::vector<CaseEntry> entries(plans.size());
  progress.begin("writing cases", static_cast<std::int64_t>(plans.size()));
  Outcome written =
      executor.for_each(static_cast<std::int64_t>(plans.size()), [&](std::int64_t i) -> Outcome {
        const auto slot = static_cast<std::size_t>(i);
        FIDUCIAL_TRY(entries[slot], write_case(root, options, plans[slot], 10 * i + 1));
        progress.advance(1);
        return done();
      });
  progress.end();
  FIDUCIAL_TRY_DONE(std::move(written));
  FIDUCIAL_TRY_DONE(write_tables(root, plans, entries));
  FIDUCIAL_TRY_DONE(write_questions(root, "train", plans, entries));
  FIDUCIAL_TRY_DONE(write_questions(root, "test", plans, entries));
  FIDUCIAL_TRY_DONE(write_answers(root, options.seed, plans, entries));
  DemoFacts facts{
      .seed = options.seed, .train = options.size.train, .val = options.size.val, .test = options.size.test};
  for (const CaseEntry& entry : entries) {
    facts.findings += entry.findings;
    facts.entities += entry.entities;
  }
  for (const DemoSystem system : all_demo_systems) facts.systems.emplace_back(to_string(system));
  for (const DemoReader reader : all_demo_readers) facts.readers.emplace_back(to_string(reader));
  FIDUCIAL_TRY_DONE(write_file(root / demo_marker, facts.json().pretty()));
  FIDUCIAL_TRY_DONE(staged.publish());
  return facts;
}

}  // namespace fiducial
