#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/chat/asker.h"
#include "fiducial/workflows/image_budget.h"
#include "fiducial/workflows/workflow.h"

namespace fiducial {

// Everything `fiducial run` is told.
struct RunRequest {
  Path dataset;
  std::optional<std::string> split;
  std::string workflow = "direct";
  Path output;

  std::string model;
  std::string endpoint;
  std::string vendor;  // empty: by the endpoint's host
  KeySource key;
  std::vector<std::string> allow_remote;
  std::vector<std::string> allow_drop;
  bool streams = false;  // replies come piece by piece
  Json parameters = Json::Object{};

  Path stage_input;  // what a stage of curation reads whose requests are answered on the way
  Path judged;       // predictions whose reasoning is judged

  std::string prompts;  // where the words come from; empty: ours
  std::string profile;  // where parameters come from that were not given one by one: a name of ours or a file
  Json profile_json;    // its name and hash, for the plan; null without one
  bool with_schema = true;
  bool recovers = false;  // one more turn asks for the letter where an answer cannot be read
  std::int64_t re_asks = 1;
  ImageLayout layout = ImageLayout::text_first;
  bool labels_images = true;
  ImageBudget images;
  std::int64_t samples = 1;
  std::string hints;  // none, expert, self, run:RUN; empty: as the workflow usually has it
  std::string summary;
  bool goes_on_with_holes = false;
  std::optional<std::int64_t> limit;
  Path case_list;
  Path volumes;      // where scans are
  Path masks;        // of organs, for pictures that show regions; empty: those of the dataset
  std::string view;  // a policy's name or file; empty: as the workflow usually has it

  HttpOptions http;
  GateLimits gate;
  bool in_batches = false;  // questions go out in batches, at the endpoint's price for those
  std::int64_t batch_poll_s = 30;
  std::int64_t attempts = 6;
  std::optional<std::chrono::seconds> deadline;  // nothing is sent after that long
  Path prices;
  std::optional<double> max_cost;
  Path replay;              // replies come from here alone
  bool only_lists = false;  // questions are listed, and nobody is asked
};

}  // namespace fiducial
