#include "fiducial/base/json_fields.h"
#include "fiducial/chat/batch_language.h"

namespace fiducial {

namespace {

BatchCall gemini_create(const BatchSubmission& submission, const std::string&) {
  BatchCall out{.path = "/models/" + submission.model + ":batchGenerateContent"};
  out.body =
      R"({"batch":{"displayName":")" + submission.token + R"(","inputConfig":{"requests":{"requests":[)";
  for (const BatchSubmission::Item& item : submission.items) {
    if (&item != &submission.items.front()) out.body += ',';
    out.body.append(R"({"request":)").append(item.body).append(R"(,"metadata":{"key":")").append(item.id) +=
        "\"}}";
  }
  out.body += "]}}}}";
  return out;
}

// The answers of a batch, in the long-running operation that it is; null while there are none.
const Json* answers_of(const Json& document) {
  const Json* metadata = document.find("metadata");
  const Json* output = metadata == nullptr ? nullptr : metadata->find("output");
  for (const Json* holder : {output, document.find("response")}) {
    const Json* list = holder == nullptr ? nullptr : holder->find("inlinedResponses");
    if (list != nullptr) return list->find("inlinedResponses");
  }
  return nullptr;
}

Result<BatchStatus> gemini_status(const std::string& id, const Json& document) {
  const Json* metadata = document.find("metadata");
  const std::string state = metadata == nullptr ? std::string() : text_at(*metadata, "state");
  const auto is = [&state](std::string_view end) { return state.ends_with(end); };
  if (is("_FAILED") || is("_CANCELLED") || is("_EXPIRED")) {
    const Json* error = document.find("error");
    return BatchStatus{.phase = BatchStatus::Phase::failed,
                       .problem = "the batch ended as " + state +
                                  (error == nullptr ? std::string() : ": " + text_at(*error, "message"))};
  }
  if (!is("_SUCCEEDED") && !flag_at(document, "done").value_or(false)) return BatchStatus{};
  return BatchStatus{.phase = BatchStatus::Phase::ended, .results = {{.is_get = true, .path = "/" + id}}};
}

Result<std::vector<BatchResult>> gemini_results(std::string_view text) {
  FIDUCIAL_TRY(const Json document, parse_json(text));
  std::vector<BatchResult> out;
  const Json* answers = answers_of(document);
  if (answers == nullptr || answers->as_array() == nullptr) return invalid_data("the batch has no answers");
  for (const Json& answer : *answers->as_array()) {
    BatchResult result;
    if (const Json* metadata = answer.find("metadata")) result.id = text_at(*metadata, "key");
    if (const Json* response = answer.find("response")) {
      result.status = 200;
      result.body = response->compact();
    } else if (const Json* error = answer.find("error")) {
      // A code of gRPC: 3 and 9 say that the request is at fault.
      const std::int64_t code = integer_at(*error, "code");
      result.status = code == 3 || code == 9 ? 400 : code == 8 ? 429 : 500;
      result.body = Json::object({{"error", *error}}).compact();
    }
    out.push_back(std::move(result));
  }
  return out;
}

std::vector<std::string> gemini_find(const Json& listing, const BatchLanguage::Wanted& wanted) {
  std::vector<std::string> out;
  const Json::Array* all = find_array(listing, "operations");
  for (const Json& operation : all == nullptr ? Json::Array{} : *all) {
    const Json* metadata = operation.find("metadata");
    if (metadata != nullptr && text_at(*metadata, "displayName") == wanted.token)
      out.push_back(text_at(operation, "name"));
  }
  return out;
}

}  // namespace

const BatchLanguage& gemini_batches() {
  static const BatchLanguage language{
      .most_bytes = std::size_t{18} << 20,  // of 20 MB
      .most_requests = 50'000,
      .upload = [](const BatchSubmission&) { return std::optional<BatchCall>(); },
      .create = gemini_create,
      .id = [](const Json& document) { return safe_batch_id(text_at(document, "name")); },  // batches/...
      .ask = [](const std::string& id) { return BatchCall{.is_get = true, .path = "/" + id}; },
      .status = gemini_status,
      .results = gemini_results,
      .list = [] { return BatchCall{.is_get = true, .path = "/batches?pageSize=100"}; },
      .find = gemini_find};
  return language;
}

}  // namespace fiducial
