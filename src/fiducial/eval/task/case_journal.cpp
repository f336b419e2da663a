#include "fiducial/eval/task/case_journal.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <span>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "fiducial/base/number_text.h"
#include "fiducial/base/open_file.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/store.h"
#include "fiducial/base/system_error.h"

namespace fiducial {

namespace {

std::string header_line(const std::string& key) {
  return Json::object({{"schema", "fiducial.journal/1"}, {"key", key}}).compact() + "\n";
}

// The cases of the whole lines at the front of a journal, and how many bytes those lines take.
struct JournalPrefix {
  std::map<std::string, Json> cases;
  std::size_t bytes = 0;
};

JournalPrefix read_prefix(std::string_view text, const std::string& key) {
  JournalPrefix out;
  const std::string header = header_line(key);
  if (!text.starts_with(header)) return out;
  out.bytes = header.size();
  while (out.bytes < text.size()) {
    const std::size_t end = text.find('\n', out.bytes);
    if (end == std::string_view::npos) break;
    Result<Json> value = parse_json(text.substr(out.bytes, end - out.bytes));
    const Json* name = value.ok() ? value->find("case") : nullptr;
    if (name == nullptr || name->as_string() == nullptr) break;
    const std::string of_case = *name->as_string();
    out.cases.insert_or_assign(of_case, *std::move(value));
    out.bytes = end + 1;
  }
  return out;
}

Error journal_error(const Path& file, const std::string& doing) {
  return system_error(doing + " the journal", errno, file);
}

Outcome write_line(int descriptor, std::string_view line, const Path& file) {
  while (!line.empty()) {
    const ssize_t written = ::write(descriptor, line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return journal_error(file, "write");
    line.remove_prefix(static_cast<std::size_t>(written));
  }
  return done();
}

// Where only this user writes: a journal is appended to case by case, which no object of a bucket can be.
Path private_cache() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return Path(cache) / "fiducial" / "journals";
  const char* const home = std::getenv("HOME");
  return Path(home != nullptr && *home == '/' ? home : ".") / ".cache" / "fiducial" / "journals";
}

}  // namespace

Result<std::unique_ptr<CaseJournal>> CaseJournal::open(const Path& file, const std::string& key) {
  std::error_code ignored;
  JournalPrefix prefix;
  if (std::filesystem::exists(file, ignored)) {
    FIDUCIAL_TRY(const std::string text, read_text_file(file));
    prefix = read_prefix(text, key);
  }
  std::vector<Path> made = missing_parents(file);
  if (!made.empty()) std::filesystem::create_directories(made.front(), ignored);
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return journal_error(file, "open");
  std::unique_ptr<CaseJournal> out(new CaseJournal(file, descriptor));
  out->made_ = std::move(made);
  if (::ftruncate(descriptor, static_cast<off_t>(prefix.bytes)) != 0 ||
      ::lseek(descriptor, 0, SEEK_END) < 0) {
    return journal_error(file, "trim");
  }
  if (prefix.bytes == 0) FIDUCIAL_TRY_DONE(write_line(descriptor, header_line(key), file));
  out->kept_ = std::move(prefix.cases);
  return out;
}

CaseJournal::~CaseJournal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

const Json* CaseJournal::find(const std::string& case_name) const {
  const auto found = kept_.find(case_name);
  return found == kept_.end() ? nullptr : &found->second;
}

Outcome CaseJournal::append(const Json& value) {
  const std::string line = value.compact() + "\n";
  const std::lock_guard lock(mutex_);
  return write_line(descriptor_, line, file_);
}

void CaseJournal::remove() {
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
  for (const Path& folder : made_) std::filesystem::remove(folder, ignored);  // only where empty
}

Path journal_path(const Path& output) {
  const Path target = output_target(output);
  if (is_url(target))
    return private_cache() / (sha256(as_bytes(target.string())).hex().substr(0, 16) + ".journal");
  return target.parent_path() / ("." + target.filename().string() + ".journal");
}

Outcome publish_and_forget(const Path& output, StagedFolder& folder) {
  const Path path = journal_path(output);
  const Result<OpenFile> journal = OpenFile::open(path);  // its bytes stay as long as this does
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  Outcome outcome = folder.publish();
  if (outcome.ok() || !journal.ok()) return outcome;
  const Result<std::uint64_t> size = journal->size();
  std::string text(static_cast<std::size_t>(size.ok() ? *size : 0), '\0');
  if (journal->read(std::as_writable_bytes(std::span(text))).ok()) static_cast<void>(write_file(path, text));
  return outcome;
}

}  // namespace fiducial
