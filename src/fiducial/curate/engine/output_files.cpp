#include "fiducial/curate/engine/output_files.h"

#include <algorithm>
#include <system_error>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/open_file.h"
#include "fiducial/base/staged_file.h"
#include "fiducial/base/system_error.h"

namespace fiducial {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 18;

// A file that grows at its end; its folder is flushed as a whole.
class AppendSink final : public ByteSink {
 public:
  static Result<std::unique_ptr<AppendSink>> open(const Path& path, std::uint64_t bytes) {
    FIDUCIAL_TRY(OpenFile file, OpenFile::extend(path, bytes).in_file(path.string()));
    return std::unique_ptr<AppendSink>(new AppendSink(path, std::move(file)));
  }

  Outcome write(ByteView bytes) override { return file_.write(bytes).in_file(path_.string()); }

 private:
  AppendSink(Path path, OpenFile file) : path_(std::move(path)), file_(std::move(file)) {}

  Path path_;
  OpenFile file_;
};

// The hash of a file's first bytes, of which it has enough.
Result<Sha256> hash_of_prefix(const Path& path, std::uint64_t bytes) {
  Sha256 hash;
  if (bytes == 0) return hash;
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
  std::vector<std::byte> buffer(buffer_bytes);
  while (bytes > 0) {
    const std::size_t wanted = std::min<std::uint64_t>(bytes, buffer.size());
    FIDUCIAL_TRY(const std::size_t got, file->read(std::span(buffer).first(wanted)).in_file(path.string()));
    if (got == 0) {
      return Error(ErrorCode::integrity, "is shorter than the earlier run left it",
                   Place{.path = path.string()});
    }
    hash.update(ByteView(buffer).first(got));
    bytes -= got;
  }
  return hash;
}

}  // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::create(const Path& path, std::string name) {
  FIDUCIAL_TRY(std::unique_ptr<FileSink> sink, FileSink::create(path));
  FileSink* published = sink.get();
  std::unique_ptr<OutputFile> out(new OutputFile(std::move(name), std::move(sink)));
  out->published_ = published;
  return out;
}

Result<std::unique_ptr<OutputFile>> OutputFile::resume(const Path& path, std::string name,
                                                       std::uint64_t bytes) {
  FIDUCIAL_TRY(Sha256 hash, hash_of_prefix(path, bytes));
  FIDUCIAL_TRY(std::unique_ptr<AppendSink> sink, AppendSink::open(path, bytes));
  std::unique_ptr<OutputFile> out(new OutputFile(std::move(name), std::move(sink)));
  out->hash_ = hash;
  out->bytes_ = bytes;
  return out;
}

Outcome OutputFile::write(std::string_view text) {
  held_.append(text);
  if (held_.size() < buffer_bytes) return done();
  FIDUCIAL_TRY_DONE(flush());
  return done();
}

Result<std::uint64_t> OutputFile::flush() {
  const ByteView bytes = as_bytes(held_);
  hash_.update(bytes);
  bytes_ += bytes.size();
  FIDUCIAL_TRY_DONE(sink_->write(bytes));
  held_.clear();
  return bytes_;
}

Outcome OutputFile::publish() {
  FIDUCIAL_TRY_DONE(flush());
  digest_ = hash_.digest().hex();
  return published_ != nullptr ? published_->publish() : done();
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
  out.is_folder_ = is_folder;
  out.overwrite_ = overwrite;
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
  if (target.has_parent_path()) FIDUCIAL_TRY_DONE(make_folders(target.parent_path()));
  return out;
}

Result<OutputFiles> OutputFiles::resume(const Path& target, bool is_folder, bool overwrite, const Json& run) {
  FIDUCIAL_TRY(OutputFiles out, create(target, is_folder, overwrite));  // refuses what must not be replaced
  out.folder_.reset();
  FIDUCIAL_TRY(WorkFolder work, WorkFolder::open(target, run));
  out.work_ = std::make_unique<WorkFolder>(std::move(work));
  return out;
}

const Path& OutputFiles::staging() const {
  FIDUCIAL_ASSERT(is_folder_);
  return work_ != nullptr ? work_->path() : folder_->staging();
}

Result<OutputFile*> OutputFiles::add_main(const std::string& extension, const std::string& name) {
  main_file_ = is_folder_ ? name + extension : single_main;
  if (is_folder_) return add(main_file_);
  return add_file(single_main, target_, target_.filename().string());
}

