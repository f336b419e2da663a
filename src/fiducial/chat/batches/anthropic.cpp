#include "fiducial/base/json_fields.h"
#include "fiducial/chat/batch_language.h"

namespace fiducial {

namespace {

BatchCall anthropic_create(const BatchSubmission& submission, const std::string&) {
  BatchCall out{.path = "/messages/batches", .body = R"({"requests":[)"};
  for (const BatchSubmission::Item& item : submission.items) {
    if (&item != &submission.items.front()) out.body += ',';
    out.body.append(R"({"custom_id":")").append(item.id).append(R"(","params":)").append(item.body) += '}';
  }
  out.body += "]}";
  return out;
}

Result<BatchStatus> anthropic_status(const std::string& id, const Json& document) {
  const std::string status = text_at(document, "processing_status");
  if (status.empty()) return invalid_data("the batch has no \"processing_status\"");
  if (status != "ended") return BatchStatus{};
  return BatchStatus{.phase = BatchStatus::Phase::ended,
                     .results = {{.is_get = true, .path = "/messages/batches/" + id + "/results"}}};
}

// The status that a single request would have had.
int status_of_error(const std::string& type) {
  if (type == "authentication_error") return 401;
  if (type == "permission_error") return 403;
  if (type == "not_found_error") return 404;
  if (type == "request_too_large") return 413;
  if (type == "rate_limit_error") return 429;
  if (type == "overloaded_error") return 529;
  return type == "invalid_request_error" ? 400 : 500;
}

Result<std::vector<BatchResult>> anthropic_results(std::string_view text) {
  FIDUCIAL_TRY(const std::vector<Json> lines, objects_by_line(text));
  std::vector<BatchResult> out;
  for (const Json& line : lines) {
    BatchResult result{.id = text_at(line, "custom_id")};
    const Json* said = line.find("result");
    if (said == nullptr) return invalid_data("a line of the batch has no \"result\"");
    const std::string type = text_at(*said, "type");
    if (const Json* message = said->find("message"); type == "succeeded" && message != nullptr) {
      result.status = 200;
      result.body = message->compact();
    } else if (const Json* error = said->find("error"); type == "errored" && error != nullptr) {
      const Json* inner = error->find("error");
      result.status = status_of_error(inner == nullptr ? std::string() : text_at(*inner, "type"));
      result.body = error->compact();
    } else {
      result.problem = type;  // canceled, expired
    }
    out.push_back(std::move(result));
  }
  return out;
}

// Batches carry no mark of ours there: a batch of as many requests that was made since then may be the one.
std::vector<std::string> anthropic_find(const Json& listing, const BatchLanguage::Wanted& wanted) {
  std::vector<std::string> out;
  const Json::Array* all = find_array(listing, "data");
  for (const Json& batch : all == nullptr ? Json::Array{} : *all) {
    std::int64_t requests = 0;
    if (const Json* counts = batch.find("request_counts");
        counts != nullptr && counts->as_object() != nullptr) {
      for (const auto& [name, count] : *counts->as_object())
        requests += count.as_integer() == nullptr ? 0 : *count.as_integer();
    }
    constexpr std::size_t to_the_second = 19;
    const bool is_since =
        text_at(batch, "created_at").substr(0, to_the_second) >= wanted.since.substr(0, to_the_second);
    if (is_since && requests == static_cast<std::int64_t>(wanted.requests))
      out.push_back(text_at(batch, "id"));
  }
  return out;
}

}  // namespace

const BatchLanguage& anthropic_batches() {
  static const BatchLanguage language{
      .most_bytes = std::size_t{230} << 20,  // of 256 MB
      .most_requests = 100'000,
      .upload = [](const BatchSubmission&) { return std::optional<BatchCall>(); },
      .create = anthropic_create,
      .id = [](const Json& document) { return safe_batch_id(text_at(document, "id")); },
      .ask =
          [](const std::string& id) { return BatchCall{.is_get = true, .path = "/messages/batches/" + id}; },
      .status = anthropic_status,
      .results = anthropic_results,
      .list = [] { return BatchCall{.is_get = true, .path = "/messages/batches?limit=100"}; },
      .find = anthropic_find};
  return language;
}

}  // namespace fiducial
