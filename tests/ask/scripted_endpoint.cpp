// A stand-in for the servers of four vendors, for tests alone: it answers by a script of faults
// (fault_script.h, fault_reply.h) or as a reader whose accuracy is known in advance (planted_effects.h), and
// logs every request.
//
// usage: scripted_endpoint --log FILE [--script FILE] [--planted FILE [--allow FIELD,FIELD]] [--bodies DIR]
//                          [--port N] [--tls CERTIFICATES KEY] [--threads N]
//
// Prints "listening on PORT" and serves until SIGTERM. A planted reader that sees what it must not see
// answers 400, logs a line with "leak", and the program ends with status 1.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/http/server.h"
#include "fiducial/tls/server_tls.h"

#include "asked.h"
#include "call_log.h"
#include "fault_reply.h"
#include "fault_script.h"
#include "json_members.h"
#include "planted_effects.h"
#include "schema_instance.h"
#include "vendor_reply.h"

namespace fiducial::ask_test {

namespace {

constexpr std::uint64_t most_body_bytes = std::uint64_t{512} << 20;

// A number that depends on what is asked, and on nothing else.
std::uint64_t choice_of(const Asked& asked) {
  std::string all = asked.text;
  for (const std::string& image : asked.images) all += image;
  const Digest digest = sha256(as_bytes(all));
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) value = (value << 8) | digest.bytes.at(i);
  return value;
}

Answer standard_answer(const Asked& asked) {
  const std::uint64_t choice = choice_of(asked);
  Json reply = Json::object({{"answer", std::string(1, static_cast<char>('A' + choice % 5))},
                             {"explanation", "The wall is thick. The fat around it is grey."}});
  if (!asked.schema.is_null()) reply = schema_instance(asked.schema, choice);
  return {.text = reply.compact(),
          .prompt_tokens = static_cast<std::int64_t>(asked.text.size() / 4 + 1000 * asked.images.size()),
          .completion_tokens = 42};
}

// The key that came with a request, as a hash: logs hold no keys.
Json key_hash(const http::Request& request) {
  for (const std::string_view name : {"Authorization", "x-api-key", "x-goog-api-key", "api-key"}) {
    if (const std::string* key = request.find(name)) {
      return Json::object({{"field", name}, {"sha256", sha256(as_bytes(*key)).hex()}});
    }
  }
  return {};
}

class Endpoint {
 public:
  Endpoint(FaultScript script, std::optional<PlantedEffects> planted, CallLog log)
      : script_(std::move(script)), planted_(std::move(planted)), log_(std::move(log)) {}

  http::Router router();
  bool saw_leak() const { return saw_leak_; }
  void reply_ended(const http::Access& access) {
    if (access.method == "POST") --running_;
  }

 private:
  http::Reply answer(Vendor vendor, const http::Request& request);
  http::Reply answer_parsed(const Asked& asked, const Json& body, const std::string& path, Json line);
  http::Reply finish(const Json& line, http::Reply reply);

