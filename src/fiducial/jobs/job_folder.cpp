#include "fiducial/jobs/job_folder.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/store.h"
#include "fiducial/base/system_error.h"

namespace fiducial {

namespace {

constexpr std::string_view unit_schema = "fiducial.unit/1";
constexpr std::size_t hash_size = 64;
constexpr std::size_t unit_digits = 6;

std::string unit_name(std::int64_t unit) {
  const std::string digits = decimal(unit);
  return std::string(digits.size() < unit_digits ? unit_digits - digits.size() : 0, '0') + digits;
}

// The number in front of a name's first dot, and what follows it.
struct NumberedName {
  std::int64_t unit = 0;
  std::string rest;
};
std::optional<NumberedName> parse_name(const std::string& name, std::int64_t units) {
  const std::size_t dot = name.find('.');
  const auto unit = dot == std::string::npos || dot == 0 ? std::nullopt : parse_integer(name.substr(0, dot));
  if (!unit || *unit < 0 || *unit >= units) return std::nullopt;
  return NumberedName{*unit, name.substr(dot + 1)};
}

std::optional<std::string> hash_of_result(const std::string& rest) {
  constexpr std::string_view ending = ".json";
  if (rest.size() != hash_size + ending.size() || !rest.ends_with(ending)) return std::nullopt;
  std::string hash = rest.substr(0, hash_size);
  return parse_digest(hash) ? std::optional(std::move(hash)) : std::nullopt;
}

// With the size of each, where whoever lists them learns it.
using NameVisitor = std::function<void(const std::string& name, std::optional<std::uint64_t> size)>;
Outcome visit_names(const Path& folder, const NameVisitor& visit) {
  if (is_url(folder)) {
    FIDUCIAL_TRY(Store* const store, store_of(folder));
    FIDUCIAL_TRY(const std::vector<StoredEntry> entries, store->list(folder, false));
    for (const StoredEntry& each : entries) visit(each.url.filename().string(), each.size);
    return done();
  }
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder, failed), end; at != end;) {
    visit(at->path().filename().string(), std::nullopt);
    at.increment(failed);
    if (failed) break;
  }
  if (failed) return system_error("list the folder", failed, folder);
  return done();
}

std::uint64_t size_of(const Path& path) {
  const Result<std::uint64_t> size = stored_size(path);
  return size.ok() ? *size : 0;
}

std::string who_and_where() {
  std::string host(HOST_NAME_MAX + 1, '\0');
  if (::gethostname(host.data(), host.size() - 1) != 0) host = "?";
  return std::string(host.c_str()) + ' ' + decimal(static_cast<std::int64_t>(::getpid()));
}

}  // namespace

std::vector<std::int64_t> JobProgress::open_units(std::int64_t units) const {
  std::vector<std::int64_t> out;
  for (std::int64_t unit = 0; unit < units; ++unit) {
    if (!is_done(unit)) out.push_back(unit);
  }
  return out;
}

std::string unit_text(const JobPlan& plan, const UnitResult& result) {
  Json files = Json::object({});
  for (const auto& [name, hash] : result.files) files.set(name, hash);
  return Json::object({{"schema", unit_schema},
                       {"plan", plan.digest.hex()},
                       {"unit", result.unit},
                       {"files", std::move(files)},
                       {"value", result.value}})
             .compact() +
         "\n";
}

Result<UnitResult> parse_unit(std::string_view text, const JobPlan& plan) {
  FIDUCIAL_TRY(const Json document, parse_json(text));
  FIDUCIAL_TRY(const std::string schema, required_string(document, "schema", ""));
  if (schema != unit_schema)
    return at_pointer("/schema", "expected " + std::string(unit_schema) + ", found \"" + schema + "\"");
  FIDUCIAL_TRY(const std::string planned, required_string(document, "plan", ""));
  if (planned != plan.digest.hex())
    return Error(ErrorCode::integrity, "a unit of another plan: its plan is " + planned + ", this one " +
                                           plan.digest.hex() + "; files of other jobs do not belong here");
  UnitResult out;
  FIDUCIAL_TRY(out.unit, required_integer(document, "unit", ""));
  if (out.unit < 0 || out.unit >= plan.units)
    return at_pointer("/unit",
                      "expected a unit below " + decimal(plan.units) + ", found " + decimal(out.unit));
  FIDUCIAL_TRY(const Json* files, required_field(document, "files", ""));
  FIDUCIAL_TRY(const Json::Object* named, expect_object(*files, "/files"));
  for (const auto& [name, hash] : *named) {
    FIDUCIAL_TRY(std::string digest, expect_string(hash, "/files/" + name));
    const bool is_plain = !name.empty() && name.front() != '.' && name.find('/') == std::string::npos;
    if (!is_plain || !parse_digest(digest))
      return at_pointer("/files/" + name, "expected a plain name and a sha256");
    out.files.emplace(name, std::move(digest));
  }
  FIDUCIAL_TRY(const Json* value, required_field(document, "value", ""));
  out.value = *value;
  return out;
}

