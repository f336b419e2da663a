#include "fiducial/eval/task/task_call.h"

#include <algorithm>
#include <mutex>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/base/version.h"
#include "fiducial/eval/task/file_state.h"
#include "fiducial/eval/task/run_groups.h"

namespace fiducial {

namespace {

using OptionKind = TaskOption::Kind;

// These have a place of their own in the plan, or name files, which have hashes there.
bool is_recorded(const TaskOption& option) {
  for (const char* name : {"split", "system", "seed", "resamples", "mode"}) {
    if (option.name == name) return false;
  }
  return option.is_recorded && option.kind != OptionKind::path && option.kind != OptionKind::named_paths;
}

Error option_error(const TaskOption& option, const std::string& expected, const std::string& found) {
  return bad_usage("--" + option.name + ": expected " + expected + ", found \"" + found + "\"");
}

std::string range_text(const TaskOption& option) {
  const bool has_both = option.least > -1e300 && option.most < 1e300;
  return has_both ? " from " + shortest(option.least) + " to " + shortest(option.most) : "";
}

Outcome check_number(const TaskOption& option, const std::string& text) {
  const bool is_whole = option.kind == OptionKind::integer;
  const auto value =
      is_whole ? (parse_integer(text) ? parse_double(text) : std::nullopt) : parse_double(text);
  if (value && *value >= option.least && *value <= option.most) return done();
  return option_error(option, (is_whole ? "a whole number" : "a number") + range_text(option), text);
}

Outcome check_value(const TaskOption& option, const std::string& value) {
  switch (option.kind) {
    case OptionKind::integer:
    case OptionKind::number:
    case OptionKind::numbers:
      return check_number(option, value);
    case OptionKind::named_paths: {
      const std::size_t equals = value.find('=');
      const bool is_named = equals != std::string::npos && equals > 0 && equals + 1 < value.size();
      return is_named ? done() : Outcome(option_error(option, "NAME=FILE", value));
    }
    default:
      break;
  }
  const auto& choices = option.choices;
  if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) return done();
  return bad_usage("--" + option.name + ": expected one of " + joined(choices) + ", found \"" + value + "\"" +
                   did_you_mean(value, choices));
}

}  // namespace

Result<TaskCall> TaskCall::begin(const Task& task, const TaskRequest& request, const Executor& executor,
                                 Progress& progress) {
  TaskCall out(task, request, executor, progress);
  FIDUCIAL_TRY_DONE(out.resolve());
  FIDUCIAL_TRY_DONE(out.read_case_list());
  return out;
}

Outcome TaskCall::resolve() {
  const std::vector<TaskOption> known = options_of(*task_);
  std::vector<std::string> unknown;
  for (const auto& [name, values] : request_.values) {
    const auto found = std::find_if(known.begin(), known.end(), [&wanted = name](const TaskOption& option) {
      return option.name == wanted;
    });
    if (found == known.end()) {
      unknown.push_back("--" + name);
      continue;
    }
    for (const std::string& value : values) FIDUCIAL_TRY_DONE(check_value(*found, value));
    if (!values.empty()) values_.emplace(name, values);
  }
  if (!unknown.empty()) {
    return bad_usage(joined(unknown) + ": not for task " + task_->id + ", by which " +
                     request_.dataset.string() + " is scored here");
  }
  for (const TaskOption& option : known) {
    if (!option.fallback.empty()) values_.try_emplace(option.name, std::vector{option.fallback});
  }
  return done();
}

Outcome TaskCall::read_case_list() {
  const auto file = path("cases");
  if (!file) return done();
  FIDUCIAL_TRY(const std::string text, read_text_file(*file));
  listed_.emplace();
  std::size_t line_number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string name = text.substr(begin, end - begin);
    begin = end + 1;
    ++line_number;
    while (!name.empty() && (name.back() == '\r' || name.back() == ' ')) name.pop_back();
    if (name.empty()) continue;
    if (!listed_->insert(name).second) {
      return Error(ErrorCode::invalid_data, "case \"" + name + "\" stands in the list twice",
                   Place{.path = file->string(), .line = line_number});
    }
  }
  if (listed_->empty())
    return Error(ErrorCode::invalid_data, "expected a case a line, found none",
                 Place{.path = file->string()});
  list_file_ = InputFile{"cases", "", file->filename().string(), sha256(as_bytes(text))};
  return done();
}

std::string TaskCall::text(const std::string& option) const { return optional_text(option).value_or(""); }

std::optional<std::string> TaskCall::optional_text(const std::string& option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? std::nullopt : std::optional(found->second.front());
}

