#include "run_arguments.h"

#include <cmath>
#include <utility>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/chat/parameter_profile.h"
#include "fiducial/chat/vendor.h"
#include "fiducial/views/view_policy.h"

#include "asked_stage.h"

namespace fiducial::cli {

namespace {

std::vector<std::string> workflow_names() {
  std::vector<std::string> out;
  for (const Workflow& each : all_workflows()) out.push_back(each.name);
  for (std::string& each : stage_workflows()) out.push_back(std::move(each));
  return out;
}

std::vector<std::string> view_policy_names() {
  std::vector<std::string> out;
  for (const ViewPolicy& each : all_view_policies()) out.push_back(each.name);
  return out;
}

std::vector<std::string> vendor_names() {
  std::vector<std::string> out;
  for (const Vendor& each : all_vendors()) out.push_back(each.id);
  return out;
}

std::vector<std::string> profile_names() {
  std::vector<std::string> out;
  for (const ParameterProfile& each : all_profiles()) out.push_back(each.name);
  return out;
}

void define_endpoint(Verb verb, RunArguments& arguments) {
  const std::string heading = "Endpoint";
  RunRequest& request = arguments.request;
  verb.add_option("--endpoint", request.endpoint, "Base of the URL, as far as /v1 or the vendor's like")
      ->heading(heading);
  verb.add_option("--vendor", request.vendor, "Whose language it speaks (default: by its host)")
      ->one_of(vendor_names())
      ->heading(heading);
  verb.add_option("--key-env", request.key.variable, "Environment variable that holds the key")
      ->heading(heading);
  verb.add_option("--key-file", arguments.key_file, "File that holds the key")->heading(heading);
  verb.add_option("--ca-file", arguments.ca_file, "Certificates to trust (PEM)")->heading(heading);
  verb.add_option("--allow-remote", request.allow_remote, "Host that cases may be sent to")->heading(heading);
  verb.add_option("--timeout-s", arguments.timeout_s, "Seconds that a reply may take")
      ->check(Range(1, 86'400))
      ->capture_default_str()
      ->heading(heading);
  verb.add_flag("--stream", request.streams,
                "Take replies piece by piece, where something on the way cuts silent connections")
      ->heading(heading);
  verb.add_option("--max-reply-mib", arguments.max_reply_mib, "Largest reply that is read, in MiB")
      ->check(Range(1, 1024))
      ->capture_default_str()
      ->heading(heading);
}

void define_parameters(Verb verb, RunArguments& arguments) {
  const std::string heading = "Parameters of the model (sent only where given)";
  RunRequest& request = arguments.request;
  verb.add_option("--profile", request.profile,
                  "Parameters that belong together: one of ours ('fiducial info --profiles') or FILE.json")
      ->suggests(profile_names())
      ->heading(heading);
  verb.add_option("--temperature", arguments.temperature, "Sampling temperature")
      ->check(Range(0.0, 100.0))
      ->heading(heading);
  verb.add_option("--top-p", arguments.top_p, "Share of the probability that is sampled from")
      ->check(Range(0.0, 1.0))
      ->heading(heading);
  verb.add_option("--max-tokens", arguments.max_tokens, "Largest completion, reasoning included")
      ->check(Range(1, 100'000'000))
      ->heading(heading);
  verb.add_option("--seed", arguments.seed, "Seed of the sampling")->heading(heading);
  verb.add_option("--effort", arguments.effort, "Reasoning effort")
      ->suggests({"none", "minimal", "low", "medium", "high", "xhigh"})
      ->heading(heading);
  verb.add_option("--logprobs", arguments.logprobs,
                  "List so many tokens for each: gives probabilities of letters")
      ->check(Range(1, 20))
      ->heading(heading);
  verb.add_option("--set", arguments.extra, "NAME=JSON to add to every request body as it is")
      ->heading(heading);
  verb.add_option("--allow-drop", request.allow_drop, "Parameter to leave out if the endpoint refuses it")
      ->heading(heading);
  verb.add_flag("--no-schema", arguments.no_schema, "Do not ask for JSON by schema; replies are text")
      ->heading(heading);
}

void define_limits(Verb verb, RunArguments& arguments) {
  const std::string heading = "Limits";
  RunRequest& request = arguments.request;
  verb.add_option("--limit", arguments.limit, "Ask about the first cases only")
      ->check(Range(1, 1'000'000'000))
      ->heading(heading);
  verb.add_option("--cases", arguments.case_list, "File of titles: ask about these cases only")
      ->heading(heading);
  verb.add_option("--concurrency", request.gate.most_in_flight, "Requests in flight, at most")
      ->check(Range(1, 1024))
      ->capture_default_str()
      ->heading(heading);
  verb.add_flag("--batch", request.in_batches,
                "Hand questions in as batches, which the vendor answers within a day at a lower price")
      ->heading(heading);
  verb.add_option("--batch-poll-s", request.batch_poll_s, "Seconds between looks at batches")
      ->check(Range(1, 3'600))
      ->capture_default_str()
      ->heading(heading);
  verb.add_option("--rpm", request.gate.requests_per_minute, "Requests a minute, at most")
      ->check(Range(1, 1'000'000'000))
      ->heading(heading);
  verb.add_option("--tpm", request.gate.tokens_per_minute, "Tokens a minute, at most, by estimate")
      ->check(Range(1, 1'000'000'000))
      ->heading(heading);
  verb.add_option("--attempts", request.attempts, "Attempts for each request")
      ->check(Range(1, 100))
      ->capture_default_str()
      ->heading(heading);
  verb.add_option("--deadline-s", arguments.deadline_s,
                  "Stop sending after so many seconds; the same command goes on")
      ->check(Range(1, 31'536'000))
      ->heading(heading);
  verb.add_option("--max-failures", arguments.max_failures,
                  "Questions that may stay without a reply: a count or a share (default: 10 or 5%)")
      ->heading(heading);
  verb.add_option("--prices", arguments.prices, "Price of a million tokens by model (JSON)")
      ->heading(heading);
}

void define_questions(Verb verb, RunArguments& arguments) {
  const std::string heading = "Questions";
  RunRequest& request = arguments.request;
  verb.add_option("--predictions", arguments.judged,
                  "Predictions, or the folder of a run, whose reasoning is judged (judge)")
      ->heading(heading);
  verb.add_option("--volumes", arguments.volumes, "Folder of the CTs, for workflows that show scans")
      ->heading(heading);
  verb.add_option("--masks", arguments.masks,
                  "Organ masks for pictures that show regions (default: those of the dataset)")
      ->heading(heading);
  verb.add_option("--view", request.view,
                  "View policy: how cases become pictures, by name or FILE.json (fiducial view --list)")
      ->suggests(view_policy_names())
      ->heading(heading);
  verb.add_option("--prompts", request.prompts, "Folder of prompts to use for ours, or upstream=FOLDER")
      ->heading(heading);
  verb.add_option("--hints", request.hints,
                  "Findings of single images: none, expert, self or run:RUN (twi: self)")
      ->suggests({"none", "expert", "self", "run:"})
      ->heading(heading);
  verb.add_option("--summary", request.summary, "Their summary: none, expert, self or run:RUN (twi: self)")
      ->suggests({"none", "expert", "self", "run:"})
      ->heading(heading);
  verb.add_flag("--go-on-with-holes", request.goes_on_with_holes,
                "Say that a finding is missing and go on, where it could not be had")
      ->heading(heading);
  verb.add_option("--image-budget", arguments.image_budget, "Images shown of a case: a share or a count")
      ->capture_default_str()
      ->heading(heading);
  verb.add_option("--image-rule", arguments.image_rule, "Which images those are")
      ->one_of({"spread", "prefix"})
      ->capture_default_str()
      ->heading(heading);
  verb.add_option("--layout", arguments.layout, "Order of text and images")
      ->one_of({"text-first", "images-first"})
      ->capture_default_str()
      ->heading(heading);
  verb.add_flag("--no-image-labels", arguments.no_image_labels, "Leave out \"Image 3:\" before each image")
      ->heading(heading);
  verb.add_option("--samples", request.samples, "Ask every question so often; the prediction is the vote")
      ->check(Range(1, 1000))
      ->capture_default_str()
      ->heading(heading);
  verb.add_option("--re-asks", request.re_asks, "Times a reply of a wrong form is asked for again")
      ->check(Range(0, 10))
      ->capture_default_str()
      ->heading(heading);
  verb.add_flag("--recovery", request.recovers,
                "Ask for the letter alone, once, where an answer cannot be read")
      ->heading(heading);
}

void define_asked(Verb verb, RunArguments& arguments) {
  RunRequest& request = arguments.request;
  verb.add_option("DIR", arguments.dataset,
                  "Dataset folder; for curate:STAGE its input; or the requests.jsonl of a curation stage")
      ->required();
  verb.add_option("--workflow", request.workflow, "How to ask: " + joined(workflow_names()))
      ->one_of(workflow_names())
      ->capture_default_str();
  verb.add_option("--model", request.model, "Model, by the name that the endpoint has for it")->required();
  verb.add_option("--split", arguments.split, "Split to ask about (default: test)");
}

void define_groups(Verb verb, RunArguments& arguments) {
  define_endpoint(verb, arguments);
  define_questions(verb, arguments);
  define_parameters(verb, arguments);
  define_limits(verb, arguments);
}

Result<std::optional<double>> cost_of(const std::string& text) {
  if (text.empty()) return std::optional<double>();
  const auto cost = parse_double(text);
  if (!cost || !(*cost >= 0)) return bad_usage("--max-cost: \"" + text + "\" is no amount");
  return cost;
}

// NAME=JSON. What a run asks, and of whom, is not set so.
Result<std::pair<std::string, Json>> member_of(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0)
    return bad_usage("--set: expected NAME=JSON, found " + word);
  std::string name = word.substr(0, equals);
  for (const char* ours :
       {"model", "messages", "input", "instructions", "system", "contents", "systemInstruction"}) {
    if (name == ours) return bad_usage("--set: " + name + " is what the run itself says");
  }
  Result<Json> value = parse_json(word.substr(equals + 1));
  if (!value.ok())
    return bad_usage("--set: " + word.substr(equals + 1) + " is no JSON; a text has quotes: --set '" + name +
                     "=\"...\"'");
  return std::pair(std::move(name), *std::move(value));
}

Result<Json> parameters_of(const RunArguments& arguments) {
  Json out = Json::Object{};
  // A range lets through what is no number.
  if (!std::isfinite(arguments.temperature.value_or(0)) || !std::isfinite(arguments.top_p.value_or(0)))
    return bad_usage("--temperature and --top-p take numbers");
  if (arguments.temperature) out.set("temperature", *arguments.temperature);
  if (arguments.top_p) out.set("top_p", *arguments.top_p);
  if (arguments.max_tokens) out.set("max_tokens", *arguments.max_tokens);
  if (arguments.seed) out.set("seed", *arguments.seed);
  if (!arguments.effort.empty()) out.set("effort", arguments.effort);
  if (arguments.logprobs) out.set("logprobs", *arguments.logprobs);
  Json extra = Json::Object{};
  for (const std::string& word : arguments.extra) {
    FIDUCIAL_TRY(auto member, member_of(word));
    extra.set(std::move(member.first), std::move(member.second));
  }
  if (!extra.as_object()->empty()) out.set("extra", std::move(extra));
  return out;
}

}  // namespace

void define_run_arguments(Verb verb, RunArguments& arguments) {
  define_asked(verb, arguments);
  verb.add_option("--stage", arguments.stage, "Setting of curate:STAGE: NAME=VALUE, or the name of a flag");
  verb.add_option("-o,--output", arguments.output, "Folder of the run; the same command goes on with it");
  verb.add_option("--replay", arguments.replay, "Take all replies from this journal and ask nobody");
  verb.add_flag("--dry-run", arguments.dry_run, "Say what would be asked, and what it would cost at most");
  verb.add_option("--show-prompt", arguments.show_prompt, "Print the request about this case and stop");
  verb.add_flag("--questions", arguments.request.only_lists,
                "Write the questions that can be asked now into -o, with their pictures, and stop");
  verb.add_option("--chat-examples", arguments.chat_examples,
                  "Write questions and experts' replies as chats to fine-tune on, and stop");
  verb.add_flag("--json", arguments.json, "Print the manifest as JSON");
  verb.add_option("--serve", arguments.serve,
                  "Command that serves the model on {port} of this machine; started and stopped by the run")
      ->heading("Endpoint");
  verb.add_option("--max-cost", arguments.max_cost, "Stop before it could cost more")->heading("Limits");
  define_groups(verb, arguments);
}

void define_planned_run_arguments(Verb verb, RunArguments& arguments) {
  define_asked(verb, arguments);
  define_groups(verb, arguments);
}

Result<RunRequest> run_request(const RunArguments& arguments) {
  RunRequest out = arguments.request;
  if (out.model.empty()) return bad_usage("--model: give the name that the endpoint has for it");
  out.dataset = arguments.dataset;
  if (!arguments.split.empty()) out.split = arguments.split;
  out.output = arguments.output;
  out.case_list = arguments.case_list;
  out.volumes = arguments.volumes;
  out.masks = arguments.masks;
  out.judged = arguments.judged;
  out.key.file = arguments.key_file;
  out.http.ca_file = arguments.ca_file;
  out.http.timeout = std::chrono::seconds(arguments.timeout_s);
  out.http.max_reply_bytes = static_cast<std::size_t>(arguments.max_reply_mib) << 20U;
  out.prices = arguments.prices;
  out.replay = arguments.replay;
  out.with_schema = !arguments.no_schema;
  out.labels_images = !arguments.no_image_labels;
  out.layout = arguments.layout == "text-first" ? ImageLayout::text_first : ImageLayout::images_first;
  out.limit = arguments.limit;
  FIDUCIAL_TRY(out.images, ImageBudget::parse(arguments.image_budget, arguments.image_rule));
  if (arguments.deadline_s) out.deadline = std::chrono::seconds(*arguments.deadline_s);
  FIDUCIAL_TRY(out.max_cost, cost_of(arguments.max_cost));
  FIDUCIAL_TRY(out.parameters, parameters_of(arguments));
  if (!out.profile.empty()) {
    FIDUCIAL_TRY(const ParameterProfile profile, read_profile(out.profile));
    out.parameters = with_profile(profile, out.parameters);
    out.profile_json = profile.json();
  }
  const bool sends = !arguments.dry_run && !out.only_lists && arguments.show_prompt.empty() &&
                     arguments.replay.empty() && arguments.chat_examples.empty();
  if (!arguments.serve.empty() && !out.endpoint.empty())
    return bad_usage("--serve and --endpoint: give one of them");
  if (sends && out.endpoint.empty() && arguments.serve.empty())
    return bad_usage("--endpoint: give the URL of the model, or --replay JOURNAL");
  if (sends && out.output.empty()) return bad_usage("-o: give the folder of the run");
  if ((!arguments.replay.empty() || out.only_lists) && out.output.empty())
    return bad_usage("-o: give the folder of the run");
  return out;
}

}  // namespace fiducial::cli
