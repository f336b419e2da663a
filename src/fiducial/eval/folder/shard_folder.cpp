#include "fiducial/eval/folder/shard_folder.h"

#include <map>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/version.h"
#include "fiducial/eval/run/score_run_json.h"
#include "fiducial/eval/task/case_journal.h"

namespace fiducial {

namespace {

constexpr const char* shard_file = "shard.json";
constexpr const char* scores_file = "scores.json";

struct ReadShard {
  Shard shard;
  Json common;
  ScoreRun part;
};

Result<ReadShard> read_shard(const Path& folder) {
  FIDUCIAL_TRY(const std::string text, read_text_file(folder / shard_file));
  FIDUCIAL_TRY(const Json document, parse_json(text));
  FIDUCIAL_TRY(const Json* schema, required_field(document, "schema", ""));
  if (schema->as_string() == nullptr || *schema->as_string() != "fiducial.shard/2")
    return at_pointer("/schema", "expected fiducial.shard/2; score the shard again with this version");
  FIDUCIAL_TRY(const Json* name, required_field(document, "shard", ""));
  FIDUCIAL_TRY(const std::string shard_text, expect_string(*name, "/shard"));
  FIDUCIAL_TRY(const Json* version, required_field(document, "tool_version", ""));
  if (version->as_string() == nullptr || *version->as_string() != tool_version)
    return at_pointer("/tool_version",
                      std::string("the shard was scored by another version than ") + tool_version);
  ReadShard out;
  FIDUCIAL_TRY(out.shard, Shard::parse(shard_text));
  FIDUCIAL_TRY(const Json* common, required_field(document, "run", ""));
  out.common = *common;
  FIDUCIAL_TRY(const Json* digest, required_field(document, "scores_sha256", ""));
  FIDUCIAL_TRY(const std::string scores, read_text_file(folder / scores_file));
  if (digest->as_string() == nullptr || *digest->as_string() != sha256(as_bytes(scores)).hex())
    return Error(ErrorCode::integrity,
                 std::string(scores_file) + " is not the one that was written, or cut off");
  FIDUCIAL_TRY(const Json own, parse_json(scores));
  FIDUCIAL_TRY(out.part, parse_score_run({out.common, own}));
  for (const RunCase& entry : out.part.cases) {
    if (!out.shard.holds(entry.name))
      return invalid_data("case \"" + entry.name + "\" does not belong to shard " + out.shard.text());
  }
  return out;
}

Error shard_error(const Path& folder, std::string message) {
  return {ErrorCode::invalid_data, std::move(message), Place{.path = folder.string()}};
}

std::string missing_parts(const std::map<int, Path>& seen, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    if (!seen.contains(i)) out += (out.empty() ? "" : ", ") + Shard{i, count}.text();
  }
  return out;
}

}  // namespace

Outcome write_shard(const ScoreRun& part, const Shard& shard, const ScoreOutput& output) {
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(output.folder, shard_file, output.overwrite));
  const ScoreRunJson json = to_json(part);
  const std::string scores = json.own.compact() + "\n";
  const Json document = Json::object({{"schema", "fiducial.shard/2"},
                                      {"tool_version", tool_version},
                                      {"shard", shard.text()},
                                      {"scores_sha256", sha256(as_bytes(scores)).hex()},
                                      {"run", json.common}});
  FIDUCIAL_TRY_DONE(write_file(folder.staging() / shard_file, document.pretty()));
  FIDUCIAL_TRY_DONE(write_file(folder.staging() / scores_file, scores));
  if (output.lock) output.lock->release();
  return publish_and_forget(output.folder, folder);
}

Result<ScoreRun> merge_shards(const std::vector<Path>& folders,
                              Result<const Task*> (*find_task)(std::string_view id)) {
  if (folders.empty()) return bad_usage("no shard to merge");
  std::optional<std::pair<Shard, std::string>> first;
  std::map<int, Path> seen;
  std::vector<ScoreRun> parts;
  for (const Path& folder : folders) {
    FIDUCIAL_TRY(ReadShard read, read_shard(folder).in_file((folder / shard_file).string()));
    const std::string common = read.common.compact();
    if (!first) first.emplace(read.shard, common);
    if (common != first->second || read.shard.count != first->first.count) {
      return shard_error(folder, "shard of another run than " + folders.front().string() +
                                     ": plan, dataset, files or number of shards differ");
    }
    const auto [before, is_new] = seen.emplace(read.shard.index, folder);
    if (!is_new) {
      return shard_error(folder,
                         "shard " + read.shard.text() + " stands in " + before->second.string() + " already");
    }
    parts.push_back(std::move(read.part));
  }
  const std::string missing = missing_parts(seen, first->first.count);
  if (!missing.empty()) return Error(ErrorCode::unfinished, "shards are missing: " + missing);
  ScoreRun run = merged(std::move(parts));
  if (run.cases.empty()) return invalid_data("the shards hold no case");
  FIDUCIAL_TRY(const Task* task, find_task(run.task));
  FIDUCIAL_TRY_DONE(conclude_task(*task, run));
  return run;
}

}  // namespace fiducial