std::vector<std::string> TaskCall::texts(const std::string& option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

std::int64_t TaskCall::integer(const std::string& option) const { return *parse_integer(text(option)); }

double TaskCall::number(const std::string& option) const { return *parse_double(text(option)); }

std::vector<double> TaskCall::numbers(const std::string& option) const {
  std::vector<double> out;
  for (const std::string& value : texts(option)) out.push_back(*parse_double(value));
  return out;
}

std::optional<Path> TaskCall::path(const std::string& option) const {
  const auto found = optional_text(option);
  return found ? std::optional<Path>(*found) : std::nullopt;
}

std::vector<std::pair<std::string, Path>> TaskCall::named_paths(const std::string& option) const {
  std::vector<std::pair<std::string, Path>> out;
  for (const std::string& value : texts(option)) {
    const std::size_t equals = value.find('=');
    out.emplace_back(value.substr(0, equals), value.substr(equals + 1));
  }
  return out;
}

ScoreMode TaskCall::mode() const {
  const auto word = optional_text("mode");
  return word ? *parse_score_mode(*word) : ScoreMode::strict;
}

CaseLimits TaskCall::limits() const {
  return {.runs = integer("max-runs"),
          .components = integer("max-components"),
          .decoded_mib = integer("max-decoded-mib"),
          .seconds = integer("max-case-seconds")};
}

bool TaskCall::holds(const std::string& case_name) const { return lists(case_name) && in_shard(case_name); }

bool TaskCall::lists(const std::string& case_name) const {
  if (!listed_) return true;
  const std::string stem =
      case_name.ends_with(".nii.gz") ? case_name.substr(0, case_name.size() - 7) : case_name;
  const auto found = listed_->contains(case_name) ? listed_->find(case_name) : listed_->find(stem);
  if (found == listed_->end()) return false;
  seen_.insert(*found);
  return true;
}

Outcome TaskCall::go_on() const {
  if (!stop_requested()) return done();
  return Error(ErrorCode::interrupted, request_.journal ? "stopped; the same command goes on from here"
                                                        : "stopped; nothing was written");
}

std::string TaskCall::predictions_name() const {
  const Path& path = request_.predictions;
  return (path.filename().empty() ? path.parent_path() : path).filename().string();
}

// The name of the folder, or of the file without its ending; dots in a folder's name stay.
std::string TaskCall::system() const {
  if (const auto given = optional_text("system")) return *given;
  const bool is_folder = fiducial::is_folder(request_.predictions);
  return is_folder ? predictions_name() : Path(predictions_name()).stem().string();
}

OptionValues TaskCall::recorded_options() const {
  OptionValues out;
  for (const TaskOption& option : options_of(*task_)) {
    const auto found = values_.find(option.name);
    if (found != values_.end() && is_recorded(option)) out.emplace(option.name, found->second);
  }
  return out;
}

ScoreRun TaskCall::new_run(const std::string& benchmark, const std::string& split) const {
  ScoreRun out;
  out.benchmark = benchmark;
  out.task = task_->id;
  out.split = split;
  out.system = system();
  out.mode = mode();
  out.seed = static_cast<std::uint64_t>(integer("seed"));
  out.resamples = static_cast<int>(integer("resamples"));
  out.options = recorded_options();
  for (const TaskOption& option : options_of(*task_)) {
    if (option.kind == OptionKind::path && given(option.name)) out.given_paths.push_back(option.name);
  }
  return out;
}

Result<std::unique_ptr<CaseJournal>> TaskCall::open_journal(const std::string& further_key) const {
  if (!request_.journal) return std::unique_ptr<CaseJournal>();
  Json options = Json::object({});
  for (const auto& [name, values] : values_) {
    options.set(name, Json::strings(values));
  }
  const Json key = Json::array({task_->id, further_key, tool_version, std::move(options)});
  return CaseJournal::open(*request_.journal, sha256(as_bytes(key.compact())).hex());
}

struct TaskCall::Pieces {
  std::mutex mutex;
  std::unique_ptr<CaseJournal> journal;
  bool is_open = false;
};

std::shared_ptr<TaskCall::Pieces> TaskCall::no_pieces() { return std::make_shared<Pieces>(); }

std::string TaskCall::state_of_inputs() const {
  // Its name stands for the plan, against which inputs are held already.
  if (request_.part) return request_.part->name();
  std::string out = state_of_files(dataset()).hex() + state_of_files(predictions()).hex();
  for (const TaskOption& option : options_of(*task_)) {
    if (option.kind == OptionKind::path && given(option.name))
      out += "\n" + option.name + state_of_files(*path(option.name)).hex();
    if (option.kind != OptionKind::named_paths) continue;
    for (const auto& [name, file] : named_paths(option.name)) out += "\n" + name + state_of_files(file).hex();
  }
  return request_.shard ? out + "\n" + request_.shard->text() : out;
}

Result<Json> TaskCall::kept_or_made(const std::string& name, const Piece& make) const {
  FIDUCIAL_TRY_DONE(go_on());
  if (!request_.journal) return make();
  {
    const std::lock_guard lock(pieces_->mutex);
    if (!pieces_->is_open) {
      FIDUCIAL_TRY(pieces_->journal, open_journal(state_of_inputs()));
    }
    pieces_->is_open = true;
  }
  if (const Json* kept = pieces_->journal->find(name)) return *kept;
  FIDUCIAL_TRY(Json made, make());
  made.set("case", name);
  FIDUCIAL_TRY_DONE(pieces_->journal->append(made));
  return made;
}

void TaskCall::forget_pieces() const {
  if (pieces_->journal != nullptr) pieces_->journal->remove();
}

Outcome TaskCall::finish(ScoreRun& run) const {
  for (const std::string& name : listed_.value_or(std::set<std::string>())) {
    if (seen_.contains(name)) continue;
    return Error(ErrorCode::invalid_data, "case \"" + name + "\" is not in split \"" + run.split + "\"",
                 Place{.path = path("cases")->string()});
  }
  if (run.cases.empty() && !is_shard())
    return invalid_data("split \"" + run.split + "\" has no case to score");
  if (list_file_) run.inputs.push_back(*list_file_);
  FIDUCIAL_TRY_DONE(group_run(*this, run));
  // Of what was named, the plan has either a hash or the fact that it was given.
  std::erase_if(run.given_paths, [&run](const std::string& name) {
    return std::any_of(run.inputs.begin(), run.inputs.end(),
                       [&name](const InputFile& input) { return input.role == name; });
  });
  return done();
}

}  // namespace fiducial
