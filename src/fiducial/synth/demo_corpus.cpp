#include "fiducial/synth/demo_corpus.h"

#include <cstring>
#include <limits>
#include <span>
#include <system_error>

#include "fiducial/base/number_text.h"
#include "fiducial/image/label_encoder.h"
#include "fiducial/image/nifti_file.h"
#include "fiducial/synth/demo_systems.h"
#include "fiducial/synth/dense_labels.h"
#include "fiducial/synth/finding_text.h"
#include "fiducial/synth/organ_labels.h"

namespace fiducial {

namespace {

constexpr const char* dataset_folder = "rexgroundingct";
constexpr const char* predictions_folder = "systems/rexgroundingct";

// Noise hardly compresses, so more effort only costs time.
constexpr int volume_gzip_level = 1;

// What the corpus's tables need to know of a case once its volumes are written.
struct CaseEntry {
  Json dataset;
  std::string report_row;
  std::int64_t findings = 0;
  std::int64_t entities = 0;
};

Outcome make_folders(const Path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return done();
  return Error(ErrorCode::invalid_data, "cannot create folder: " + error.message(),
               Place{.path = folder.string()});
}

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

Outcome write_scan(const Path& dataset, const DemoCasePlan& plan, const ChestVolume& chest) {
  const Path study = dataset / "volumes/dataset/train_fixed" / plan.patient_name() / plan.study_name();
  FIDUCIAL_TRY_DONE(make_folders(study));
  FIDUCIAL_TRY_DONE(write_nifti(study / plan.file_name(), make_volume(chest), volume_gzip_level));
  const std::vector<LabelMap> organs{labels_from_dense(chest.frame.grid(), chest.organs)};
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

CaseEntry make_entry(const DemoCasePlan& plan, const DemoCase& demo) {
  CaseEntry entry{
      .dataset = dataset_entry(plan, demo),
      .report_row = csv_row({plan.study_name(), demo.report.clinical_information, demo.report.technique,
                             demo.report.findings, demo.report.impressions}),
      .findings = static_cast<std::int64_t>(demo.facts.size())};
  for (const FindingFacts& facts : demo.facts)
    entry.entities += static_cast<std::int64_t>(facts.entities.size());
  return entry;
}

Result<CaseEntry> write_case(const Path& root, const DemoOptions& options, const DemoCasePlan& plan) {
  const DemoCase demo = make_case(options.seed, plan, options.size.extent);
  if (demo.facts.empty()) {
    return bad_usage("volumes of " + options.size.extent.text() + " voxels are too small for any finding");
  }
  const Path dataset = root / dataset_folder;
  FIDUCIAL_TRY_DONE(write_scan(dataset, plan, demo.chest));
  FIDUCIAL_TRY_DONE(write_masks(dataset / "segmentations" / plan.file_name(), truth_channels(demo)));
  if (plan.split != "train") {
    for (const DemoSystem system : all_demo_systems) {
      FIDUCIAL_TRY_DONE(write_masks(root / predictions_folder / to_string(system) / plan.file_name(),
                                    predicted(system, options.seed, plan, demo)));
    }
  }
  return make_entry(plan, demo);
}

Outcome write_tables(const Path& root, std::span<const DemoCasePlan> plans,
                     std::span<const CaseEntry> entries) {
  Json::Array train;
  Json::Array val;
  Json::Array test;
  std::string reports =
      csv_row({"VolumeName", "ClinicalInformation_EN", "Technique_EN", "Findings_EN", "Impressions_EN"});
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
  return write_file(dataset / "organs/labels.json", labels.pretty());
}

Outcome make_layout(const Path& root) {
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
  Json names = Json::Array{};
  for (const std::string& system : systems) names.push(system);
  const std::string dataset = std::string(dataset_folder) + "/";
  return Json::object({{"schema", "fiducial.demo/1"},
                       {"version", FIDUCIAL_VERSION},
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
                       {"systems", std::move(names)}});
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
        FIDUCIAL_TRY(entries[slot], write_case(root, options, plans[slot]));
        progress.advance(1);
        return done();
      });
  progress.end();
  FIDUCIAL_TRY_DONE(std::move(written));
  FIDUCIAL_TRY_DONE(write_tables(root, plans, entries));
  DemoFacts facts{
      .seed = options.seed, .train = options.size.train, .val = options.size.val, .test = options.size.test};
  for (const CaseEntry& entry : entries) {
    facts.findings += entry.findings;
    facts.entities += entry.entities;
  }
  for (const DemoSystem system : all_demo_systems) facts.systems.emplace_back(to_string(system));
  FIDUCIAL_TRY_DONE(write_file(root / demo_marker, facts.json().pretty()));
  FIDUCIAL_TRY_DONE(staged.publish());
  return facts;
}

}  // namespace fiducial
