#include "fiducial/curate/output_files.h"

#include <array>
#include <system_error>

namespace fiducial {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 18;

}  // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::create(const Path& path, std::string name) {
  FIDUCIAL_TRY(std::unique_ptr<FileSink> sink, FileSink::create(path));
  return std::unique_ptr<OutputFile>(new OutputFile(std::move(name), std::move(sink)));
}

Outcome OutputFile::write(std::string_view text) {
  held_.append(text);
  return held_.size() < buffer_bytes ? done() : flush();
}

Outcome OutputFile::flush() {
  const ByteView bytes = as_bytes(held_);
  hash_.update(bytes);
  bytes_ += bytes.size();
  FIDUCIAL_TRY_DONE(sink_->write(bytes));
  held_.clear();
  return done();
}

Outcome OutputFile::publish() {
  FIDUCIAL_TRY_DONE(flush());
  digest_ = hash_.digest().hex();
  return sink_->publish();
}

Json OutputFile::json() const {
  return Json::object({{"file", name_}, {"bytes", bytes_}, {"sha256", digest_}});
}

bool OutputFiles::names_file(const Path& target) {
  const std::string extension = target.extension().string();
  for (const char* known : {".json", ".jsonl", ".ndjson", ".csv", ".txt"}) {
    if (extension == known) return true;
  }
  return false;
}

Result<OutputFiles> OutputFiles::create(const Path& target, bool is_folder, bool overwrite) {
  OutputFiles out(target);
  if (is_folder) {
    FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(target, "manifest.json", overwrite));
    out.folder_ = std::make_unique<StagedFolder>(std::move(folder));
    return out;
  }
  std::error_code failure;
  if (std::filesystem::exists(target, failure) && !overwrite) {
    return Error(ErrorCode::bad_usage, "output exists; --overwrite replaces it",
                 Place{.path = target.string()});
  }
  if (target.has_parent_path()) std::filesystem::create_directories(target.parent_path(), failure);
  return out;
}

const Path& OutputFiles::staging() const {
  FIDUCIAL_ASSERT(folder_ != nullptr);
  return folder_->staging();
}

Result<OutputFile*> OutputFiles::add_main(const std::string& extension) {
  if (folder_ != nullptr) return add("items" + extension);
  FIDUCIAL_TRY(std::unique_ptr<OutputFile> file, OutputFile::create(target_, target_.filename().string()));
  files_.push_back(std::move(file));
  return files_.back().get();
}

Result<OutputFile*> OutputFiles::add(const std::string& name) {
  const Path path = folder_ != nullptr ? folder_->staging() / name : Path(target_.string() + "." + name);
  const std::string shown = folder_ != nullptr ? name : path.filename().string();
  FIDUCIAL_TRY(std::unique_ptr<OutputFile> file, OutputFile::create(path, shown));
  files_.push_back(std::move(file));
  return files_.back().get();
}

Result<Json> OutputFiles::publish(Json manifest) {
  Json outputs = Json::Array{};
  for (const auto& file : files_) {
    FIDUCIAL_TRY_DONE(file->publish());
    outputs.push(file->json());
  }
  manifest.set("outputs", std::move(outputs));
  if (folder_ == nullptr) {
    FIDUCIAL_TRY_DONE(write_file(Path(target_.string() + ".manifest.json"), manifest.pretty()));
    return manifest;
  }
  FIDUCIAL_TRY_DONE(write_file(folder_->staging() / "manifest.json", manifest.pretty()));
  FIDUCIAL_TRY_DONE(folder_->publish());
  return manifest;
}

std::string with_crlf(const std::string& line) { return line.substr(0, line.size() - 1) + "\r\n"; }

}  // namespace fiducial
