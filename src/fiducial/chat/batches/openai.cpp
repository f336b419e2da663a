#include "fiducial/base/json_fields.h"
#include "fiducial/chat/batch_language.h"

namespace fiducial {

namespace {

// Requests as a file, a line each.
std::optional<BatchCall> openai_upload(const BatchSubmission& submission) {
  const std::string boundary = "fiducial-" + submission.token;
  BatchCall out{.path = "/files", .content_type = "multipart/form-data; boundary=" + boundary};
  out.body = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n--" +
             boundary + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + submission.token +
             ".jsonl\"\r\nContent-Type: application/jsonl\r\n\r\n";
  for (const BatchSubmission::Item& item : submission.items) {
    out.body.append(R"({"custom_id":")").append(item.id).append(R"(","method":"POST","url":"/v1)");
    out.body.append(submission.path).append(R"(","body":)").append(item.body).append("}\n");
  }
  out.body += "\r\n--" + boundary + "--\r\n";
  return out;
}

BatchCall openai_create(const BatchSubmission& submission, const std::string& file_id) {
  const Json body = Json::object({{"input_file_id", file_id},
                                  {"endpoint", "/v1" + submission.path},
                                  {"completion_window", "24h"},
                                  {"metadata", Json::object({{"fiducial", submission.token}})}});
  return {.path = "/batches", .body = body.compact()};
}

Result<std::string> openai_id(const Json& document) { return safe_batch_id(text_at(document, "id")); }

Result<BatchStatus> openai_status(const std::string&, const Json& document) {
  const std::string status = text_at(document, "status");
  if (status == "failed") {
    std::string problem = "the endpoint refused the batch";
    const Json* errors = document.find("errors");
    const Json::Array* all = errors == nullptr ? nullptr : find_array(*errors, "data");
    if (all != nullptr && !all->empty()) problem += ": " + text_at(all->front(), "message");
    return BatchStatus{.phase = BatchStatus::Phase::failed, .problem = problem};
  }
  if (status != "completed" && status != "expired" && status != "cancelled") return BatchStatus{};
  BatchStatus out{.phase = BatchStatus::Phase::ended};
  for (const char* file : {"output_file_id", "error_file_id"}) {
    const std::string id = text_at(document, file);
    if (id.empty()) continue;
    FIDUCIAL_TRY(const std::string safe, safe_batch_id(id));
    out.results.push_back({.is_get = true, .path = "/files/" + safe + "/content"});
  }
  return out;
}

Result<std::vector<BatchResult>> openai_results(std::string_view text) {
  FIDUCIAL_TRY(const std::vector<Json> lines, objects_by_line(text));
  std::vector<BatchResult> out;
  for (const Json& line : lines) {
    BatchResult result{.id = text_at(line, "custom_id")};
    const Json* response = line.find("response");
    if (response != nullptr && response->as_object() != nullptr) {
      result.status = static_cast<int>(integer_at(*response, "status_code"));
      if (const Json* body = response->find("body")) result.body = body->compact();
    } else if (const Json* error = line.find("error"); error != nullptr && error->as_object() != nullptr) {
      result.problem = text_at(*error, "message");
    }
    out.push_back(std::move(result));
  }
  return out;
}

std::vector<std::string> openai_find(const Json& listing, const BatchLanguage::Wanted& wanted) {
  std::vector<std::string> out;
  const Json::Array* all = find_array(listing, "data");
  for (const Json& batch : all == nullptr ? Json::Array{} : *all) {
    const Json* metadata = batch.find("metadata");
    if (metadata != nullptr && text_at(*metadata, "fiducial") == wanted.token)
      out.push_back(text_at(batch, "id"));
  }
  return out;
}

}  // namespace

const BatchLanguage& openai_batches() {
  static const BatchLanguage language{
      .most_bytes = std::size_t{180} << 20,  // of 200 MB
      .most_requests = 50'000,
      .upload = openai_upload,
      .create = openai_create,
      .id = openai_id,
      .ask = [](const std::string& id) { return BatchCall{.is_get = true, .path = "/batches/" + id}; },
      .status = openai_status,
      .results = openai_results,
      .list = [] { return BatchCall{.is_get = true, .path = "/batches?limit=100"}; },
      .find = openai_find};
  return language;
}

}  // namespace fiducial
