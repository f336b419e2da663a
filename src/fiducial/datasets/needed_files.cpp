#include "fiducial/datasets/needed_files.h"

#include <algorithm>
#include <set>
#include <utility>

#include "fiducial/base/number_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/radgenome/tables.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"

namespace fiducial {

namespace {

// Collects what is missing, each file once.
class NeedCollector {
 public:
  NeedCollector(const NeedRequest& request, std::string benchmark)
      : request_(request), volumes_(request.volumes.value_or(request.dataset / "volumes")) {
    benchmark_ = std::move(benchmark);
  }

  Outcome add(const GroundedDataset& dataset) {
    FIDUCIAL_TRY(const std::vector<std::string> splits, wanted(dataset.split_names()));
    for (const std::string& split : splits) {
      for (const GroundedCase& entry : *dataset.find_split(split)) {
        add_file(benchmark_, dataset.mask_name(entry), is_file(dataset.folder() / dataset.mask_name(entry)));
        add_volume(entry.name, dataset.find_volume(volumes_, entry).has_value());
      }
    }
    return done();
  }

  Outcome add(const DiagnosisDataset& dataset) {
    FIDUCIAL_TRY(const std::vector<std::string> splits, wanted(dataset.split_names()));
    const bool is_zipped = is_file(dataset.folder() / "images.zip");
    for (const std::string& split : splits) {
      FIDUCIAL_TRY(const DiagnosisSplit read, dataset.read_split(split));
      for (const DiagnosisCase& entry : read.cases) {
        for (const CaseImage& image : entry.images) {
          if (!image.path.empty())
            add_file(benchmark_, image.path, is_zipped || is_file(dataset.folder() / image.path));
        }
      }
    }
    return done();
  }

  Outcome add(const radgenome::TableFolder& folder) {
    FIDUCIAL_TRY(const std::vector<std::string> splits, wanted(folder.split_names()));
    std::set<std::string> names;
    for (const radgenome::TableFile& file : folder.files()) {
      if (std::find(splits.begin(), splits.end(), file.split) == splits.end()) continue;
      FIDUCIAL_TRY(radgenome::TableRows rows,
                   radgenome::TableRows::open(folder.path_of(file), radgenome::layout_of(file.kind)));
      FIDUCIAL_TRY(std::optional<radgenome::TableRow> row, rows.next());
      while (row) {
        names.emplace(row->volume);
        FIDUCIAL_TRY(row, rows.next());
      }
    }
    for (std::string name : names) {
      if (!name.ends_with(".nii.gz")) name += ".nii.gz";
      add_volume(name, rexgroundingct::find_volume(volumes_, name).has_value());
    }
    return done();
  }

  NeededFiles take() {
    for (const auto& [source, path] : missing_) out_.missing.push_back({source, path});
    return std::move(out_);
  }

 private:
  Result<std::vector<std::string>> wanted(const std::vector<std::string>& splits) const {
    if (!request_.split) return splits;
    if (std::find(splits.begin(), splits.end(), *request_.split) != splits.end())
      return std::vector<std::string>{*request_.split};
    return bad_usage(unknown_name("split", *request_.split, splits));
  }

  void add_volume(const std::string& name, bool is_there) {
    add_file("ct-rate", ctrate_path(name).value_or(name), is_there);
  }

  void add_file(const std::string& source, const std::string& path, bool is_there) {
    if (is_there) {
      ++out_.there;
    } else {
      missing_.emplace(source, path);
    }
  }

  const NeedRequest& request_;
  Path volumes_;
  std::string benchmark_;
  std::set<std::pair<std::string, std::string>> missing_;
  NeededFiles out_;
};

}  // namespace

Json NeededFiles::json() const {
  Json files{Json::Array{}};
  for (const NeededFile& file : missing)
    files.push(Json::object({{"source", file.source}, {"path", file.path}}));
  return Json::object({{"schema", "fiducial.needs/1"}, {"there", there}, {"missing", std::move(files)}});
}

std::optional<std::string> ctrate_path(const std::string& volume) {
  const std::optional<radgenome::VolumeName> name = radgenome::find_volume_name(volume);
  if (!name) return std::nullopt;
  const std::string patient = name->split + "_" + decimal(name->patient);
  const std::string scan = patient + "_" + name->scan;
  return "dataset/" + name->split + "_fixed/" + patient + "/" + scan + "/" + scan + "_" +
         decimal(name->reconstruction) + ".nii.gz";
}

Result<NeededFiles> needed_files(const NeedRequest& request) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(request.dataset));
  NeedCollector collector(request, adapter->id);
  if (adapter->open_grounded != nullptr) {
    FIDUCIAL_TRY(const std::unique_ptr<GroundedDataset> dataset, adapter->open_grounded(request.dataset));
    FIDUCIAL_TRY_DONE(collector.add(*dataset));
  } else if (adapter->open_questions != nullptr) {
    FIDUCIAL_TRY(const std::unique_ptr<DiagnosisDataset> dataset, adapter->open_questions(request.dataset));
    FIDUCIAL_TRY_DONE(collector.add(*dataset));
  } else if (adapter->open_tables != nullptr) {
    FIDUCIAL_TRY(const radgenome::TableFolder folder, adapter->open_tables(request.dataset));
    FIDUCIAL_TRY_DONE(collector.add(folder));
  }
  return collector.take();
}

}  // namespace fiducial
