#include "fiducial/chat/prices.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/suggestion.h"

namespace fiducial {

namespace {

constexpr double million = 1e6;
constexpr std::int64_t default_image_tokens = 1600;

Result<double> price_at(const Json& model, const char* name) {
  const auto value = number_at(model, name);
  if (value && *value >= 0) return *value;
  return at_pointer(std::string("/") + name, "expected a price of a million tokens");
}

}  // namespace

double Price::of(const TokenUsage& usage) const {
  const auto fresh = static_cast<double>(usage.prompt - usage.cached);
  return (fresh * input + static_cast<double>(usage.cached) * cached +
          static_cast<double>(usage.completion) * output) /
         million;
}

Result<Price> read_price(const Path& file, const std::string& model) {
  FIDUCIAL_TRY(const std::string text, read_text_file(file, 1 << 24));
  FIDUCIAL_TRY(const Json document, parse_json(text).in_file(file.string()));
  const Json::Object* models = find_object(document, "models");
  if (models == nullptr)
    return Error(ErrorCode::invalid_data, "expected \"models\" with a price each",
                 Place{.path = file.string()});
  const Json* found = document.find("models")->find(model);
  if (found == nullptr) {
    std::vector<std::string> known;
    for (const auto& [name, price] : *models) known.push_back(name);
    if (known.empty()) return bad_usage(file.string() + ": no price of \"" + model + "\", nor of any other");
    return no_such_name("price of", model, known, file.string() + ": ");
  }
  Price out;
  FIDUCIAL_TRY(out.input, price_at(*found, "input").in_file(file.string()));
  FIDUCIAL_TRY(out.output, price_at(*found, "output").in_file(file.string()));
  out.cached = out.input;
  if (found->find("cached") != nullptr) {
    FIDUCIAL_TRY(out.cached, price_at(*found, "cached").in_file(file.string()));
  }
  out.batch = number_at(*found, "batch").value_or(out.batch);
  if (!(out.batch >= 0 && out.batch <= 1))
    return Error(ErrorCode::invalid_data, "expected a share of the price, from 0 to 1",
                 Place{.path = file.string(), .pointer = "/models/" + model + "/batch"});
  out.image_tokens =
      found->find("image_tokens") == nullptr ? default_image_tokens : integer_at(*found, "image_tokens");
  constexpr std::int64_t most_image_tokens = 10'000'000;
  if (out.image_tokens < 0 || out.image_tokens > most_image_tokens)
    return Error(ErrorCode::invalid_data, "expected the tokens of an image",
                 Place{.path = file.string(), .pointer = "/models/" + model + "/image_tokens"});
  if (const std::string* currency = find_string(document, "currency")) out.currency = *currency;
  return out;
}

TokenEstimate estimated_tokens(const ChatRequest& request, std::int64_t image_tokens) {
  constexpr std::int64_t bytes_a_token = 3;
  constexpr std::int64_t unlimited_completion = 32'768;  // where no limit is sent
  const Json* limit = request.parameters.find("max_tokens");
  const bool has_limit = limit != nullptr && limit->as_integer() != nullptr;
  return {.prompt = static_cast<std::int64_t>(request.text_bytes()) / bytes_a_token +
                    static_cast<std::int64_t>(request.image_count()) * image_tokens + 1,
          .completion = has_limit ? *limit->as_integer() : unlimited_completion};
}

}  // namespace fiducial
