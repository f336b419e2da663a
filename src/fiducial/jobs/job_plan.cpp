#include "fiducial/jobs/job_plan.h"

#include <algorithm>
#include <cerrno>
#include <numeric>
#include <queue>
#include <set>
#include <sys/stat.h>

#include <elf.h>
#include <link.h>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/store.h"
#include "fiducial/base/system_error.h"
#include "fiducial/base/version.h"

namespace fiducial {

namespace {

constexpr std::string_view job_schema = "fiducial.job/1";
constexpr const char* job_mark = "job.txt";  // tells a job in a bucket from a folder of scores
constexpr std::string_view digest_key = "\"sha256\":\"";
constexpr std::uint64_t most_plan_bytes = std::uint64_t{1} << 32;
// What a case costs beside its bytes, in bytes: cases without files are spread evenly, too.
constexpr std::uint64_t least_weight = std::uint64_t{64} << 10;

std::string hex_of(const unsigned char* bytes, std::size_t count) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    out += digits[bytes[i] >> 4U];
    out += digits[bytes[i] & 15U];
  }
  return out;
}

std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

// The build id in the notes of a segment.
std::string build_id_in(const unsigned char* notes, std::size_t size) {
  for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
    const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(notes + at);
    const std::size_t name = at + sizeof(ElfW(Nhdr));
    const std::size_t bytes = name + padded(note->n_namesz);
    if (note->n_type == NT_GNU_BUILD_ID && bytes + note->n_descsz <= size)
      return hex_of(notes + bytes, note->n_descsz);
    at = bytes + padded(note->n_descsz);
  }
  return "";
}

// The first object is the program itself.
int take_build_id(dl_phdr_info* object, std::size_t, void* out) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* notes =
        reinterpret_cast<const unsigned char*>(object->dlpi_addr + segment.p_vaddr);  // NOLINT
    const std::string found = build_id_in(notes, segment.p_memsz);
    if (!found.empty()) *static_cast<std::string*>(out) = found;
  }
  return 1;
}

// All of a plan but its last line.
std::string body_of(const JobPlan& plan) {
  std::string out = "{\"schema\":\"" + std::string(job_schema) + "\",\n\"tool_version\":";
  append_json_text(out, plan.version);
  out += ",\n\"build\":";
  append_json_text(out, plan.build);
  out += ",\n\"verb\":";
  append_json_text(out, plan.verb);
  out += ",\n\"request\":" + plan.request.compact() + ",\n\"inputs\":" + plan.inputs.compact();
  out += ",\n\"units\":" + decimal(plan.units) + ",\n\"may_differ\":" + (plan.may_differ ? "true" : "false");
  if (plan.is_private) out += ",\n\"private\":true";
  out += ",\n\"cases\":[";
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    const JobCase& each = plan.cases[i];
    out += i == 0 ? "\n[" : ",\n[";
    append_json_text(out, each.name);
    out += ',' + decimal(each.bytes) + ',' + decimal(each.unit) + ',';
    append_json_text(out, each.state);
    out += ']';
  }
  return out + "\n],\n";
}

std::string ending_of(const Digest& digest) { return std::string(digest_key) + digest.hex() + "\"}\n"; }

Result<JobCase> parse_case(const Json& value, const std::string& pointer, std::int64_t units) {
  const Json::Array* parts = value.as_array();
  if (parts == nullptr || parts->size() != 4)
    return at_pointer(pointer, "expected a name, bytes, a unit and a state");
  FIDUCIAL_TRY(std::string name, expect_string((*parts)[0], pointer + "/0"));
  FIDUCIAL_TRY(const std::int64_t bytes, expect_integer((*parts)[1], pointer + "/1"));
  FIDUCIAL_TRY(const std::int64_t unit, expect_integer((*parts)[2], pointer + "/2"));
  FIDUCIAL_TRY(std::string state, expect_string((*parts)[3], pointer + "/3"));
  if (bytes < 0) return at_pointer(pointer + "/1", "expected a size, found " + decimal(bytes));
  if (unit < 0 || unit >= units)
    return at_pointer(pointer + "/2", "expected a unit below " + decimal(units) + ", found " + decimal(unit));
  return JobCase{std::move(name), static_cast<std::uint64_t>(bytes), unit, std::move(state)};
}

Outcome parse_cases(const Json::Array& cases, JobPlan& plan) {
  std::set<std::string_view> names;
  std::vector<bool> is_used(static_cast<std::size_t>(plan.units));
  plan.cases.reserve(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string pointer = "/cases/" + decimal(i);
    FIDUCIAL_TRY(JobCase one, parse_case(cases[i], pointer, plan.units));
    is_used[static_cast<std::size_t>(one.unit)] = true;
    plan.cases.push_back(std::move(one));
    if (!names.insert(plan.cases.back().name).second)
      return at_pointer(pointer, "case \"" + plan.cases.back().name + "\" stands in the plan twice");
  }
  const auto empty = std::find(is_used.begin(), is_used.end(), false);
  if (empty == is_used.end()) return done();
  return at_pointer("/units", "unit " + decimal(empty - is_used.begin()) + " has no case");
}

// The hash on the last line, once it is the hash of all lines above it.
Result<Digest> checked_digest(std::string_view text) {
  const std::size_t size = ending_of(Digest{}).size();
  if (text.size() < size || !text.substr(text.size() - size).starts_with(digest_key))
    return invalid_data(
        "expected the plan's own sha256 on its last line; the file is cut off, or no plan of a job");
  const Digest found = sha256(as_bytes(text.substr(0, text.size() - size)));
  if (text.substr(text.size() - size) != ending_of(found))
    return Error(ErrorCode::integrity, "the plan was changed: its sha256 is not the one on its last line");
  return found;
}

}  // namespace

