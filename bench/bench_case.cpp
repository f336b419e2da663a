// bench_case f8|f2 LEVEL FOLDER: writes the benchmark case as a dataset that `fiducial score` reads.
//
// FOLDER/dataset.json, FOLDER/segmentations/ and FOLDER/predictions/; an earlier case is kept and shown
// again. Files are written by zlib at the level given: nibabel writes level 1, gzip and most other tools 6.

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <zlib.h>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/number_text.h"
#include "fiducial/image/label_encoder.h"
#include "fiducial/spatial/components.h"

#include "bench_findings.h"

namespace fiducial::bench {

namespace {

constexpr std::uint64_t seed = 20;
constexpr const char* case_name = "train_1_a_1.nii.gz";
constexpr const char* counts_file = "voxels.txt";  // written with the case; it marks a complete one

Outcome write_with_zlib(const Path& path, const NiftiImage& image, int level) {
  const std::string mode = "wb" + decimal(level);
  const gzFile file = gzopen(path.c_str(), mode.c_str());
  if (file == nullptr) return invalid_data("cannot write " + path.string());
  const Bytes header = nifti_header_bytes(image.header());
  constexpr std::size_t piece = std::size_t{1} << 20;
  bool good = gzwrite(file, header.data(), static_cast<unsigned>(header.size())) > 0;
  for (ByteView rest = image.bytes(); good && !rest.empty();) {
    const std::size_t count = std::min(piece, rest.size());
    good = gzwrite(file, rest.data(), static_cast<unsigned>(count)) > 0;
    rest = rest.subspan(count);
  }
  good = gzclose(file) == Z_OK && good;
  if (!good) return invalid_data("cannot write " + path.string());
  return done();
}

Outcome write_masks(const Path& path, const std::vector<LabelMap>& channels, int level) {
  FIDUCIAL_TRY(const NiftiImage image, encode_labels(channels, ChannelAxis::first));
  return write_with_zlib(path, image, level);
}

Json dataset_json(const std::vector<BenchFinding>& findings) {
  Json texts = Json(Json::Object{});
  Json entities = Json(Json::Object{});
  Json pixels = Json(Json::Object{});
  Json categories = Json(Json::Object{});
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const LabelMap& reference = findings[i].reference;
    texts.set(decimal(i), findings[i].text);
    entities.set(decimal(i), static_cast<std::int64_t>(reference.labels().size()));
    pixels.set(decimal(i), reference.count());
    categories.set(decimal(i), findings[i].category);
  }
  const Extent& extent = findings[0].reference.extent();
  Json entry = Json::object({{"name", case_name},
                             {"findings", std::move(texts)},
                             {"entity_counts", std::move(entities)},
                             {"shape", Json::array({extent.x, extent.y, extent.z})},
                             {"pixels", std::move(pixels)},
                             {"categories", std::move(categories)},
                             {"protocol", "protocol1"}});
  return Json::object({{"test", Json::array({std::move(entry)})}});
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width > text.size() ? width - text.size() : 1, ' ');
}

// What the case holds, so that one can compare it with the description of the workload.
std::string counts_table(const std::vector<BenchFinding>& findings) {
  std::string out = padded("finding", 32) + padded("reference voxels", 18) + padded("entities", 10) +
                    padded("runs", 8) + padded("prediction voxels", 19) + padded("components", 12) + "runs\n";
  for (const BenchFinding& finding : findings) {
    const Components parts = components(finding.prediction.foreground(), Connectivity::edges18);
    out += padded(finding.text, 32) + padded(decimal(finding.reference.count()), 18) +
           padded(decimal(finding.reference.labels().size()), 10) +
           padded(decimal(finding.reference.runs().size()), 8) +
           padded(decimal(finding.prediction.count()), 19) + padded(decimal(parts.count()), 12) +
           decimal(finding.prediction.runs().size()) + "\n";
  }
  return out;
}

std::vector<BenchFinding> findings_of(const std::string& workload) {
  std::vector<BenchFinding> all = make_bench_findings(seed);
  if (workload == "f8") return all;
  std::vector<BenchFinding> out;
  out.push_back(std::move(all[2]));  // nodules
  out.push_back(std::move(all[6]));  // effusion
  return out;
}

Outcome write_case(const std::string& workload, int level, const Path& target) {
  const std::vector<BenchFinding> findings = findings_of(workload);
  std::vector<LabelMap> reference;
  std::vector<LabelMap> prediction;
  for (const BenchFinding& finding : findings) {
    reference.push_back(finding.reference);
    prediction.push_back(finding.prediction);
  }
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(target, counts_file, true));
  std::error_code ignored;  // a folder that is not there shows when a file is written into it
  std::filesystem::create_directories(folder.staging() / "segmentations", ignored);
  std::filesystem::create_directories(folder.staging() / "predictions", ignored);
  FIDUCIAL_TRY_DONE(write_masks(folder.staging() / "segmentations" / case_name, reference, level));
  FIDUCIAL_TRY_DONE(write_masks(folder.staging() / "predictions" / case_name, prediction, level));
  FIDUCIAL_TRY_DONE(write_file(folder.staging() / "dataset.json", dataset_json(findings).pretty()));
  FIDUCIAL_TRY_DONE(write_file(folder.staging() / counts_file, counts_table(findings)));
  return folder.publish();
}

Outcome make_case(const std::string& workload, int level, const Path& target) {
  if (!std::filesystem::exists(target / counts_file)) {
    std::error_code failed;
    std::filesystem::create_directories(target.parent_path(), failed);
    FIDUCIAL_TRY_DONE(write_case(workload, level, target));
  }
  FIDUCIAL_TRY(const std::string counts, read_text_file(target / counts_file));
  std::fputs(counts.c_str(), stdout);
  for (const char* side : {"segmentations", "predictions"}) {
    const auto bytes = std::filesystem::file_size(target / side / case_name);
    std::puts((padded(side, 32) + decimal(bytes) + " bytes").c_str());
  }
  return done();
}

}  // namespace

}  // namespace fiducial::bench

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto level = words.size() == 3 ? fiducial::parse_integer(words[1]) : std::nullopt;
  if (!level || *level < 1 || *level > 9 || (words[0] != "f8" && words[0] != "f2")) {
    std::fputs("usage: bench_case f8|f2 LEVEL FOLDER\n", stderr);
    return 2;
  }
  const fiducial::Outcome outcome = fiducial::bench::make_case(words[0], static_cast<int>(*level), words[2]);
  if (outcome.ok()) return 0;
  std::fputs((outcome.error().text() + "\n").c_str(), stderr);
  return 1;
}
