#include "fiducial/chat/request_body.h"

#include "fiducial/base/base64.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"

namespace fiducial {

namespace {

void set_member(Json& object, const std::string& name, const Json& value) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) {
    object.set(name, value);
    return;
  }
  const std::string outer = name.substr(0, dot);
  const Json* found = object.find(outer);
  Json inner = found == nullptr ? Json(Json::Object{}) : *found;
  set_member(inner, name.substr(dot + 1), value);
  object.set(outer, std::move(inner));
}

// A member of that name is a schema, and is kept.
bool is_text_bound(const std::string& key, const Json& value) {
  return (key == "minLength" || key == "maxLength") && value.as_integer() != nullptr;
}

Json without_text_bounds(const Json& schema) {
  Json::Array items;
  if (const Json::Array* list = schema.as_array()) {
    for (const Json& each : *list) items.push_back(without_text_bounds(each));
    return items;
  }
  if (schema.as_object() == nullptr) return schema;
  Json out = Json::Object{};
  for (const auto& [key, value] : *schema.as_object()) {
    if (!is_text_bound(key, value)) out.set(key, without_text_bounds(value));
  }
  return out;
}

}  // namespace

std::string RequestBody::base64_of(const ChatImage& image) {
  images_.push_back(image.sha256);
  return mark_ + decimal(images_.size() - 1) + ";";
}

Result<std::string> RequestBody::text(const Json& document, const ImageBytes& images) const {
  const std::string frame = document.compact();
  std::vector<std::string> pictures;
  std::size_t size = frame.size();
  for (const std::string& sha256 : images_) {
    FIDUCIAL_TRY(std::string bytes, images(sha256));
    size += base64_length(bytes.size());
    pictures.push_back(std::move(bytes));
  }
  std::string out;
  out.reserve(size);
  std::size_t copied = 0;
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const std::string mark = mark_ + decimal(i) + ";";
    const std::size_t at = frame.find(mark, copied);
    FIDUCIAL_ASSERT(at != std::string::npos);
    out.append(frame, copied, at - copied);
    append_base64(out, as_bytes(pictures[i]));
    copied = at + mark.size();
  }
  return out.append(frame, copied, frame.size() - copied);
}

Outcome set_parameters(const Vendor& vendor, const ChatRequest& request, Json& document) {
  for (const auto& [name, value] : *request.parameters.as_object()) {
    if (name == "extra") {
      for (const auto& [member, given] : *value.as_object()) set_member(document, member, given);
      continue;
    }
    const std::string wire = vendor.wire_name(name);
    if (wire.empty())
      return bad_usage("the parameter \"" + name + "\" cannot be sent to an endpoint that speaks " +
                       vendor.id);
    // A server that keeps to its seed would give every sample the same reply.
    const bool is_seed = name == "seed" && value.as_integer() != nullptr;
    set_member(document, wire, is_seed ? Json(*value.as_integer() + request.sample) : value);
  }
  return done();
}

Json schema_for(const Vendor& vendor, const ChatRequest& request) {
  return vendor.takes_text_bounds ? request.schema : without_text_bounds(request.schema);
}

std::string text_of(const ChatMessage& message) {
  std::string out;
  for (const ChatPart& part : message.parts) {
    if (!part.image) append_joined(out, part.text, "\n\n");
  }
  return out;
}

}  // namespace fiducial