  FaultScript script_;
  std::optional<PlantedEffects> planted_;
  CallLog log_;
  std::atomic<std::uint64_t> count_{0};
  std::atomic<std::int64_t> running_{0};
  std::atomic<bool> saw_leak_{false};
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

http::Router Endpoint::router() {
  http::Router router;
  const auto add = [&](std::string pattern, Vendor vendor) {
    router.add({.method = "POST",
                .pattern = std::move(pattern),
                .handler = [this, vendor](const http::Request& request) { return answer(vendor, request); },
                .max_body_bytes = most_body_bytes,
                .quick = true});
  };
  add("/v1/chat/completions", Vendor::openai_chat);
  add("/openai/deployments/{deployment}/chat/completions", Vendor::openai_chat);
  add("/v1/responses", Vendor::openai_responses);
  add("/v1/messages", Vendor::anthropic);
  add("/v1beta/models/{call}", Vendor::gemini);
  add("/v1/models/{call}", Vendor::gemini);
  router.add({.method = "GET",
              .pattern = "/v1/models",
              .handler =
                  [](const http::Request&) {
                    return http::Reply::json(Json::object(
                        {{"object", "list"},
                         {"data", Json::array({Json::object({{"id", "stand-in"}, {"object", "model"}})})}}));
                  },
              .quick = true});
  return router;
}

http::Reply Endpoint::finish(const Json& line, http::Reply reply) {
  if (!log_.add(line).ok()) return http::Reply::problem(500, "the log cannot be written");
  reply.delay += std::chrono::milliseconds(script_.latency_ms());
  return reply;
}

http::Reply Endpoint::answer(Vendor vendor, const http::Request& request) {
  const auto at =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began_);
  const std::string hash = sha256(as_bytes(request.body)).hex();
  const std::string_view call = request.part("call");
  Json line = Json::object({{"index", count_++},
                            {"at_ms", std::int64_t{at.count()}},
                            {"path", request.path},
                            {"vendor", to_string(vendor)},
                            {"sha256", hash},
                            {"bytes", std::uint64_t{request.body.size()}},
                            {"running", ++running_},
                            {"key", key_hash(request)}});
  if (!log_.keep_body(hash, request.body).ok())
    return http::Reply::problem(500, "the body cannot be written");
  if (vendor == Vendor::gemini && !call.ends_with(":generateContent")) {
    return finish(line.set("invalid", "an unknown call"), http::Reply::problem(404, "an unknown call"));
  }
  const Result<Json> body = parse_json(request.body);
  Result<Asked> asked = invalid_data("");
  if (!body.ok()) {
    asked = body.error();
  } else {
    asked = parse_asked(vendor, *body, call.substr(0, call.find(':')));
  }
  if (!asked.ok()) {
    return finish(line.set("invalid", asked.error().text()),
                  http::Reply::json(error_body(vendor, {.message = asked.error().text()}), 400));
  }
  return answer_parsed(*asked, *body, request.path, std::move(line));
}

http::Reply Endpoint::answer_parsed(const Asked& asked, const Json& body, const std::string& path,
                                    Json line) {
  const std::uint64_t index = static_cast<std::uint64_t>(*line.find("index")->as_integer());
  const Json& step = script_.step(
      {.index = index, .path = path, .text = asked.text, .body_hash = *line.find("sha256")->as_string()});
  line.set("model", asked.model).set("images", Json::strings(asked.images)).set("effort", asked.effort);
  line.set("do", *step.find("do"));
  Answer answer;
  if (planted_) {
    Result<Answer> found = planted_->answer(asked);
    if (!found.ok()) {
      saw_leak_ = true;
      std::cerr << "leak: " << found.error().text() << std::endl;
      return finish(
          line.set("leak", found.error().text()),
          http::Reply::json(error_body(asked.vendor, {.message = "leak: " + found.error().text()}), 400));
    }
    answer = *std::move(found);
  } else {
    answer = standard_answer(asked);
  }
  http::Reply reply = reply_for(step, asked, body, std::move(answer), index);
  if (const auto delay = number_at(step, "delay_ms")) reply.delay = std::chrono::milliseconds(*delay);
  reply.set("x-request-id", "req-" + decimal(index));
  return finish(line, std::move(reply));
}

using Arguments = std::map<std::string, std::vector<std::string>>;

Result<Arguments> parse_arguments(int count, char** words) {
  const std::map<std::string, int> known{{"--log", 1},   {"--script", 1}, {"--planted", 1},
                                         {"--allow", 1}, {"--bodies", 1}, {"--port", 1},
                                         {"--tls", 2},   {"--threads", 1}};
  Arguments found;
  for (int i = 1; i < count; ++i) {
    const auto option = known.find(words[i]);
    if (option == known.end()) return bad_usage("unknown: " + std::string(words[i]));
    if (i + option->second >= count) return bad_usage("too little behind " + option->first);
    std::vector<std::string>& values = found[option->first];
    values.clear();
    for (int k = 0; k < option->second; ++k) values.emplace_back(words[++i]);
  }
  if (!found.contains("--log")) return bad_usage("--log is missing");
  return found;
}

std::optional<std::string> first_of(const Arguments& arguments, const std::string& name) {
  const auto found = arguments.find(name);
  return found == arguments.end() ? std::nullopt : std::optional(found->second.at(0));
}

std::set<std::string> comma_separated(std::string_view list) {
  std::set<std::string> out;
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find(','));
    out.emplace(one);
    list.remove_prefix(std::min(list.size(), one.size() + 1));
  }
  return out;
}

Result<http::ServerOptions> server_options(const Arguments& arguments) {
  http::ServerOptions options;
  const std::optional<std::int64_t> port = parse_integer(first_of(arguments, "--port").value_or("0"));
  const std::optional<std::int64_t> threads = parse_integer(first_of(arguments, "--threads").value_or("1"));
  if (!port || !threads) return bad_usage("--port and --threads take numbers");
  options.port = static_cast<std::uint16_t>(*port);
  options.wire_threads = static_cast<int>(*threads);
  if (const auto tls = arguments.find("--tls"); tls != arguments.end()) {
    FIDUCIAL_TRY(options.security,
                 http::load_tls({.certificates = tls->second.at(0), .key = tls->second.at(1)}));
  }
  return options;
}

Result<bool> run(int count, char** words) {
  FIDUCIAL_TRY(const Arguments arguments, parse_arguments(count, words));
  const std::optional<std::string> script_file = first_of(arguments, "--script");
  FIDUCIAL_TRY(FaultScript script, script_file ? FaultScript::read(*script_file) : Result(FaultScript()));
  std::optional<PlantedEffects> planted;
  if (const auto table = first_of(arguments, "--planted")) {
    FIDUCIAL_TRY(planted, PlantedEffects::read(*table));
    planted->allow(comma_separated(first_of(arguments, "--allow").value_or("")));
  }
  std::optional<Path> bodies;
  if (const auto folder = first_of(arguments, "--bodies")) bodies = *folder;
  FIDUCIAL_TRY(CallLog log, CallLog::open(*first_of(arguments, "--log"), bodies));
  FIDUCIAL_TRY(http::ServerOptions options, server_options(arguments));
  Endpoint endpoint(std::move(script), std::move(planted), std::move(log));
  options.log = [&endpoint](const http::Access& access) { endpoint.reply_ended(access); };
  // Tests ask from one address, with as many connections as a run has.
  http::Limits limits;
  limits.connections = 2048;
  limits.connections_per_address = 2048;
  limits.requests_per_connection = UINT64_MAX;
  limits.stop_time = std::chrono::milliseconds(100);
  FIDUCIAL_TRY_DONE(http::serve(endpoint.router(), limits, options, [](std::uint16_t port) {
    std::cout << "listening on " << port << std::endl;
  }));
  return endpoint.saw_leak();
}

}  // namespace

}  // namespace fiducial::ask_test

int main(int count, char** words) {
  fiducial::install_stop_signals();
  const fiducial::Result<bool> ended = fiducial::ask_test::run(count, words);
  if (!ended.ok()) {
    std::cerr << "scripted_endpoint: " << ended.error().text() << std::endl;
    return fiducial::exit_status(ended.error().code());
  }
  return *ended ? 1 : 0;
}
