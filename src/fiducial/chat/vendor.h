#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/result.h"
#include "fiducial/chat/chat_reply.h"
#include "fiducial/chat/chat_request.h"

namespace fiducial {

struct BatchLanguage;

// A way of speaking to an endpoint: one file in vendors/ and one line in all_vendors.def.
struct Vendor {
  std::string id;
  std::string title;
  std::string base;                    // what a URL ends in, for --help: "https://.../v1"
  std::vector<std::string> key_names;  // environment variables that usually hold the key, the first one wins
  // Our name of a parameter and the vendor's. One that is not here cannot be sent; "schema" is one of them.
  std::vector<std::pair<std::string, std::string>> parameters;
  Json streaming;  // members of a body that ask for the reply piece by piece; null: there are none
  bool takes_text_bounds = false;  // minLength and maxLength in a schema; elsewhere they are held by us alone

  std::string (*path)(const ChatRequest& request);  // behind the base
  // Headers that carry the key; none without one.
  std::vector<std::string> (*headers)(const std::string& key);
  // The body to post. Refuses a parameter that the vendor has no name for.
  Result<std::string> (*body)(const ChatRequest& request, const ImageBytes& images);
  // What a document with status 200 says.
  Result<ChatReply> (*reply)(const Json& document);
  const BatchLanguage& (*batches)() = nullptr;  // null: there are none

  // The vendor's name of a parameter; "" where it has none.
  std::string wire_name(std::string_view parameter) const;
};

const std::vector<Vendor>& all_vendors();
Result<const Vendor*> find_vendor(std::string_view id);

// An error as endpoints tell it: {"error": {"message", "code", "param"}} and its likes, or any text.
struct EndpointError {
  std::string message;  // short, on one line
  std::string code;
  std::string parameter;
};
EndpointError parse_endpoint_error(std::string_view body);

// The parameter of ours that an endpoint refuses, of those that a request has; "" where it complains of
// something else.
std::string refused_parameter(const Vendor& vendor, const ChatRequest& request, const EndpointError& error);

}  // namespace fiducial
