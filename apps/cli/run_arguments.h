#pragma once

#include <string>
#include <vector>

#include "fiducial/workflows/run_request.h"

#include "verb.h"

namespace fiducial::cli {

// What was typed after `fiducial run`.
struct RunArguments {
  RunRequest request;
  std::string dataset, split, output, case_list, judged;
  std::string volumes, masks;
  std::string key_file, ca_file, prices, replay;
  std::string image_budget = "100%", image_rule = "spread", layout = "text-first";
  std::string effort, max_cost, max_failures;
  std::vector<std::string> extra, stage;
  std::optional<double> temperature, top_p;
  std::optional<std::int64_t> max_tokens, seed, logprobs;
  std::int64_t timeout_s = 600, max_reply_mib = 16;
  std::optional<std::int64_t> deadline_s;
  std::optional<std::int64_t> limit;
  std::string show_prompt;
  std::string serve;
  std::string chat_examples;
  bool no_schema = false, no_image_labels = false;
  bool dry_run = false;
  bool json = false;
};

void define_run_arguments(Verb verb, RunArguments& arguments);
// Those of 'fiducial plan run': without an output, and without what asks nobody.
void define_planned_run_arguments(Verb verb, RunArguments& arguments);
// The request that the arguments make. Refuses what makes no sense, by its option.
Result<RunRequest> run_request(const RunArguments& arguments);

}  // namespace fiducial::cli
