#include "fiducial/eval/judge/judge_run.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"

namespace fiducial {

namespace {

Result<FalseStatement> parse_false_statement(const Record& record) {
  FIDUCIAL_TRY(const std::optional<std::string> title, record.text("title"));
  FIDUCIAL_TRY(const std::optional<std::string> step, record.text("step"));
  if (!title || !step) return invalid_data("expected title and step, found none");
  const Json* said = record.find("is_factual");
  if (said != nullptr && said->as_bool() == nullptr)
    return invalid_data("is_factual: expected true, false or null, found " + said->compact());
  return FalseStatement{*title, *step, said == nullptr ? std::nullopt : std::optional(*said->as_bool())};
}

Outcome add_probe(JudgeProbes& out, const Record& record) {
  FIDUCIAL_TRY(const std::optional<std::string> kind, record.text("probe"));
  if (kind == "swap") return out.swapped.add(record);
  if (kind == "repeat") {
    FIDUCIAL_TRY(const std::optional<std::int64_t> number, record.integer("repeat"));
    if (!number || *number < 1) return invalid_data("repeat: expected a number from 1");
    return out.repeats[*number].add(record);
  }
  if (kind != "canary" && kind != "injection") {
    return invalid_data("probe: expected repeat, swap, canary or injection, found " +
                        (kind ? "\"" + *kind + "\"" : "none"));
  }
  FIDUCIAL_TRY(FalseStatement statement, parse_false_statement(record));
  (kind == "canary" ? out.canaries : out.injections).push_back(std::move(statement));
  return done();
}

Result<JudgeProbes> read_probes(const Path& path) {
  JudgeProbes out;
  if (!std::filesystem::exists(path)) return out;
  FIDUCIAL_TRY(const RecordFile file, read_records(path));
  for (const Record& record : file.records) {
    const Outcome added = add_probe(out, record);
    if (!added.ok()) return at_record(added.error(), record, path.string());
  }
  return out;
}

Result<JudgeIdentity> read_identity(const Path& manifest) {
  FIDUCIAL_TRY(const std::string text, read_text_file(manifest));
  FIDUCIAL_TRY(const Json document, parse_json(text).in_file(manifest.string()));
  const Json* entry = document.find("judge");
  if (entry == nullptr) {
    return Error(ErrorCode::invalid_data, "expected a judge's run, whose manifest has \"judge\"; found none",
                 Place{.path = manifest.string()});
  }
  return parse_judge_identity(*entry, "/judge").in_file(manifest.string());
}

}  // namespace

Json JudgeIdentity::json() const {
  return Json::object({{"model", model}, {"prompt", prompt}, {"parameters", parameters}, {"rubric", rubric}});
}

std::string JudgeIdentity::digest() const { return sha256(as_bytes(json().compact())).hex(); }

Result<JudgeIdentity> parse_judge_identity(const Json& entry, const std::string& pointer) {
  JudgeIdentity out;
  FIDUCIAL_TRY(out.model, required_string(entry, "model", pointer));
  FIDUCIAL_TRY(out.prompt, required_string(entry, "prompt", pointer));
  FIDUCIAL_TRY(out.rubric, required_string(entry, "rubric", pointer));
  FIDUCIAL_TRY(const Json* parameters, required_field(entry, "parameters", pointer));
  out.parameters = *parameters;
  FIDUCIAL_TRY(const std::string identity, required_string(entry, "identity", pointer));
  if (identity != out.digest()) {
    return Error(
        ErrorCode::integrity,
        "identity " + identity + " is not that of the model, prompt, parameters and rubric beside it",
        Place{.pointer = pointer + "/identity"});
  }
  return out;
}

Path verdicts_file(const Path& given) {
  return std::filesystem::is_directory(given) ? given / verdicts_file_name : given;
}

Result<JudgeRun> read_judge_run(const Path& folder) {
  if (!std::filesystem::is_directory(folder)) {
    return Error(ErrorCode::invalid_data, "expected the folder that a judge's run wrote",
                 Place{.path = folder.string()});
  }
  JudgeRun out{.verdicts = verdicts_file(folder)};
  FIDUCIAL_TRY(out.identity, read_identity(folder / "manifest.json"));
  FIDUCIAL_TRY(out.records, JudgeRecords::read(out.verdicts));
  FIDUCIAL_TRY(out.probes, read_probes(folder / probes_file_name));
  return out;
}

}  // namespace fiducial