Path JobFolder::claim_path(const Claim& claim) const {
  return path_ / "claims" / (unit_name(claim.unit) + '.' + decimal(claim.attempt));
}

Path JobFolder::journal_folder() const {
  if (!is_url(path_)) return path_ / "journals";
  std::error_code ignored;
  const Path local = std::filesystem::temp_directory_path(ignored);
  return local / ("fiducial-job-" + plan_.digest.hex().substr(0, 16));
}

Path JobFolder::journal_path(std::int64_t unit, std::int64_t attempt) const {
  return journal_folder() / (unit_name(unit) + '.' + decimal(attempt));
}

Result<JobProgress> JobFolder::progress() const {
  JobProgress out;
  std::map<std::string, std::uint64_t> sizes;  // of claims, by name
  FIDUCIAL_TRY_DONE(visit_names(path_ / "units", [&](const std::string& name, auto) {
    const auto parts = parse_name(name, plan_.units);
    if (!parts) return;
    if (auto hash = hash_of_result(parts->rest)) out.results[parts->unit].push_back(*std::move(hash));
  }));
  FIDUCIAL_TRY_DONE(
      visit_names(path_ / "claims", [&](const std::string& name, std::optional<std::uint64_t> size) {
        const auto parts = parse_name(name, plan_.units);
        const auto attempt = parts ? parse_integer(parts->rest) : std::nullopt;
        if (!attempt || *attempt < 0) return;
        Claim& known = out.claims.try_emplace(parts->unit, Claim{parts->unit, -1, 0}).first->second;
        known.attempt = std::max(known.attempt, *attempt);
        if (size) sizes.emplace(name, *size);
      }));
  for (auto& [unit, claim] : out.claims) {
    if (out.is_done(unit)) continue;
    const auto listed = sizes.find(claim_path(claim).filename().string());
    claim.beats = listed == sizes.end() ? size_of(claim_path(claim)) : listed->second;
  }
  return out;
}

Result<bool> JobFolder::claim(const Claim& wanted) const {
  const Path path = claim_path(wanted);
  if (is_url(path)) {
    // A bucket may let two workers in here at once: they do one work twice, with one result.
    if (is_there(path)) return false;
    FIDUCIAL_TRY_DONE(write_file(path, std::string_view(who_and_where() + "\n")));
    return true;
  }
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor < 0 && errno == EEXIST) return false;
  if (descriptor < 0) return system_error("claim a unit", errno, path);
  OpenFile file(descriptor);
  const Outcome written = file.write(as_bytes(who_and_where() + "\n"));
  if (written.ok()) return true;
  release(wanted);
  return Error(written.error()).in_file(path.string());
}

