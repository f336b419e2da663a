#!/usr/bin/env python3
"""Proves that a new metric, dataset or verb is one file and one line: copies the tree, adds one of each, builds it,
and scores a dataset of the new layout with the new metric.

usage: add_one_of_each.py PYTHON_WITH_PYARROW
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPIED = ("src", "apps", "cmake", "tools", "CMakeLists.txt", "CMakePresets.json")

METRIC = """#include "fiducial/metrics/metric.h"

namespace fiducial {

std::vector<MaskMetric> extra_voxels_metrics() {
  return {{{.id = "extra_voxels",
            .title = "Predicted voxels outside the reference",
            .group = "extra",
            .better = Direction::lower,
            .range = "[0, inf)",
            .unit = "voxels",
            .empty = {"0", "number of voxels", "0", "0", {}},
            .definition = "B - I",
            .parameters = "none",
            .valid_for = "binary masks on one grid",
            .citation = "none"},
           [](const FindingPair& pair) -> Score {
             return static_cast<double>(pair.overlap().prediction - pair.overlap().both);
           }}};
}

}  // namespace fiducial
"""

VERB = """#include "command.h"

namespace fiducial::cli {

Command greet_command() {
  return {.name = "greet",
          .summary = "Say hello",
          .example = "fiducial greet",
          .define = [](Verb) -> CommandBody {
            return [](Console& console) -> Result<int> {
              console.print("hello\\n");
              return 0;
            };
          }};
}

}  // namespace fiducial::cli
"""

# One case a file in masks/, one finding a case.
DATASET = """#include <algorithm>

#include "fiducial/datasets/dataset_adapter.h"

namespace fiducial {

namespace {

class MaskFolder final : public GroundedDataset {
 public:
  explicit MaskFolder(const Path& folder) : folder_(folder) {
    for (const auto& file : std::filesystem::directory_iterator(folder / "masks")) {
      const std::string name = file.path().filename().string();
      cases_.push_back({.name = name, .patient = name});
    }
    std::sort(cases_.begin(), cases_.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  }

  const Path& folder() const override { return folder_; }
  const std::string& file_name() const override { return file_name_; }
  const Digest& digest() const override { return digest_; }
  std::vector<std::string> split_names() const override { return {"test"}; }
  const std::vector<GroundedCase>* find_split(std::string_view name) const override {
    return name == "test" ? &cases_ : nullptr;
  }
  std::string mask_name(const GroundedCase& entry) const override { return "masks/" + entry.name; }
  Result<StoredFile> open_mask(const GroundedCase& entry) const override {
    FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(folder_ / mask_name(entry)));
    const std::uint64_t size = file->size();
    return StoredFile{std::move(file), size};
  }
  std::optional<Path> find_volume(const Path&, const GroundedCase&) const override { return std::nullopt; }

 private:
  Path folder_;
  std::string file_name_ = "masks";
  Digest digest_;
  std::vector<GroundedCase> cases_;
};

}  // namespace

DatasetAdapter mask_folder_adapter() {
  return {.id = "mask_folder",
          .title = "A folder of masks",
          .layout = "masks/",
          .recognises = [](const Path& folder) { return std::filesystem::is_directory(folder / "masks"); },
          .open_grounded = [](const Path& folder) -> Result<std::unique_ptr<GroundedDataset>> {
            return {std::make_unique<MaskFolder>(folder)};
          }};
}

}  // namespace fiducial
"""

ADDED = {
    "src/fiducial/metrics/extra_voxels.cpp": METRIC,
    "src/fiducial/datasets/mask_folder.cpp": DATASET,
    "apps/cli/commands/greet.cpp": VERB,
}
LINES = {
    "src/fiducial/metrics/all_metrics.def": "FIDUCIAL_METRIC(extra_voxels)",
    "src/fiducial/datasets/all_datasets.def": "FIDUCIAL_DATASET(mask_folder)",
    "apps/cli/all_commands.def": "FIDUCIAL_COMMAND(greet)",
}


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout[-8000:]}")
    return done.stdout


def extended_tree(folder):
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("*_test.cpp"))
        else:
            shutil.copy(source, folder / name)
    for name, text in ADDED.items():
        (folder / name).write_text(text)
    for name, line in LINES.items():
        with open(folder / name, "a") as file:
            file.write(line + "\n")


def build(folder, python):
    run(["cmake", "--preset", "dev", f"-DFIDUCIAL_PYTHON={python}"], folder)
    run(["cmake", "--build", "--preset", "dev", "--target", "fiducial"], folder)
    return folder / "build/bin/fiducial"


def expect(what, found, expected):
    if found != expected:
        raise SystemExit(f"{what}: expected {expected!r}, found {found!r}")


def main():
    python = pathlib.Path(sys.argv[1]).absolute()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "tree"
        folder.mkdir()
        extended_tree(folder)
        fiducial = build(folder, python)
        expect("the new verb", run([fiducial, "greet"], folder), "hello\n")
        for words in (["rex", folder / "rex", "--cases", "2"],
                      ["predictions", folder / "rex", folder / "predictions", "--kind", "full"]):
            run([sys.executable, "-m", "fixtures", *words], ROOT / "tests")
        (folder / "data").mkdir()
        (folder / "rex/segmentations").rename(folder / "data/masks")
        run([fiducial, "score", "data", "predictions", "-o", "out", "--metrics", "extra"], folder)
        summary = json.loads((folder / "out/summary.json").read_text())
        expect("the new dataset", summary["benchmark"], "mask_folder")
        expect("the new metric's slot", list(summary["metrics"]), ["extra_voxels_per_finding"])
        expect("findings behind it", summary["metrics"]["extra_voxels_per_finding"]["n"], 4)
        expect("its direction", summary["metrics"]["extra_voxels_per_finding"]["better"], "lower")
    print("one metric, one dataset and one verb added by one file and one line each")


if __name__ == "__main__":
    main()
