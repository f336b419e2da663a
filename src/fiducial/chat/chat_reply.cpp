#include "fiducial/chat/chat_reply.h"

#include "fiducial/base/json_fields.h"

namespace fiducial {

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
  return {.prompt = integer_at(object, "prompt"),
          .cached = integer_at(object, "cached"),
          .completion = integer_at(object, "completion"),
          .reasoning = integer_at(object, "reasoning")};
}

}  // namespace fiducial
