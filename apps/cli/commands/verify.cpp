#include <memory>
#include <string>

#include "fiducial/base/number_text.h"
#include "fiducial/eval/verification.h"

#include "command.h"
#include "score_diagnostic.h"

namespace fiducial::cli {

namespace {

struct VerifyOptions {
  std::string scores;
  std::string dataset;
  std::string predictions;
  std::string volumes;
  std::string ignored;
  std::string metadata;
  AnswerOptions answers;
  int threads = 0;
  bool json = false;
};

Json lines_json(const std::vector<std::string>& lines) {
  Json out = Json(Json::Array{});
  for (const std::string& line : lines) out.push(line);
  return out;
}

// Answers to questions have files of their own, and scores of masks theirs.
Result<Verification> verification_of(const VerifyOptions& options, const ScoreRequest& inputs,
                                     Console& console) {
  FIDUCIAL_TRY(const bool tasks, holds_tasks(options.scores));
  FIDUCIAL_TRY(const bool answers, holds_answers(options.scores));
  FIDUCIAL_TRY(DiagnosticScoreRequest request, answer_request(options.answers));
  const bool has_answer_inputs = request.components || request.verdicts || request.ratings ||
                                 request.wordnet || !request.baselines.empty();
  const bool has_mask_inputs = (inputs.volumes && !tasks) || inputs.metadata || inputs.ignored;
  if (answers ? has_mask_inputs : has_answer_inputs) {
    return bad_usage(options.scores + " holds scores of " + (answers ? "answers" : "masks") +
                     "; options for the other kind were given");
  }
  if (!answers) return verify_scores(options.scores, inputs, Executor(options.threads), console);
  if (tasks) {
    TableScoreRequest tables{.dataset = inputs.dataset, .predictions = inputs.predictions};
    tables.volumes = inputs.volumes;
    tables.wordnet = request.wordnet;
    return verify_tasks(options.scores, std::move(tables), Executor(options.threads));
  }
  request.dataset = inputs.dataset;
  request.predictions = inputs.predictions;
  return verify_answers(options.scores, std::move(request), Executor(options.threads));
}

Result<int> verify(const VerifyOptions& options, Console& console) {
  ScoreRequest inputs;
  inputs.dataset = options.dataset;
  inputs.predictions = options.predictions;
  if (!options.volumes.empty()) inputs.volumes = options.volumes;
  if (!options.metadata.empty()) inputs.metadata = options.metadata;
  if (!options.ignored.empty()) inputs.ignored = options.ignored;
  FIDUCIAL_TRY(const Verification found, verification_of(options, inputs, console));
  const bool agrees = found.changed_inputs.empty() && found.changed_outputs.empty();
  if (options.json) {
    console.print(Json::object({{"schema", "fiducial.verification/1"},
                                {"agrees", agrees},
                                {"files_compared", found.files_compared},
                                {"changed_inputs", lines_json(found.changed_inputs)},
                                {"changed_outputs", lines_json(found.changed_outputs)}})
                      .pretty());
  } else {
    for (const std::string& line : found.changed_inputs) console.print("changed input: " + line + "\n");
    for (const std::string& line : found.changed_outputs) console.print("changed output: " + line + "\n");
    if (agrees) console.print("verified: " + decimal(found.files_compared) + " files agree\n");
  }
  return agrees ? 0 : exit_status(ErrorCode::integrity);
}

}  // namespace

Command verify_command() {
  return {
      .name = "verify",
      .summary = "Hash and score again, and compare with a score folder",
      .example = "fiducial verify scores/ rexgroundingct/ predictions/",
      .define = [](Verb verb) -> CommandBody {
        auto options = std::make_shared<VerifyOptions>();
        verb.add_option("OUT", options->scores, "Folder written by score or merge")->required();
        verb.add_option("DIR", options->dataset, "Dataset folder")->required();
        verb.add_option("PREDICTIONS", options->predictions,
                        "Folder or flat zip of <case>.nii.gz; for questions the JSONL file")
            ->required();
        verb.add_option("--volumes", options->volumes,
                        "Folder of the CT volumes, if the scores were made with one");
        verb.add_option("--ignore", options->ignored,
                        "Folder of ignored regions, if the scores were made with one");
        verb.add_option("--metadata", options->metadata,
                        "CSV of facts about the volumes, if the scores were grouped by one");
        verb.add_option("--baseline", options->answers.baselines,
                        "NAME=FILE, if answers were shown beside it");
        verb.add_option("--components", options->answers.components,
                        "Component scores, if RadCliQ was made of some");
        verb.add_option("--verdicts", options->answers.verdicts, "Verdicts, if steps were judged");
        verb.add_option("--ratings", options->answers.ratings, "Ratings, if discussions were rated");
        verb.add_option("--wordnet", options->answers.wordnet, "WordNet, if METEOR was given synonyms");
        verb.add_option("--threads", options->threads, "Threads (0: one per core)")->check(Range(0, 1024));
        verb.add_flag("--json", options->json, "Print the result as JSON");
        return [options](Console& console) { return verify(*options, console); };
      }};
}

}  // namespace fiducial::cli
