#include "fiducial/dicom/series.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/dicom/hounsfield_volume.h"
#include "fiducial/dicom/reader_records.h"
#include "fiducial/dicom/series_grid.h"

namespace fiducial {

namespace {

constexpr std::size_t most_files = 100'000;
constexpr int deepest_folder = 16;
constexpr std::size_t most_names_in_a_note = 5;

std::string shown(const std::string& uid) { return uid.empty() ? "none" : uid; }

std::string counted(std::size_t count, const std::string& noun) {
  return decimal(count) + " " + noun + (count == 1 ? "" : "s");
}

// The files below a folder, in the order of their names.
Result<std::vector<std::string>> files_below(const Path& folder) {
  std::vector<std::string> out;
  std::error_code problem;
  auto entry = std::filesystem::recursive_directory_iterator(folder, problem);
  for (; !problem && entry != std::filesystem::recursive_directory_iterator(); entry.increment(problem)) {
    std::error_code unknown;
    if (entry.depth() >= deepest_folder) entry.disable_recursion_pending();
    if (entry->is_regular_file(unknown)) out.push_back(entry->path().string());
    if (out.size() > most_files) return invalid_data("expected at most " + decimal(most_files) + " files");
  }
  if (problem) return invalid_data("cannot list the folder: " + problem.message());
  if (out.empty()) return invalid_data("expected a folder of DICOM files, found no file in it");
  std::sort(out.begin(), out.end());
  return out;
}

// The slices of the chosen series as a volume, and the files they are in.
struct OpenedSeries {
  std::vector<std::string> files;
  std::vector<SliceHeader> slices;
  SeriesGrid grid;
};

class SeriesReader {
 public:
  SeriesReader(const Path& folder, const SeriesOptions& options) : folder_(folder), options_(options) {}

  Result<OpenedSeries> open() {
    FIDUCIAL_TRY(out_.files, files_below(folder_));
    FIDUCIAL_TRY(HeaderRecords records, ask_for_headers());
    if (records.slices.empty()) {
      return invalid_data("expected a folder of DICOM images, found none in " +
                          counted(out_.files.size(), "file") +
                          (records.skipped.empty() ? "" : " (" + skipped_text(records.skipped) + ")"));
    }
    FIDUCIAL_TRY_DONE(choose(records.slices));
    for (const SliceHeader& slice : out_.slices) {
      if (!slice.refusal.empty()) {
        return Error(ErrorCode::invalid_data, slice.refusal, Place{.path = out_.files[slice.file]});
      }
    }
    FIDUCIAL_TRY(out_.grid, make_series_grid(out_.slices, out_.files));
    add_notes(records.skipped);
    return std::move(out_);
  }

 private:
  Result<HeaderRecords> ask_for_headers() const;
  Outcome choose(std::vector<SliceHeader>& slices);
  std::string skipped_text(const std::vector<SkippedFile>& skipped) const;
  void add_notes(const std::vector<SkippedFile>& skipped);

