#pragma once

#include <string>

#include "fiducial/chat/vendor.h"

namespace fiducial {

// Builds the text of a body: small members as JSON, pictures as base64 that is made once and copied once.
class RequestBody {
 public:
  explicit RequestBody(const ChatRequest& request)
      : mark_(request.image_count() == 0 ? std::string() : request.hash() + ":") {}

  // Stands for the base64 of a picture in a text of the document.
  std::string base64_of(const ChatImage& image);
  // The document with the pictures in their places.
  Result<std::string> text(const Json& document, const ImageBytes& images) const;

 private:
  std::string mark_;  // holds the hash of the request, which no text of it can
  std::vector<std::string> images_;
};

// Sets the parameters of a request in a document, under the vendor's names ("a.b" is b of the object a), and
// the members of "extra" as they are. "schema" is left to the vendor. Refuses a parameter without a name.
Outcome set_parameters(const Vendor& vendor, const ChatRequest& request, Json& document);

// The schema of a request as the vendor takes it: without the bounds of texts where it takes none.
Json schema_for(const Vendor& vendor, const ChatRequest& request);

// All texts of a message of one role, in order.
std::string text_of(const ChatMessage& message);

}  // namespace fiducial
