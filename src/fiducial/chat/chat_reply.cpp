#include "fiducial/chat/chat_reply.h"

#include "fiducial/base/json_fields.h"

namespace fiducial {

std::int64_t token_count(const Json& object, std::string_view name) {
  constexpr std::int64_t most = 1'000'000'000'000;  // sums of them stay far from the end of the numbers
  const std::int64_t count = integer_at(object, name);
  return count < 0 || count > most ? 0 : count;
}

TokenUsage& TokenUsage::operator+=(const TokenUsage& other) {
  prompt += other.prompt;
  cached += other.cached;
  completion += other.completion;
  reasoning += other.reasoning;
  return *this;
}

Json TokenUsage::json() const {
  return Json::object(
      {{"prompt", prompt}, {"cached", cached}, {"completion", completion}, {"reasoning", reasoning}});
}

TokenUsage TokenUsage::parse(const Json& object) {
  return {.prompt = token_count(object, "prompt"),
          .cached = token_count(object, "cached"),
          .completion = token_count(object, "completion"),
          .reasoning = token_count(object, "reasoning")};
}

}  // namespace fiducial