Result<OutputFile*> OutputFiles::add(const std::string& name) {
  if (is_folder_) return add_file(name, staging() / name, name);
  return add_file(name, beside(name), beside(name).filename().string());
}

Result<OutputFile*> OutputFiles::add_file(const std::string& name, const Path& path,
                                          const std::string& shown) {
  std::unique_ptr<OutputFile> file;
  if (work_ != nullptr) {
    FIDUCIAL_TRY(file, resumed_file(name, shown));
  } else {
    FIDUCIAL_TRY(file, OutputFile::create(path, shown));
  }
  if (follows_others_) file->follow_others();
  files_.push_back(std::move(file));
  return files_.back().get();
}

Result<OutputFile*> OutputFiles::add_memory(const std::string& name) {
  FIDUCIAL_ASSERT(work_ != nullptr);
  FIDUCIAL_TRY(std::unique_ptr<OutputFile> file, resumed_file(name, name));
  memories_.push_back(std::move(file));
  return memories_.back().get();
}

// A file of the work folder, as long as the earlier run saved it.
Result<std::unique_ptr<OutputFile>> OutputFiles::resumed_file(const std::string& name,
                                                              const std::string& shown) const {
  const Json* files = work_->checkpoint().find("files");
  const Json* bytes = files == nullptr ? nullptr : files->find(shown);
  const bool known = bytes != nullptr && bytes->as_integer() != nullptr && *bytes->as_integer() >= 0;
  return OutputFile::resume(work_->path() / name, shown,
                            known ? static_cast<std::uint64_t>(*bytes->as_integer()) : 0);
}

Outcome OutputFiles::save(Json checkpoint) {
  Json files = Json::Object{};
  for (const auto* group : {&files_, &memories_}) {
    for (const auto& file : *group) {
      FIDUCIAL_TRY(const std::uint64_t bytes, file->flush());
      files.set(file->name(), bytes);
    }
  }
  checkpoint.set("files", std::move(files));
  return work_->save(checkpoint);
}

void OutputFiles::keep() {
  if (work_ != nullptr) work_->keep();
}

// Every file of the work folder to its place beside the target, the manifest last.
Outcome OutputFiles::publish_single(const Json& manifest) {
  FIDUCIAL_TRY_DONE(flush_folder(work_->path()));
  for (const auto& file : files_) {
    const bool is_main = file->name() == target_.filename().string();
    const std::string prefix = target_.filename().string() + ".";
    const Path from = work_->path() / (is_main ? single_main : file->name().substr(prefix.size()));
    FIDUCIAL_TRY_DONE(rename_path(from, target_.parent_path() / file->name()));
  }
  return write_file(beside("manifest.json"), manifest.pretty());
}

// The work folder takes the place of a staging one.
Outcome OutputFiles::publish_folder() {
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(target_, "manifest.json", overwrite_));
  std::error_code failure;
  std::filesystem::remove(folder.staging(), failure);
  const Path work = work_->release();
  std::filesystem::rename(work, folder.staging(), failure);
  if (failure) return system_error("publish", failure, target_);
  return folder.publish();
}

Result<Json> OutputFiles::publish(Json manifest) {
  std::error_code ignored;
  for (const auto& memory : memories_) std::filesystem::remove(memory_path(memory->name()), ignored);
  Json outputs = Json::Array{};
  for (const auto& file : files_) {
    FIDUCIAL_TRY_DONE(file->publish());
    outputs.push(file->json());
  }
  manifest.set("outputs", std::move(outputs));
  if (!is_folder_) {
    if (work_ != nullptr) {
      FIDUCIAL_TRY_DONE(publish_single(manifest));
    } else {
      FIDUCIAL_TRY_DONE(write_file(beside("manifest.json"), manifest.pretty()));
    }
    return manifest;
  }
  FIDUCIAL_TRY_DONE(write_file(staging() / "manifest.json", manifest.pretty()));
  FIDUCIAL_TRY_DONE(flush_folder(staging()));
  if (work_ == nullptr) {
    FIDUCIAL_TRY_DONE(folder_->publish());
    return manifest;
  }
  FIDUCIAL_TRY_DONE(publish_folder());
  return manifest;
}

std::string with_crlf(const std::string& line) { return line.substr(0, line.size() - 1) + "\r\n"; }

}  // namespace fiducial
