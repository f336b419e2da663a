#include "fiducial/datasets/needed_files.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/medthinkvqa/dataset.h"
#include "fiducial/datasets/needed_run.h"
#include "fiducial/datasets/radgenome/tables.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"

namespace fiducial {

namespace {

// The size of the file that a Git LFS pointer stands for; nothing where the file is none.
std::optional<std::uint64_t> size_behind_pointer(const Path& file) {
  constexpr std::uintmax_t longest_pointer = 1024;
  constexpr std::string_view mark = "version https://git-lfs.github.com/spec/";
  const Result<std::uint64_t> bytes_stored = stored_size(file);
  if (!bytes_stored.ok() || *bytes_stored > longest_pointer) return std::nullopt;
  const Result<std::string> text = read_text_file(file, longest_pointer);
  if (!text.ok() || !text->starts_with(mark)) return std::nullopt;
  const std::size_t size = text->find("\nsize ");
  const std::string_view rest = std::string_view(*text).substr(std::min(size, text->size() - 6) + 6);
  const auto bytes = parse_integer(rest.substr(0, rest.find('\n')));
  return size == std::string::npos || !bytes || *bytes < 0 ? 0 : static_cast<std::uint64_t>(*bytes);
}

// Collects what is missing, each file once.
class NeedCollector {
 public:
  NeedCollector(const NeedRequest& request, NeededRun run, std::string benchmark)
      : request_(request), run_(std::move(run)), benchmark_(std::move(benchmark)) {
    volumes_ = request.volumes.value_or(request.dataset / "volumes");
  }

  Outcome add(const GroundedDataset& dataset) {
    FIDUCIAL_TRY(const std::vector<std::string> splits, wanted(dataset.split_names()));
    for (const std::string& split : splits) {
      for (const GroundedCase& entry : *dataset.find_split(split)) {
        if (!run_.needs_case(entry.name)) continue;
        add_released(dataset.mask_name(entry));
        add_volume(entry.name, dataset.find_volume(volumes_, entry));
      }
    }
    return done();
  }

  Outcome add(const DiagnosisDataset& dataset) {
    FIDUCIAL_TRY(const std::vector<std::string> splits, wanted(dataset.split_names()));
    const bool is_zipped = is_file(dataset.folder() / "images.zip");
    if (is_zipped) add_released("images.zip");
    for (const medthinkvqa::SplitFile& file : medthinkvqa::split_files(dataset.folder())) {
      if (is_zipped || std::find(splits.begin(), splits.end(), file.split) == splits.end()) continue;
      const std::vector<std::string> files = file.files();
      const bool is_embedded = std::all_of(files.begin(), files.end(), [&](const std::string& each) {
        return medthinkvqa::embeds_pictures(dataset.folder() / each);
      });
      if (is_embedded) continue;
      FIDUCIAL_TRY(const DiagnosisSplit read, dataset.read_split(file.split));
      if (run_.answers) resolve_opaque_ids(*run_.answers, read.cases);
      for (const DiagnosisCase& entry : read.cases) {
        if (!is_answered(entry)) continue;
        for (const CaseImage& image : entry.images) {
          if (!image.path.empty()) add_released(image.path);
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
      if (run_.needs_case(name)) add_volume(name, rexgroundingct::find_volume(volumes_, name));
    }
    return done();
  }

  NeededFiles take() {
    out_.missing.reserve(missing_.size());
    for (auto& [file, found] : missing_) out_.missing.push_back(std::move(found));
    return std::move(out_);
  }

 private:
  bool is_answered(const DiagnosisCase& entry) const {
    return run_.answers ? run_.answers->by_number.contains(entry.number) : run_.needs_case(entry.title);
  }

  Result<std::vector<std::string>> wanted(const std::vector<std::string>& splits) const {
    const std::optional<std::string>& split = request_.split ? request_.split : run_.split;
    if (!split) return splits;
    if (std::find(splits.begin(), splits.end(), *split) != splits.end())
      return std::vector<std::string>{*split};
    return no_such_name("split", *split, splits);
  }

  void add_volume(const std::string& name, const std::optional<Path>& found) {
    if (run_.needs_volumes) add_file({"ct-rate", ctrate_path(name).value_or(name)}, found);
  }

  void add_released(const std::string& path) {
    const Path file = request_.dataset / path;
    add_file({benchmark_, path}, is_file(file) ? std::optional(file) : std::nullopt);
  }

  void add_file(std::pair<std::string, std::string> source_and_path, const std::optional<Path>& found) {
    NeededFile file{source_and_path.first, source_and_path.second,
                    request_.sizes.size_of(source_and_path.second)};
    const std::optional<std::uint64_t> behind_pointer = found ? size_behind_pointer(*found) : std::nullopt;
    if (behind_pointer) {
      file.bytes = behind_pointer;
    } else if (found) {
      const Result<std::uint64_t> size = stored_size(*found);
      if (!size.ok() || !file.bytes || *file.bytes == *size) {
        ++out_.there;
        return;
      }
      file.bytes_there = *size;
    }
    missing_.emplace(std::move(source_and_path), std::move(file));
  }

  const NeedRequest& request_;
  NeededRun run_;
  std::string benchmark_;
  Path volumes_;
  std::map<std::pair<std::string, std::string>, NeededFile> missing_;
  NeededFiles out_;
};

}  // namespace

std::uint64_t NeededFiles::known_bytes() const {
  std::uint64_t out = 0;
  for (const NeededFile& file : missing) out += file.bytes.value_or(0);
  return out;
}

std::uint64_t NeededFiles::bytes_there() const {
  std::uint64_t out = 0;
  for (const NeededFile& file : missing) out += file.bytes_there;
  return out;
}

std::int64_t NeededFiles::unknown_sizes() const {
  return std::count_if(missing.begin(), missing.end(), [](const NeededFile& file) { return !file.bytes; });
}

Json NeededFiles::json() const {
  Json files{Json::Array{}};
  for (const NeededFile& file : missing) {
    Json each = Json::object({{"source", file.source}, {"path", file.path}});
    each.set("bytes", file.bytes ? Json(*file.bytes) : Json());
    if (file.bytes_there > 0) each.set("bytes_there", Json(file.bytes_there));
    files.push(std::move(each));
  }
  return Json::object({{"schema", "fiducial.needs/1"},
                       {"there", there},
                       {"known_bytes", static_cast<std::int64_t>(known_bytes())},
                       {"unknown_sizes", unknown_sizes()},
                       {"missing", std::move(files)}});
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
  FIDUCIAL_TRY(NeededRun run,
               request.run ? read_needed_run(*request.run, *adapter) : Result<NeededRun>(NeededRun()));
  NeedCollector collector(request, std::move(run), adapter->id);
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
