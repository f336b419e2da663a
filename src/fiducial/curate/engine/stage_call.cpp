#include "fiducial/curate/engine/stage_call.h"

#include <algorithm>
#include <random>

#include "fiducial/base/interruption.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/staged_file.h"
#include "fiducial/base/system_error.h"
#include "fiducial/base/version.h"
#include "fiducial/datasets/dataset_terms.h"

namespace fiducial {

namespace {

constexpr const char* requests_memory = ".requests.jsonl";
constexpr const char* replies_memory = ".replies.txt";
constexpr std::size_t longest_request_line = std::size_t{1} << 30;

Json value_json(const StageOption& option, const std::vector<std::string>& values) {
  switch (option.kind) {
    case StageOption::Kind::flag:
      return true;
    case StageOption::Kind::integer:
      return parse_integer(values.front()).value_or(0);
    case StageOption::Kind::texts: {
      return Json::strings(values);
    }
    case StageOption::Kind::text:
      break;
  }
  return values.front();
}

}  // namespace

Json counts_json(const std::map<std::string, std::int64_t>& counts) {
  Json out = Json::Object{};
  for (const auto& [name, count] : counts) out.set(name, count);
  return out;
}

void RuleAgreement::add(bool agrees, ItemStatus& status) {
  ++compared;
  agreed += agrees ? 1 : 0;
  if (!agrees) status.code = "differs_from_rules";
}

Json RuleAgreement::json() const {
  return Json::object({{"compared", compared}, {"agree_with_rules", agreed}});
}

ItemStatus rejected(std::string code, std::string detail) {
  return {.status = "rejected", .code = std::move(code), .detail = std::move(detail), .facts = {}};
}

Result<StageCall> StageCall::begin(const Stage& stage, const StageRequest& request, Progress& progress) {
  StageCall out(stage, request, progress);
  FIDUCIAL_TRY_DONE(out.draw_seed());
  FIDUCIAL_TRY_DONE(out.read_terms());
  if (request.replay) {
    FIDUCIAL_TRY(const std::string text, out.read_input("replay", *request.replay));
    FIDUCIAL_TRY(ReplayFile replies, ReplayFile::read(*request.replay, request.forgiven_bytes));
    out.replies_ = std::make_unique<ReplayFile>(std::move(replies));
  }
  FIDUCIAL_TRY_DONE(out.open_output());
  return out;
}

// The strictest terms of all that is read: they hold for what is written, too.
Outcome StageCall::read_terms() {
  std::vector<std::string> names{"from"};
  for (const StageOption& input : stage_->inputs) names.push_back(input.name);
  for (const std::string& name : names) {
    for (const std::string& path : texts(name)) {
      FIDUCIAL_TRY(const Json terms, terms_beside(path));
      terms_ = stricter_terms(terms_, terms);
    }
  }
  return done();
}

Outcome StageCall::open_output() {
  const bool is_folder =
      stage_->writes_folder || (!stage_->writes_file && !OutputFiles::names_file(request_.output));
  FIDUCIAL_TRY(OutputFiles files,
               stage_->resumes
                   ? OutputFiles::resume(request_.output, is_folder, request_.overwrite, run_json())
                   : OutputFiles::create(request_.output, is_folder, request_.overwrite));
  output_ = std::make_unique<OutputFiles>(std::move(files));
  if (request_.part && request_.part->first > 0) output_->follow_others();
  FIDUCIAL_TRY(status_file_, output_->add("status.jsonl"));
  FIDUCIAL_TRY_DONE(recall_used_replies());
  return restore_books();
}

Json StageCall::run_json() const {
  Json values = Json::Object{};
  for (const auto& [name, given] : request_.values) {
    Json list = Json::strings(given);
    values.set(name, std::move(list));
  }
  return Json::object({{"version", tool_version},
                       {"stage", stage_->name},
                       {"mode", to_string(request_.mode)},
                       {"seed", request_.seed ? Json(*request_.seed) : Json()},
                       {"values", std::move(values)},
                       {"model", request_.model},
                       {"replay", inputs_}});
}

Outcome StageCall::restore_books() {
  const Json checkpoint = output_->checkpoint();
  if (checkpoint.is_null()) return done();
  items_ = resumed_ = integer_at(checkpoint, "items");
  failures_ = integer_at(checkpoint, "failures");
  for (auto [name, counts] : {std::pair{"statuses", &statuses_}, std::pair{"codes", &codes_}}) {
    const Json::Object* stored = find_object(checkpoint, name);
    if (stored == nullptr) continue;
    for (const auto& [key, value] : *stored) {
      if (value.as_integer() != nullptr) (*counts)[key] = *value.as_integer();
    }
  }
  const Json* asked = checkpoint.find("asked");
  if (asked == nullptr || asked->as_object() == nullptr) return done();
  if (const std::string* prompt = find_string(*asked, "prompt")) prompt_ = *prompt;
  prompt_tokens_ = integer_at(*asked, "prompt_tokens");
  completion_tokens_ = integer_at(*asked, "completion_tokens");
  agreement_ = {integer_at(*asked, "compared"), integer_at(*asked, "agreed")};
  return open_requests();
}

// What was asked for before the run was stopped is in the file already.
Outcome StageCall::open_requests() {
  if (!output_->resumes()) {
    const Path path(request_.output.string() + ".requests.jsonl");
    FIDUCIAL_TRY(requests_file_, OutputFile::create(path, path.filename().string()));
    requests_ = requests_file_.get();
    return done();
  }
  FIDUCIAL_TRY(requests_, output_->add_memory(requests_memory));
  const Path path = output_->memory_path(requests_memory);
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
  LineReader lines(*file, longest_request_line);
  while (true) {
    FIDUCIAL_TRY(const std::optional<std::string_view> line, lines.next().in_file(path.string()));
    if (!line) return done();
    FIDUCIAL_TRY(const Json request, parse_json(*line).in_file(path.string()));
    if (const std::string* hash = find_string(request, "request")) requested_.insert(*hash);
  }
}

Outcome StageCall::recall_used_replies() {
  if (replies_ == nullptr || !output_->resumes()) return done();
  FIDUCIAL_TRY(used_memory_, output_->add_memory(replies_memory));
  const Path path = output_->memory_path(replies_memory);
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
  LineReader lines(*file, longest_request_line);
  while (true) {
    FIDUCIAL_TRY(const std::optional<std::string_view> line, lines.next().in_file(path.string()));
    if (!line) return done();
    FIDUCIAL_TRY(const Json key, parse_json(*line).in_file(path.string()));
    if (key.as_string() != nullptr) used_replies_.insert(*key.as_string());
  }
}

Outcome StageCall::mark_used(const std::string& reply) {
  if (!used_replies_.insert(reply).second || used_memory_ == nullptr) return done();
  return used_memory_->write(Json(reply).compact() + "\n");
}

std::int64_t StageCall::unused_replies() const {
  return replies_ == nullptr ? 0 : replies_->count() - static_cast<std::int64_t>(used_replies_.size());
}

Outcome StageCall::publish_requests(const Path& path) {
  if (requests_file_ != nullptr) return requests_file_->publish();
  FIDUCIAL_TRY_DONE(requests_->publish());
  const Path memory = output_->memory_path(requests_memory);
  FIDUCIAL_TRY_DONE(flush_folder(memory.parent_path()));
  return rename_path(memory, path);
}

Json StageCall::resumed_state() const {
  const Json checkpoint = output_->checkpoint();
  const Json* state = checkpoint.find("state");
  return state == nullptr ? Json() : *state;
}

std::string StageCall::resumed_fingerprint() const { return text_at(output_->checkpoint(), "fingerprint"); }

bool StageCall::is_asking() const {
  const auto is_switch = [](const StageOption& option) { return option.name == "ask"; };
  const bool has_switch = std::any_of(stage_->options.begin(), stage_->options.end(), is_switch);
  return stage_->asks && (flag("ask") || !has_switch);
}

Outcome StageCall::save(const std::string& fingerprint, const std::function<Json()>& state) {
  if (!output_->resumes()) return done();
  return output_->save(
      Json::object({{"passed", passed_},
                    {"main", output_->main_file()},
                    {"items", items_},
                    {"failures", failures_},
                    {"statuses", counts_json(statuses_)},
                    {"codes", counts_json(codes_)},
                    {"fingerprint", fingerprint},
                    {"asked", !is_asking() ? Json()
                                           : Json::object({{"prompt", prompt_},
                                                           {"prompt_tokens", prompt_tokens_},
                                                           {"completion_tokens", completion_tokens_},
                                                           {"compared", agreement_.compared},
                                                           {"agreed", agreement_.agreed}})},
                    {"state", state ? state() : Json()}}));
}

Outcome StageCall::draw_seed() {
  if (!stage_->draws) return done();
  if (!request_.seed && strict()) request_.seed = stage_->default_seed;
  if (!request_.seed && strict()) {
    return bad_usage("curate " + stage_->name + " draws at random: --seed is mandatory in strict mode");
  }
  if (!request_.seed) request_.seed = stage_->official_seed;
  if (!request_.seed) request_.seed = std::random_device{}();
  random_ = std::make_unique<PythonRandom>(*request_.seed);
  return done();
}

bool StageCall::has(const std::string& name) const { return request_.values.contains(name); }

std::string StageCall::text(const std::string& name) const {
  const auto found = request_.values.find(name);
  return found == request_.values.end() || found->second.empty() ? std::string() : found->second.front();
}

const std::vector<std::string>& StageCall::texts(const std::string& name) const {
  static const std::vector<std::string> none;
  const auto found = request_.values.find(name);
  return found == request_.values.end() ? none : found->second;
}

Result<std::int64_t> StageCall::integer(const std::string& name) const {
  const auto value = parse_integer(text(name));
  if (!value) return bad_usage("--" + name + ": expected an integer, found \"" + text(name) + "\"");
  return *value;
}

void StageCall::record_input(const std::string& role, const Path& path, const Digest& digest) {
  std::error_code ignored;
  const auto bytes = std::filesystem::file_size(path, ignored);
  inputs_.push(Json::object({{"role", role},
                             {"file", path.filename().string()},
                             {"bytes", static_cast<std::int64_t>(bytes)},
                             {"sha256", digest.hex()}}));
}

Result<std::string> StageCall::read_input(const std::string& role, const Path& path) {
  FIDUCIAL_TRY(std::string text, read_text_file(path));
  record_input(role, path, sha256(as_bytes(text)));
  return text;
}

Result<ItemReader> StageCall::open_items(const std::string& role, const Path& path, const ItemRules& rules) {
  if (path.empty()) return bad_usage("curate " + stage_->name + ": " + role + " is missing");
  return ItemReader::open(path, rules);
}

Outcome StageCall::close_items(const std::string& role, const Path& path, ItemReader& reader) {
  FIDUCIAL_TRY(const Digest digest, reader.finish());
  record_input(role, path, digest);
  return done();
}

Result<std::vector<Item>> StageCall::read_items(const std::string& role, const Path& path,
                                                const ItemRules& rules) {
  FIDUCIAL_TRY(ItemReader reader, open_items(role, path, rules));
  std::vector<Item> out;
  while (true) {
    FIDUCIAL_TRY(std::optional<Item> item, reader.next());
    if (!item) break;
    out.push_back(*std::move(item));
  }
  FIDUCIAL_TRY_DONE(close_items(role, path, reader));
  return out;
}

Outcome StageCall::record(std::int64_t index, const std::string& id, const ItemStatus& status) {
  ++items_;
  ++statuses_[status.status];
  if (!status.code.empty()) ++codes_[status.code];
  if (status.is_failure()) ++failures_;
  Json line = Json::object({{"item", index}, {"id", id}, {"status", status.status}});
  if (!status.code.empty()) line.set("code", status.code);
  if (!status.detail.empty()) line.set("detail", status.detail);
  if (const Json::Object* facts = status.facts.as_object()) {
    for (const auto& [name, value] : *facts) line.set(name, value);
  }
  return status_file_->write(line.compact() + "\n");
}

Result<std::optional<ModelReply>> StageCall::ask(ModelRequest request, const std::string& id) {
  request.model = request_.model;
  prompt_ = request.prompt;
  if (replies_ != nullptr) {
    FIDUCIAL_TRY(std::optional<ModelReply> reply, replies_->reply_to(request, id));
    if (reply) {
      FIDUCIAL_TRY_DONE(mark_used(reply->key));
      prompt_tokens_ += reply->prompt_tokens;
      completion_tokens_ += reply->completion_tokens;
      return reply;
    }
  }
  const std::string hash = request.hash();
  if (requested_.contains(hash)) return std::optional<ModelReply>();
  if (requests_ == nullptr) FIDUCIAL_TRY_DONE(open_requests());
  requested_.insert(hash);
  Json line = Json::object({{"request", hash}, {"item", id}, {"ask", request.json()}});
  if (const std::string why = reason_to_stay(terms_, id); !why.empty()) line.set("stays", why);
  FIDUCIAL_TRY_DONE(requests_->write(line.compact() + "\n"));
  return std::optional<ModelReply>();
}

Json StageCall::manifest() const {
  Json parameters = Json::Object{};
  for (const StageOption& option : stage_->options) {
    const auto found = request_.values.find(option.name);
    if (found == request_.values.end()) continue;
    const auto typed = request_.typed.find(option.name);
    parameters.set(option.name,
                   value_json(option, typed == request_.typed.end() ? found->second : typed->second));
  }
  Json out = Json::object({{"schema", "fiducial.curation/1"},
                           {"version", tool_version},
                           {"stage", stage_->name},
                           {"mode", to_string(request_.mode)},
                           {"seed", request_.seed ? Json(*request_.seed) : Json()},
                           {"parameters", std::move(parameters)},
                           {"inputs", inputs_},
                           {"items", items_},
                           {"failures", failures_},
                           {"statuses", counts_json(statuses_)},
                           {"codes", counts_json(codes_)},
                           {"summary", summary_}});
  if (!terms_.as_object()->empty()) out.set("egress", terms_);
  if (stage_->asks) {
    out.set("asked",
            Json::object(
                {{"prompt", prompt_},
                 {"model", request_.model},
                 {"tokens", Json::object({{"prompt", prompt_tokens_}, {"completion", completion_tokens_}})},
                 {"unused_replies", unused_replies()}}));
  }
  return out;
}

Result<StageOutcome> StageCall::finish() {
  StageOutcome out{.items = items_, .failures = failures_, .unused_replies = unused_replies()};
  out.main_file = output_->main_file();
  if (!requested_.empty()) {
    out.unanswered = static_cast<std::int64_t>(requested_.size());
    out.requests = Path(request_.output.string() + ".requests.jsonl");
    out.resumed = resumed_;
    FIDUCIAL_TRY_DONE(publish_requests(out.requests));
    return out;
  }
  FIDUCIAL_TRY(out.manifest, output_->publish(manifest()));
  out.resumed = resumed_;
  return out;
}

Outcome change_items(StageCall& call, const std::string& role, const ItemChange& change,
                     bool official_lists) {
  const Path path = call.text(role);
  FIDUCIAL_TRY(ItemReader reader, call.open_items(role, path, {.breaks_at_separators = !call.strict()}));
  ContainerForm form = reader.form();
  if (!call.strict() && official_lists && form.kind == ContainerForm::Kind::lines) form = {};
  form.ends_a_line = call.strict();
  FIDUCIAL_TRY(OutputFile * file, call.output().add_main(form.extension()));
  ItemWriter writer(*file, form);
  while (true) {
    FIDUCIAL_TRY(std::optional<Item> item, reader.next());
    if (!item) break;
    if (stop_requested()) return Error(ErrorCode::interrupted, "stopped by a signal; nothing was written");
    if (item->value.as_object() == nullptr) {
      return Error(
          ErrorCode::invalid_data,
          "item " + decimal(item->index) + ": expected an object, found " + std::string(item->value.kind()),
          Place{.path = path.string()});
    }
    const std::string id = item->id();
    FIDUCIAL_TRY(const ItemStatus status, change(*item));
    FIDUCIAL_TRY_DONE(call.record(item->index, id, status));
    if (status.status == "ok" || status.status == "changed") FIDUCIAL_TRY_DONE(writer.write(*item));
  }
  FIDUCIAL_TRY_DONE(writer.finish());
  return call.close_items(role, path, reader);
}

}  // namespace fiducial