void JobFolder::beat(const Claim& held) const {
  // A beat that is lost may cost a copy of the work, no more.
  if (is_url(path_)) {
    const Result<std::string> text = read_text_file(claim_path(held));
    if (text.ok()) static_cast<void>(write_file(claim_path(held), std::string_view(*text + ".")));
    return;
  }
  const int descriptor = ::open(claim_path(held).c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return;
  static_cast<void>(OpenFile(descriptor).write(as_bytes(std::string_view("."))));
}

void JobFolder::release(const Claim& held) const {
  if (is_url(path_)) {
    const Result<Store*> store = store_of(path_);
    if (store.ok()) static_cast<void>((*store)->remove(claim_path(held)));
    return;
  }
  std::error_code ignored;
  std::filesystem::remove(claim_path(held), ignored);
}

bool JobFolder::has_rival(const Claim& held) const {
  return held.attempt > 0 || is_file(claim_path({held.unit, held.attempt + 1, 0}));
}

std::string JobFolder::holder(const Claim& claim) const {
  const Result<std::string> text = read_text_file(claim_path(claim));
  return text.ok() ? text->substr(0, text->find('\n')) : std::string();
}

Path JobFolder::journal(const Claim& held, bool goes_on) const {
  Path out = journal_path(held.unit, held.attempt);
  if (is_url(path_)) static_cast<void>(make_folders(out.parent_path()));
  if (!goes_on || is_file(out)) return out;
  for (std::int64_t before = held.attempt - 1; before >= 0; --before) {
    const Result<std::string> text = read_text_file(journal_path(held.unit, before));
    if (!text.ok()) continue;
    static_cast<void>(write_file(out, *text));
    break;
  }
  return out;
}

void JobFolder::forget_journals(const Claim& held) const {
  std::error_code ignored;
  for (std::int64_t attempt = 0; attempt <= held.attempt; ++attempt)
    std::filesystem::remove(journal_path(held.unit, attempt), ignored);
}

Path JobFolder::spare_journal(const Claim& held) const {
  if (held.attempt > 0) forget_journals({held.unit, held.attempt - 1, 0});
  return journal_path(held.unit, held.attempt);
}

void JobFolder::rename_journal(const Path& spare, const Path& journal) {
  std::error_code failed;
  if (spare.empty() || spare == journal) return;
  if (std::filesystem::exists(journal, failed)) {
    std::filesystem::remove(spare, failed);
    return;
  }
  std::filesystem::resize_file(spare, 0, failed);
  if (!failed) std::filesystem::rename(spare, journal, failed);
}

void JobFolder::forget_leftovers() const {
  std::error_code failed;
  for (std::filesystem::directory_iterator at(journal_folder(), failed), end; !failed && at != end;
       at.increment(failed)) {
    std::error_code ignored;
    std::filesystem::remove_all(at->path(), ignored);
  }
}

Result<std::string> JobFolder::keep(std::string_view bytes) const {
  std::string hash = sha256(as_bytes(bytes)).hex();
  if (!is_file(kept(hash))) FIDUCIAL_TRY_DONE(write_file(kept(hash), bytes));
  return hash;
}

Result<std::string> JobFolder::read_kept(const std::string& hash, std::uint64_t max_bytes) const {
  FIDUCIAL_TRY(std::string bytes, read_text_file(kept(hash), max_bytes));
  if (sha256(as_bytes(bytes)).hex() == hash) return bytes;
  return Error(ErrorCode::integrity, "the file is not what its name says: it was changed or cut off",
               Place{.path = kept(hash).string()});
}

Outcome JobFolder::publish(const UnitResult& result) const {
  const std::string text = unit_text(plan_, result);
  return write_file(path_ / "units" / (unit_name(result.unit) + '.' + sha256(as_bytes(text)).hex() + ".json"),
                    text);
}

Outcome JobFolder::visit_results(const std::function<Outcome(UnitResult)>& visit) const {
  FIDUCIAL_TRY(const JobProgress found, progress());
  FIDUCIAL_TRY_DONE(check_agreement(plan_, found, path_));
  const std::vector<std::int64_t> open = found.open_units(plan_.units);
  if (!open.empty())
    return Error(ErrorCode::unfinished,
                 decimal(open.size()) + " of " + decimal(plan_.units) +
                     " units have no result, the first is " + decimal(open.front()) + "; 'fiducial work " +
                     path_.string() + "' goes on",
                 Place{.path = path_.string()});
  for (const auto& [unit, hashes] : found.results) {
    // Of results that may differ the one with the least hash is taken, whoever looks.
    const std::string& hash = *std::min_element(hashes.begin(), hashes.end());
    const Path file = path_ / "units" / (unit_name(unit) + '.' + hash + ".json");
    FIDUCIAL_TRY(const std::string text, read_text_file(file));
    if (sha256(as_bytes(text)).hex() != hash)
      return Error(ErrorCode::integrity, "the result is not what its name says: it was changed or cut off",
                   Place{.path = file.string()});
    FIDUCIAL_TRY(UnitResult result, parse_unit(text, plan_).in_file(file.string()));
    if (result.unit != unit)
      return Error(ErrorCode::integrity, "the result of unit " + decimal(result.unit) + " has this name",
                   Place{.path = file.string()});
    FIDUCIAL_TRY_DONE(visit(std::move(result)));
  }
  return done();
}

Outcome check_agreement(const JobPlan& plan, const JobProgress& progress, const Path& job) {
  if (plan.may_differ) return done();
  for (const auto& [unit, hashes] : progress.results) {
    if (hashes.size() < 2) continue;
    return Error(ErrorCode::integrity,
                 "unit " + decimal(unit) + " has " + decimal(hashes.size()) +
                     " results that differ: the work is not deterministic, or a file changed; all are kept",
                 Place{.path = (job / "units" / unit_name(unit)).string() + ".*"});
  }
  return done();
}

}  // namespace fiducial
