#include "fiducial/eval/case_journal.h"

#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "fiducial/base/number_text.h"
#include "fiducial/base/system_error.h"
#include "fiducial/eval/case_score_json.h"

namespace fiducial {

namespace {

std::string header_line(const std::string& key) {
  return Json::object({{"schema", "fiducial.journal/1"}, {"key", key}}).compact() + "\n";
}

// The cases of the whole lines at the front of a journal, and how many bytes those lines take.
struct JournalPrefix {
  std::map<std::string, CaseScore> cases;
  std::size_t bytes = 0;
  bool whole = true;  // nothing follows the last whole line
};

JournalPrefix read_prefix(std::string_view text, const std::string& key) {
  JournalPrefix out;
  const std::string header = header_line(key);
  if (!text.starts_with(header)) {
    out.whole = text.empty();
    return out;
  }
  out.bytes = header.size();
  while (out.bytes < text.size()) {
    const std::size_t end = text.find('\n', out.bytes);
    if (end == std::string_view::npos) break;
    const Result<Json> value = parse_json(text.substr(out.bytes, end - out.bytes));
    if (!value.ok()) break;
    Result<CaseScore> scored = parse_case_score(*value);
    if (!scored.ok()) break;
    const std::string name = scored->name;
    out.cases.insert_or_assign(name, *std::move(scored));
    out.bytes = end + 1;
  }
  out.whole = out.bytes == text.size();
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

}  // namespace

Result<CaseJournal> CaseJournal::open(const Path& file, const std::string& key) {
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
  CaseJournal out(file, descriptor);
  out.made_ = std::move(made);
  if (::ftruncate(descriptor, static_cast<off_t>(prefix.bytes)) != 0 ||
      ::lseek(descriptor, 0, SEEK_END) < 0) {
    return journal_error(file, "trim");
  }
  if (prefix.bytes == 0) FIDUCIAL_TRY_DONE(write_line(descriptor, header_line(key), file));
  out.kept_ = std::move(prefix.cases);
  return out;
}

Result<std::map<std::string, CaseScore>> CaseJournal::read(const Path& file, const std::string& key) {
  FIDUCIAL_TRY(const std::string text, read_text_file(file));
  JournalPrefix prefix = read_prefix(text, key);
  if (prefix.whole && prefix.bytes > 0) return std::move(prefix.cases);
  return Error(ErrorCode::integrity, "not the scored cases of this plan, or cut off",
               Place{.path = file.string(), .byte = prefix.bytes});
}

CaseJournal::CaseJournal(CaseJournal&& other) noexcept
    : file_(std::move(other.file_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      made_(std::move(other.made_)),
      kept_(std::move(other.kept_)) {}

CaseJournal::~CaseJournal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Outcome CaseJournal::append(const CaseScore& scored) {
  const std::string line = to_json(scored).compact() + "\n";
  const std::lock_guard lock(mutex_);
  return write_line(descriptor_, line, file_);
}

void CaseJournal::remove() {
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
  for (const Path& folder : made_) std::filesystem::remove(folder, ignored);  // only where empty
}

std::string journal_text(const std::string& key, const std::vector<CaseScore>& cases) {
  std::string out = header_line(key);
  for (const CaseScore& scored : cases) out += to_json(scored).compact() + "\n";
  return out;
}

Path journal_path(const Path& output) {
  const Path target = output.filename().empty() ? output.parent_path() : output;
  return target.parent_path() / ("." + target.filename().string() + ".journal");
}

}  // namespace fiducial
