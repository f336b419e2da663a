#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fiducial/archive/zip_writer.h"
#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/sha256.h"
#include "fiducial/curate/engine/work_folder.h"

namespace fiducial {

// A file of an output, hashed as it is written.
class OutputFile {
 public:
  static Result<std::unique_ptr<OutputFile>> create(const Path& path, std::string name);
  // A file of a work folder, of which the first bytes are kept.
  static Result<std::unique_ptr<OutputFile>> resume(const Path& path, std::string name, std::uint64_t bytes);

  Outcome write(std::string_view text);
  // What a file begins with; an earlier run that is resumed has written it.
  Outcome write_heading(std::string_view text) { return bytes_ > 0 || !is_first_ ? done() : write(text); }
  // Of a part that is not the first: others have written what the file begins with.
  void follow_others() { is_first_ = false; }
  // Hands what is held to the file; returns how many bytes it has.
  Result<std::uint64_t> flush();
  Outcome publish();
  const std::string& name() const { return name_; }
  Json json() const;  // name, bytes, sha256; once published

 private:
  OutputFile(std::string name, std::unique_ptr<ByteSink> sink)
      : name_(std::move(name)), sink_(std::move(sink)) {}

  std::string name_;
  std::unique_ptr<ByteSink> sink_;
  FileSink* published_ = nullptr;  // the sink, where it appears at its target by itself
  std::string held_;
  Sha256 hash_;
  std::string digest_;
  std::uint64_t bytes_ = 0;
  bool is_first_ = true;
};

// In a work folder, the one file that a stage is run for.
inline constexpr const char* single_main = "main";

// Where a stage writes: one file with others beside it, or a folder. Nothing is seen of it before publish().
class OutputFiles {
 public:
  static Result<OutputFiles> create(const Path& target, bool is_folder, bool overwrite);
  // The same, going on where an earlier run of the same kind was killed.
  static Result<OutputFiles> resume(const Path& target, bool is_folder, bool overwrite, const Json& run);
  // Whether a path has the ending of a file.
  static bool names_file(const Path& target);

  // The file a stage is run for. Name and extension count in a folder only.
  Result<OutputFile*> add_main(const std::string& extension, const std::string& name = "items");
  // What the file a stage is run for is called where it is written: "items.jsonl" in a folder, "main" alone;
  // "" before there is one.
  const std::string& main_file() const { return main_file_; }
  // Another one: in a folder NAME, beside a file OUT.NAME.
  Result<OutputFile*> add(const std::string& name);
  // A file of a run that can be resumed which is no part of its output: what must be known of earlier items.
  Result<OutputFile*> add_memory(const std::string& name);
  Path memory_path(const std::string& name) const { return work_->path() / name; }
  // The folder that becomes the output; not for single files.
  const Path& staging() const;

  // Where the earlier run was, or null; and where this one is.
  Json checkpoint() const { return work_ == nullptr ? Json() : work_->checkpoint(); }
  bool resumes() const { return work_ != nullptr; }
  // What is added from here on is of a part that is not the first.
  void follow_others() { follows_others_ = true; }
  Outcome save(Json checkpoint);
  // Leaves what there is for the next run.
  void keep();

  // Publishes the files, then manifest.json with their hashes under "outputs".
  Result<Json> publish(Json manifest);

 private:
  explicit OutputFiles(Path target) : target_(std::move(target)) {}
  Result<OutputFile*> add_file(const std::string& name, const Path& path, const std::string& shown);
  Result<std::unique_ptr<OutputFile>> resumed_file(const std::string& name, const std::string& shown) const;
  Outcome publish_single(const Json& manifest);
  Outcome publish_folder();
  Path beside(const std::string& name) const { return target_.string() + "." + name; }

  Path target_;
  bool is_folder_ = false;
  bool overwrite_ = false;
  bool follows_others_ = false;
  std::string main_file_;
  std::unique_ptr<StagedFolder> folder_;  // of a run that cannot be resumed
  std::unique_ptr<WorkFolder> work_;      // of one that can
  std::vector<std::unique_ptr<OutputFile>> files_;
  std::vector<std::unique_ptr<OutputFile>> memories_;
};

// A line that ends as the published scripts end theirs.
std::string with_crlf(const std::string& line);

}  // namespace fiducial