  const Path& folder_;
  const SeriesOptions& options_;
  OpenedSeries out_;
};

// Asks the reader about files; receive reads its answer. Whatever ends the reader is an error of the file
// that it was reading.
template <typename Receive>
auto ask(const SeriesOptions& options, const std::string& mode, const std::vector<std::string>& files,
         const Receive& receive) -> decltype(receive(std::declval<RecordReader&>())) {
  std::string question;
  for (const std::string& file : files) question.append(file).push_back('\0');
  FIDUCIAL_TRY(const std::unique_ptr<ReaderProcess> process,
               ReaderProcess::start(options.reader, mode, question, options.limits));
  RecordReader records(*process, files);
  auto answer = receive(records);
  // The reader said itself what is wrong with a file.
  if (!answer.ok() && !answer.error().place().path.empty()) return answer;
  FIDUCIAL_TRY(const std::optional<std::string> failure, process->failure());
  if (failure) {
    const std::size_t at = std::min(records.answered(), files.size() - 1);
    return Error(ErrorCode::invalid_data,
                 "the DICOM reader " + *failure +
                     " while reading this file, which is damaged or of a kind it cannot read",
                 Place{.path = files[at]});
  }
  return answer;
}

Result<HeaderRecords> SeriesReader::ask_for_headers() const {
  return ask(options_, "headers", out_.files, [](RecordReader& records) { return records.read_headers(); });
}

// Keeps the slices of one series.
Outcome SeriesReader::choose(std::vector<SliceHeader>& slices) {
  std::map<std::string, std::size_t> files;
  for (const SliceHeader& slice : slices) files[shown(slice.series)] += slice.frame == 0 ? 1 : 0;
  std::string listed;
  for (const auto& [uid, count] : files) {
    append_joined(listed, uid + " (" + counted(count, "file") + ")");
  }
  if (options_.series && !files.contains(*options_.series)) {
    return invalid_data("expected series " + *options_.series + ", found " + listed);
  }
  if (!options_.series && files.size() > 1) {
    return invalid_data("expected one series, found " + decimal(files.size()) + ": " + listed);
  }
  const std::string& chosen = options_.series ? *options_.series : files.begin()->first;
  for (SliceHeader& slice : slices) {
    if (shown(slice.series) == chosen) out_.slices.push_back(std::move(slice));
  }
  return done();
}

std::string SeriesReader::skipped_text(const std::vector<SkippedFile>& skipped) const {
  std::string out;
  for (std::size_t i = 0; i < std::min(skipped.size(), most_names_in_a_note); ++i) {
    const Path name = Path(out_.files[skipped[i].file]).lexically_relative(folder_);
    out += (i == 0 ? "" : ", ") + name.generic_string() + ": " + skipped[i].reason;
  }
  return skipped.size() > most_names_in_a_note ? out + ", ..." : out;
}

void SeriesReader::add_notes(const std::vector<SkippedFile>& skipped) {
  const auto any = [this](auto property) {
    return std::any_of(out_.slices.begin(), out_.slices.end(), property);
  };
  const auto add = [this](const char* code, std::string text) {
    out_.grid.notes.push_back({code, std::move(text)});
  };
  if (!skipped.empty()) {
    add("dicom_skipped", "skipped " + counted(skipped.size(), "file") + " (" + skipped_text(skipped) + ")");
  }
  if (any([](const SliceHeader& slice) { return slice.modality == "CT" && !slice.rescale_given; })) {
    add("dicom_no_rescale", "CT without RescaleSlope and RescaleIntercept: values are as stored, HU or not");
  }
  if (any([](const SliceHeader& slice) { return slice.shown_inverted; })) {
    add("dicom_monochrome1", "MONOCHROME1: meant to be shown inverted; values are not");
  }
  if (any([](const SliceHeader& slice) { return slice.lossy; })) {
    add("dicom_lossy", "pixels were compressed with loss");
  }
}

// The files of a series in the order of their first slice, with what the volume needs to place their slices.
struct PixelPlan {
  std::vector<std::string> files;
  std::vector<FileSlices> slices;
  std::vector<std::vector<std::pair<std::int64_t, const SliceHeader*>>> places;  // by file, then frame
};

PixelPlan make_pixel_plan(const OpenedSeries& series) {
  std::map<std::size_t, std::size_t> numbers;
  PixelPlan out;
  for (std::size_t z = 0; z < series.slices.size(); ++z) {
    const SliceHeader& slice = series.slices[series.grid.order[z]];
    const auto [found, added] = numbers.try_emplace(slice.file, out.files.size());
    if (added) {
      out.files.push_back(series.files[slice.file]);
      out.slices.push_back({slice.frames, slice.rows * slice.columns});
      out.places.emplace_back(static_cast<std::size_t>(slice.frames));
    }
    out.places[found->second][static_cast<std::size_t>(slice.frame)] = {static_cast<std::int64_t>(z), &slice};
  }
  return out;
}

Outcome check_decodable(const OpenedSeries& series) {
  for (const SliceHeader& slice : series.slices) {
    if (slice.decodable) continue;
    return Error(ErrorCode::invalid_data,
                 "pixels in transfer syntax " + slice.transfer_syntax + " cannot be decoded",
                 Place{.path = series.files[slice.file]});
  }
  const Extent& extent = series.grid.grid.extent;
  if (extent.count() > max_image_bytes / 2)
    return invalid_data("a volume of " + extent.text() + " voxels is too large");
  return done();
}

}  // namespace

Result<NiftiImage> read_series(const Path& folder, const SeriesOptions& options) {
  FIDUCIAL_TRY(OpenedSeries series, SeriesReader(folder, options).open().in_file(folder.string()));
  FIDUCIAL_TRY_DONE(check_decodable(series).in_file(folder.string()));
  const PixelPlan plan = make_pixel_plan(series);
  HounsfieldVolume volume(series.grid.grid.extent);
  const auto place = [&](const StoredSlice& slice) -> Outcome {
    const auto& [z, header] = plan.places[slice.file][static_cast<std::size_t>(slice.frame)];
    volume.put(z, slice, header->slope, header->intercept);
    return done();
  };
  FIDUCIAL_TRY_DONE(ask(options, "pixels", plan.files, [&](RecordReader& records) {
                      return records.read_pixels(plan.slices, place);
                    }).in_file(folder.string()));
  NiftiImage out = std::move(volume).image(series.grid.grid);
  out.header().notes = std::move(series.grid.notes);
  return out;
}

Result<NiftiHeader> read_series_header(const Path& folder, const SeriesOptions& options) {
  FIDUCIAL_TRY(OpenedSeries series, SeriesReader(folder, options).open().in_file(folder.string()));
  NiftiHeader out;
  const Extent& extent = series.grid.grid.extent;
  out.dim = {3, extent.x, extent.y, extent.z, 1, 1, 1, 1};
  out.type = VoxelType::int16;
  out.set_affine(series.grid.grid.affine);
  out.notes = std::move(series.grid.notes);
  return out;
}

Result<SeriesFiles> read_series_files(const Path& folder, const SeriesOptions& options) {
  FIDUCIAL_TRY(const OpenedSeries series, SeriesReader(folder, options).open().in_file(folder.string()));
  SeriesFiles out{.grid = series.grid.grid, .files = {}};
  for (const std::size_t index : series.grid.order) {
    const SliceHeader& slice = series.slices[index];
    if (slice.frames > 1) {
      return Error(ErrorCode::invalid_data,
                   "several slices in one file; expected a series of one slice a file",
                   Place{.path = series.files[slice.file]});
    }
    out.files.push_back(series.files[slice.file]);
  }
  return out;
}

}  // namespace fiducial
