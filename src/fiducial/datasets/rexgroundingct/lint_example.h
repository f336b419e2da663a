#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "fiducial/base/temporary_folder.h"
#include "fiducial/datasets/rexgroundingct/lint.h"
#include "fiducial/image/nifti_example.h"

namespace fiducial::rexgroundingct {

// A good dataset in a temporary folder, with volumes and predictions, for tests that spoil one thing of it.
//
// Two cases in train and two in test, each of 6 x 5 x 4 voxels with two findings: channel 0 has entity 1,
// channel 1 has entities 1 and 2.
class LintExample {
 public:
  static constexpr const char* first = "train_3_a_1.nii.gz";  // first case of test
  static constexpr const char* second = "train_4_a_1.nii.gz";

  LintExample() {
    for (const char* part : {"data/segmentations", "predictions"}) {
      std::filesystem::create_directories(folder_ / part);
    }
    text_ = "{\"train\":[" + entry("train_1_a_1.nii.gz") + "," + entry("train_2_a_1.nii.gz") +
            "],\"test\":[" + entry(first) + "," + entry(second) + "]}";
    for (const char* name : {"train_1_a_1.nii.gz", "train_2_a_1.nii.gz", first, second}) {
      write(mask_path(name), mask_header(), mask_values());
      write(volume_path(name), volume_header(), std::vector<double>(120, -1000));
    }
    for (const char* name : {first, second}) write(prediction_path(name), mask_header(), mask_values());
    request.dataset = folder_ / "data";
  }

  static NiftiHeader mask_header(VoxelType type = VoxelType::uint8) {
    return example_header({2, 6, 5, 4}, type);
  }
  static NiftiHeader volume_header() {
    NiftiHeader header = example_header({6, 5, 4}, VoxelType::int16);
    header.set_affine({{{{-0.75, 0, 0, 90}, {0, -0.75, 0, 80}, {0, 0, 1.5, -200}}}});
    return header;
  }
  // Channels interleaved: voxel v of channel c is at 2 * v + c.
  static std::vector<double> mask_values() {
    std::vector<double> values(240, 0);
    for (std::size_t voxel : {20U, 21U, 22U}) values[2 * voxel] = 1;
    for (std::size_t voxel : {21U, 22U, 23U}) values[2 * voxel + 1] = 1;
    for (std::size_t voxel : {60U, 61U}) values[2 * voxel + 1] = 2;
    return values;
  }

  Path mask_path(const std::string& name) const { return folder_ / ("data/segmentations/" + name); }
  Path prediction_path(const std::string& name) const { return folder_ / ("predictions/" + name); }
  Path volumes() const { return folder_ / "volumes"; }
  Path volume_path(const std::string& name) const {
    const std::string patient = name.substr(0, 7);
    return volumes() / ("dataset/train_fixed/" + patient + "/" + patient + "_a/" + name);
  }

  static void write(const Path& path, const NiftiHeader& header, const std::vector<double>& values) {
    std::filesystem::create_directories(path.parent_path());
    // Not write_file, which waits for the disk.
    const Bytes bytes = gzip_compressed(example_file(header, values), 6);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

  // Replaces the first occurrence after the name of a case; the whole file where the name is empty.
  void edit(const std::string& name, const std::string& from, const std::string& to) {
    const std::size_t at = text_.find(from, name.empty() ? 0 : text_.find("\"" + name + "\""));
    FIDUCIAL_ASSERT(at != std::string::npos);
    text_.replace(at, from.size(), to);
  }
  void set_text(std::string text) { text_ = std::move(text); }

  Result<LintReport> lint(int threads = 1) const {
    std::ofstream(folder_ / "data/dataset.json") << text_;
    SilentProgress progress;
    return rexgroundingct::lint(request, Executor(threads), progress);
  }

  // "error mask_pixels data-relative/file at place" for every problem.
  std::vector<std::string> problems() const {
    const Result<LintReport> report = lint();
    if (!report.ok()) return {"failed: " + report.error().text()};
    std::vector<std::string> out;
    for (const LintProblem& problem : report->problems.all()) {
      std::string line = std::string(to_string(problem.severity)) + " " + problem.code + " " + problem.file;
      if (!problem.place.empty()) line += " at " + problem.place;
      out.push_back(std::move(line));
    }
    return out;
  }

  void with_volumes() { request.volumes = volumes(); }
  void with_predictions() { request.predictions = folder_ / "predictions"; }
  const TemporaryFolder& folder() const { return folder_; }

  LintRequest request;

 private:
  static std::string entry(const std::string& name) {
    return "{\"name\":\"" + name +
           R"(","findings":{"0":"A nodule.","1":"Two opacities."},"entity_counts":{"0":1,"1":2},)"
           R"("shape":[6,5,4],"pixels":{"0":3,"1":5},"categories":{"0":"2d","1":"2c"},"protocol":"protocol1"})";
  }

  TemporaryFolder folder_;
  std::string text_;
};

}  // namespace fiducial::rexgroundingct
