#include "fiducial/eval/shard_folder.h"

#include <algorithm>
#include <map>

#include "fiducial/base/file.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/eval/case_journal.h"
#include "fiducial/eval/plan_file.h"
#include "fiducial/eval/score.h"

namespace fiducial {

namespace {

constexpr const char* shard_file = "shard.json";
constexpr const char* cases_file = "cases.jsonl";

// What all parts of one run have in common.
Json common_json(const ScoredRun& part) {
  Json unknown = Json(Json::Array{});
  for (const std::string& name : part.unknown_files) unknown.push(name);
  return Json::object(
      {{"tool_version", FIDUCIAL_VERSION},
       {"plan", to_json(part.plan)},
       {"dataset", Json::object({{"file", part.dataset_file}, {"sha256", part.dataset_digest.hex()}})},
       {"unknown_files", std::move(unknown)}});
}

std::string key_of(const Json& common) { return sha256(as_bytes(common.compact())).hex(); }

struct ReadShard {
  Shard shard;
  Json common;
  std::vector<CaseScore> cases;
};

Result<ReadShard> read_shard(const Path& folder) {
  FIDUCIAL_TRY(const std::string text, read_text_file(folder / shard_file));
  FIDUCIAL_TRY(const Json document, parse_json(text));
  FIDUCIAL_TRY(const Json* name, required_field(document, "shard", ""));
  FIDUCIAL_TRY(const std::string shard_text, expect_string(*name, "/shard"));
  ReadShard out;
  FIDUCIAL_TRY(out.shard, Shard::parse(shard_text));
  FIDUCIAL_TRY(const Json* common, required_field(document, "run", ""));
  out.common = *common;
  FIDUCIAL_TRY(auto cases, CaseJournal::read(folder / cases_file, key_of(out.common)));
  for (auto& [case_name, scored] : cases) {
    if (!out.shard.holds(case_name)) {
      return invalid_data("case \"" + case_name + "\" does not belong to shard " + out.shard.text());
    }
    out.cases.push_back(std::move(scored));
  }
  return out;
}

// The run all parts belong to, without cases.
Result<ScoredRun> parse_common(const Json& common) {
  FIDUCIAL_TRY(const Json* plan, required_field(common, "plan", "/run"));
  FIDUCIAL_TRY(const Json* dataset, required_field(common, "dataset", "/run"));
  FIDUCIAL_TRY(const Json* file, required_field(*dataset, "file", "/run/dataset"));
  FIDUCIAL_TRY(const Json* sha, required_field(*dataset, "sha256", "/run/dataset"));
  FIDUCIAL_TRY(const Json* unknown, required_field(common, "unknown_files", "/run"));
  FIDUCIAL_TRY(const Json::Array* names, expect_array(*unknown, "/run/unknown_files"));
  FIDUCIAL_TRY(const std::string hex, expect_string(*sha, "/run/dataset/sha256"));
  const auto digest = parse_digest(hex);
  if (!digest)
    return at_pointer("/run/dataset/sha256", "expected 64 hexadecimal digits, found \"" + hex + "\"");
  ScoredRun out;
  FIDUCIAL_TRY(out.plan, parse_score_plan(*plan));
  FIDUCIAL_TRY(out.dataset_file, expect_string(*file, "/run/dataset/file"));
  out.dataset_digest = *digest;
  for (const Json& name : *names) {
    FIDUCIAL_TRY(std::string text, expect_string(name, "/run/unknown_files"));
    out.unknown_files.push_back(std::move(text));
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

Outcome write_shard(const ScoredRun& part, const Shard& shard, const Path& output, bool overwrite) {
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(output, shard_file, overwrite));
  const Json common = common_json(part);
  const Json document =
      Json::object({{"schema", "fiducial.shard/1"}, {"shard", shard.text()}, {"run", common}});
  FIDUCIAL_TRY_DONE(write_file(folder.staging() / shard_file, document.pretty()));
  FIDUCIAL_TRY_DONE(write_file(folder.staging() / cases_file, journal_text(key_of(common), part.cases)));
  forget_journal(output);
  return folder.publish();
}

Result<ScoredRun> merge_shards(const std::vector<Path>& folders) {
  if (folders.empty()) return bad_usage("no shard to merge");
  std::optional<ReadShard> first;
  std::map<int, Path> seen;
  std::vector<CaseScore> cases;
  for (const Path& folder : folders) {
    FIDUCIAL_TRY(ReadShard part, read_shard(folder).in_file((folder / shard_file).string()));
    if (!first) first = ReadShard{part.shard, part.common, {}};
    if (part.common.compact() != first->common.compact() || part.shard.count != first->shard.count) {
      return shard_error(folder, "shard of another run than " + folders.front().string() +
                                     ": plan, dataset, files or number of shards differ");
    }
    const auto [before, is_new] = seen.emplace(part.shard.index, folder);
    if (!is_new) {
      return shard_error(folder,
                         "shard " + part.shard.text() + " stands in " + before->second.string() + " already");
    }
    std::move(part.cases.begin(), part.cases.end(), std::back_inserter(cases));
  }
  const std::string missing = missing_parts(seen, first->shard.count);
  if (!missing.empty()) return Error(ErrorCode::unfinished, "shards are missing: " + missing);
  FIDUCIAL_TRY(ScoredRun run, parse_common(first->common).in_file((folders.front() / shard_file).string()));
  std::sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  run.cases = std::move(cases);
  return run;
}

}  // namespace fiducial