std::uint64_t JobPlan::bytes() const {
  return std::accumulate(cases.begin(), cases.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const JobCase& each) { return sum + each.bytes; });
}

std::vector<std::size_t> JobPlan::cases_of(std::int64_t unit) const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].unit == unit) out.push_back(i);
  }
  return out;
}

void balance(JobPlan& plan, std::int64_t units) {
  plan.units = std::min(units, static_cast<std::int64_t>(plan.cases.size()));
  std::vector<std::size_t> order(plan.cases.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&plan](std::size_t a, std::size_t b) {
    const JobCase& one = plan.cases[a];
    const JobCase& other = plan.cases[b];
    return one.bytes != other.bytes ? one.bytes > other.bytes : one.name < other.name;
  });
  using Load = std::pair<std::uint64_t, std::int64_t>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::int64_t unit = 0; unit < plan.units; ++unit) loads.emplace(0, unit);
  for (const std::size_t at : order) {
    const auto [load, unit] = loads.top();
    loads.pop();
    plan.cases[at].unit = unit;
    loads.emplace(load + plan.cases[at].bytes + least_weight, unit);
  }
}

std::string job_plan_text(const JobPlan& plan) {
  const std::string body = body_of(plan);
  return body + ending_of(sha256(as_bytes(body)));
}

Result<JobPlan> parse_job_plan(std::string_view text) {
  JobPlan out;
  FIDUCIAL_TRY(out.digest, checked_digest(text));
  FIDUCIAL_TRY(const Json document, parse_json(text));
  FIDUCIAL_TRY(const std::string schema, required_string(document, "schema", ""));
  if (schema != job_schema)
    return at_pointer("/schema", "expected " + std::string(job_schema) + ", found \"" + schema + "\"");
  FIDUCIAL_TRY(out.version, required_string(document, "tool_version", ""));
  FIDUCIAL_TRY(out.build, required_string(document, "build", ""));
  FIDUCIAL_TRY(out.verb, required_string(document, "verb", ""));
  FIDUCIAL_TRY(const Json* request, required_field(document, "request", ""));
  FIDUCIAL_TRY_DONE(expect_object(*request, "/request"));
  out.request = *request;
  FIDUCIAL_TRY(const Json* inputs, required_field(document, "inputs", ""));
  FIDUCIAL_TRY_DONE(expect_array(*inputs, "/inputs"));
  out.inputs = *inputs;
  FIDUCIAL_TRY(out.units, required_integer(document, "units", ""));
  if (out.units < 1 || out.units > most_units)
    return at_pointer("/units", "expected 1 to " + decimal(most_units) + ", found " + decimal(out.units));
  out.may_differ = flag_at(document, "may_differ").value_or(false);
  out.is_private = flag_at(document, "private").value_or(false);
  FIDUCIAL_TRY(const Json* cases, required_field(document, "cases", ""));
  FIDUCIAL_TRY(const Json::Array* listed, expect_array(*cases, "/cases"));
  FIDUCIAL_TRY_DONE(parse_cases(*listed, out));
  return out;
}

bool is_job(const Path& folder) {
  // The plan of a folder of scores has the same name.
  std::error_code ignored;
  if (!is_file(folder / job_plan_file)) return false;
  return is_url(folder) ? is_there(folder / job_mark)
                        : std::filesystem::is_directory(folder / "claims", ignored);
}

std::string this_build() {
  static const std::string id = [] {
    std::string out;
    ::dl_iterate_phdr(take_build_id, &out);
    return out.empty() ? std::string("unknown") : out;
  }();
  return id;
}

Result<JobPlan> read_job_plan(const Path& job) {
  const Path file = job / job_plan_file;
  FIDUCIAL_TRY(const std::string text, read_text_file(file, most_plan_bytes));
  FIDUCIAL_TRY(JobPlan plan, parse_job_plan(text).in_file(file.string()));
  if (plan.version == tool_version && plan.build == this_build()) return plan;
  return Error(ErrorCode::integrity,
               "planned by fiducial " + plan.version + ", build " + plan.build + "; this is " + tool_version +
                   ", build " + this_build() + ": work and merge with the build that planned, or plan again",
               Place{.path = file.string()});
}

Outcome write_job(const Path& job, JobPlan& plan) {
  if (plan.is_private && is_url(job))
    return bad_usage(
        "a private job holds scores of single cases, and who reads a bucket is not known here: give a "
        "folder");
  plan.version = tool_version;
  plan.build = this_build();
  const std::string text = job_plan_text(plan);
  plan.digest = *checked_digest(text);
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(job, job_plan_file, false));
  if (plan.is_private && ::chmod(folder.staging().c_str(), S_IRWXU) != 0)
    return system_error("make private", errno, folder.staging());
  for (const char* name : {"claims", "units", "journals", "files"})
    FIDUCIAL_TRY_DONE(make_folders(folder.staging() / name));
  // A bucket has no empty folders.
  if (is_url(job))
    FIDUCIAL_TRY_DONE(write_file(folder.staging() / job_mark, std::string_view("fiducial status\n")));
  FIDUCIAL_TRY_DONE(write_file(folder.staging() / job_plan_file, text));
  return folder.publish();
}

}  // namespace fiducial
