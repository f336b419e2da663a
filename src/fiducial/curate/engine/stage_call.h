#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "fiducial/base/python_random.h"
#include "fiducial/curate/engine/item_file.h"
#include "fiducial/curate/engine/output_files.h"
#include "fiducial/curate/engine/replies.h"
#include "fiducial/curate/engine/stage.h"

namespace fiducial {

// What became of one item. "ok", "changed", "removed" and "skipped" are as it should be; "rejected", "error"
// and "invalid" are failures.
struct ItemStatus {
  std::string status = "ok";
  std::string code;    // stable, for programs: "key_unknown"
  std::string detail;  // for people
  Json facts;          // more members of the status line, or null

  bool is_failure() const { return status == "rejected" || status == "error" || status == "invalid"; }
};

ItemStatus rejected(std::string code, std::string detail);

// How often replies of a model say what the rules say.
struct RuleAgreement {
  std::int64_t compared = 0;
  std::int64_t agreed = 0;

  // Counts one comparison; marks the status where they differ.
  void add(bool agrees, ItemStatus& status);
  Json json() const;
};

// A running stage: what it was told, its inputs, its output and its books.
class StageCall {
 public:
  static Result<StageCall> begin(const Stage& stage, const StageRequest& request, Progress& progress);

  bool strict() const { return request_.mode == CurationMode::strict; }
  const StageRequest& request() const { return request_; }
  Progress& progress() { return *progress_; }

  bool has(const std::string& name) const;
  std::string text(const std::string& name) const;  // of an input or option; "" where there is none
  const std::vector<std::string>& texts(const std::string& name) const;
  Result<std::int64_t> integer(const std::string& name) const;
  bool flag(const std::string& name) const { return has(name); }
  PythonRandom& random() { return *random_; }  // one generator serves the whole stage

  // Inputs, recorded in the manifest with their hashes.
  Result<std::string> read_input(const std::string& role, const Path& path);
  Result<ItemReader> open_items(const std::string& role, const Path& path, const ItemRules& rules = {});
  Outcome close_items(const std::string& role, const Path& path, ItemReader& reader);
  void record_input(const std::string& role, const Path& path, const Digest& digest);
  // Every item of a file, in order, for files that are small beside the items they speak of.
  Result<std::vector<Item>> read_items(const std::string& role, const Path& path,
                                       const ItemRules& rules = {});

  OutputFiles& output() { return *output_; }
  // Counts an item and writes its line to status.jsonl.
  Outcome record(std::int64_t index, const std::string& id, const ItemStatus& status);
  Json& summary() { return summary_; }  // what the stage itself has to say, for the manifest

  // Items that an earlier run finished, and what the stage knew then; 0 and null where there was none.
  std::int64_t resumed_items() const { return resumed_; }
  Json resumed_state() const;
  std::string resumed_fingerprint() const;
  // Where a run that is killed later goes on: after the items recorded so far. Does nothing for stages that
  // do not resume.
  Outcome save(const std::string& fingerprint, const std::function<Json()>& state);
  // Leaves what was written for the next run.
  void keep() { output_->keep(); }
  const std::optional<StageRequest::Part>& part() const { return request_.part; }
  // Counts a row that belongs to an earlier part.
  void pass_rows(std::int64_t rows) { passed_ += rows; }

  // The reply to a request; nothing where there is none yet, and then the stage writes only its requests.
  Result<std::optional<ModelReply>> ask(ModelRequest request, const std::string& id);
  RuleAgreement& agreement() { return agreement_; }

  Result<StageOutcome> finish();

 private:
  StageCall(const Stage& stage, const StageRequest& request, Progress& progress)
      : stage_(&stage), request_(request), progress_(&progress) {}
  Outcome draw_seed();
  Outcome read_terms();
  Outcome open_output();
  Outcome restore_books();
  bool is_asking() const;  // a model, always or where it is told to
  Outcome open_requests();
  Outcome recall_used_replies();
  Outcome mark_used(const std::string& reply);
  std::int64_t unused_replies() const;
  Outcome publish_requests(const Path& path);
  Json run_json() const;
  Json manifest() const;

  const Stage* stage_;
  StageRequest request_;
  Progress* progress_;
  std::unique_ptr<PythonRandom> random_;
  std::unique_ptr<OutputFiles> output_;
  OutputFile* status_file_ = nullptr;
  std::unique_ptr<ReplySource> replies_;
  OutputFile* requests_ = nullptr;             // of the output, where it resumes
  std::unique_ptr<OutputFile> requests_file_;  // else
  std::set<std::string> requested_;
  std::set<std::string> used_replies_;
  OutputFile* used_memory_ = nullptr;  // the same, for a run that goes on after this one
  RuleAgreement agreement_;
  Json inputs_ = Json::Array{};
  Json terms_ = Json::Object{};  // about leaving this machine, of all that is read
  Json summary_ = Json::Object{};
  std::map<std::string, std::int64_t> statuses_;
  std::map<std::string, std::int64_t> codes_;
  std::string prompt_;
  std::int64_t items_ = 0;
  std::int64_t failures_ = 0;
  std::int64_t prompt_tokens_ = 0;
  std::int64_t completion_tokens_ = 0;
  std::int64_t resumed_ = 0;
  std::int64_t passed_ = 0;
};

// The request with what was left out filled in; refuses what the stage does not know.
Result<StageRequest> resolved_request(const Stage& stage, StageRequest request);

// Runs over the items of the input called role, in order. change may alter an item; an item is written where
// its status is "ok" or "changed", with the container of the input kept. The published scripts of reasoning
// steps and discussions write a list whatever they read lines from: official_lists does, in official mode.
using ItemChange = std::function<Result<ItemStatus>(Item& item)>;
Outcome change_items(StageCall& call, const std::string& role, const ItemChange& change,
                     bool official_lists = false);

// Counts by name as an object.
Json counts_json(const std::map<std::string, std::int64_t>& counts);

}  // namespace fiducial
