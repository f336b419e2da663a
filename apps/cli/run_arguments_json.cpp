#include "run_arguments_json.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"

#include "planned_verb.h"

namespace fiducial::cli {

namespace {

// Every argument that a plan keeps, by its name.
template <typename Visit>
void visit_texts(RunArguments& asked, const Visit& visit) {
  visit("dataset", asked.dataset);
  visit("split", asked.split);
  visit("case_list", asked.case_list);
  visit("judged", asked.judged);
  visit("volumes", asked.volumes);
  visit("masks", asked.masks);
  visit("key_file", asked.key_file);
  visit("ca_file", asked.ca_file);
  visit("prices", asked.prices);
  visit("image_budget", asked.image_budget);
  visit("image_rule", asked.image_rule);
  visit("layout", asked.layout);
  visit("effort", asked.effort);
  visit("max_failures", asked.max_failures);
  visit("workflow", asked.request.workflow);
  visit("model", asked.request.model);
  visit("endpoint", asked.request.endpoint);
  visit("vendor", asked.request.vendor);
  visit("key_variable", asked.request.key.variable);
  visit("prompts", asked.request.prompts);
  visit("profile", asked.request.profile);
  visit("hints", asked.request.hints);
  visit("summary", asked.request.summary);
  visit("view", asked.request.view);
}

template <typename Visit>
void visit_numbers(RunArguments& asked, const Visit& visit) {
  visit("timeout_s", asked.timeout_s);
  visit("max_reply_mib", asked.max_reply_mib);
  visit("re_asks", asked.request.re_asks);
  visit("samples", asked.request.samples);
  visit("batch_poll_s", asked.request.batch_poll_s);
  visit("attempts", asked.request.attempts);
  visit("requests_per_minute", asked.request.gate.requests_per_minute);
  visit("tokens_per_minute", asked.request.gate.tokens_per_minute);
}

template <typename Visit>
void visit_flags(RunArguments& asked, const Visit& visit) {
  visit("no_schema", asked.no_schema);
  visit("no_image_labels", asked.no_image_labels);
  visit("streams", asked.request.streams);
  visit("recovers", asked.request.recovers);
  visit("goes_on_with_holes", asked.request.goes_on_with_holes);
  visit("in_batches", asked.request.in_batches);
}

template <typename Visit>
void visit_optional(RunArguments& asked, const Visit& visit) {
  visit("temperature", asked.temperature);
  visit("top_p", asked.top_p);
  visit("max_tokens", asked.max_tokens);
  visit("seed", asked.seed);
  visit("logprobs", asked.logprobs);
  visit("deadline_s", asked.deadline_s);
  visit("limit", asked.limit);
}

template <typename Visit>
void visit_lists(RunArguments& asked, const Visit& visit) {
  visit("set", asked.extra);
  visit("allow_remote", asked.request.allow_remote);
  visit("allow_drop", asked.request.allow_drop);
}

// run:RUN and upstream=FOLDER name a folder behind their first word.
void make_absolute(std::string& text) {
  for (const std::string_view word : {"run:", "upstream="}) {
    if (text.starts_with(word)) {
      text = std::string(word) + absolute_text(text.substr(word.size()));
      return;
    }
  }
  if (text.find('/') != std::string::npos || text.ends_with(".json")) text = absolute_text(text);
}

void make_absolute(RunArguments& asked) {
  for (std::string* path : {&asked.dataset, &asked.case_list, &asked.judged, &asked.volumes, &asked.masks,
                            &asked.key_file, &asked.ca_file, &asked.prices})
    *path = absolute_text(*path);
  for (std::string* text : {&asked.request.prompts, &asked.request.profile, &asked.request.hints,
                            &asked.request.summary, &asked.request.view})
    make_absolute(*text);
}

void take(const Json& value, std::optional<double>& out) { out = value.as_number(); }
void take(const Json& value, std::optional<std::int64_t>& out) {
  if (value.as_integer() != nullptr) out = *value.as_integer();
}

}  // namespace

Json run_arguments_json(RunArguments arguments) {
  make_absolute(arguments);
  Json out = Json::object({});
  visit_texts(arguments, [&out](const char* name, const std::string& text) { out.set(name, text); });
  visit_numbers(arguments, [&out](const char* name, std::int64_t number) { out.set(name, number); });
  visit_flags(arguments, [&out](const char* name, bool flag) { out.set(name, flag); });
  visit_optional(arguments, [&out](const char* name, const auto& value) {
    if (value) out.set(name, *value);
  });
  visit_lists(arguments, [&out](const char* name, const std::vector<std::string>& texts) {
    out.set(name, Json::strings(texts));
  });
  return out.set("concurrency", std::int64_t{arguments.request.gate.most_in_flight});
}

Result<RunArguments> parse_run_arguments(const Json& value) {
  RunArguments out;
  visit_texts(out, [&value](const char* name, std::string& text) { text = text_at(value, name); });
  visit_numbers(out, [&value](const char* name, std::int64_t& number) { number = integer_at(value, name); });
  visit_flags(out, [&value](const char* name, bool& flag) { flag = flag_at(value, name).value_or(false); });
  visit_optional(out, [&value](const char* name, auto& number) {
    if (const Json* found = value.find(name)) take(*found, number);
  });
  visit_lists(
      out, [&value](const char* name, std::vector<std::string>& texts) { texts = strings_at(value, name); });
  out.request.gate.most_in_flight =
      static_cast<int>(std::clamp<std::int64_t>(integer_at(value, "concurrency"), 1, 1024));
  if (out.dataset.empty()) return at_pointer("/request/dataset", "expected a folder or a file");
  return out;
}

}  // namespace fiducial::cli
