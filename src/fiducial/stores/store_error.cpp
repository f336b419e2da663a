#include "fiducial/stores/store_error.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <initializer_list>

#include <arrow/status.h>
#include <arrow/util/io_util.h>

namespace fiducial {

namespace {

constexpr std::size_t longest_detail = 300;

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [text](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool is_missing(const arrow::Status& status) {
  return arrow::internal::ErrnoFromStatus(status) == ENOENT ||
         has_any(status.message(),
                 {"NO_SUCH_KEY", "NO_SUCH_BUCKET", "RESOURCE_NOT_FOUND", "Path does not exist",
                  "HTTP status 404", "NOT_FOUND", "BlobNotFound", "ContainerNotFound"});
}

bool is_refused(const arrow::Status& status) {
  return arrow::internal::ErrnoFromStatus(status) == EACCES ||
         has_any(status.message(),
                 {"ACCESS_DENIED", "INVALID_ACCESS_KEY", "INVALID_CLIENT_TOKEN", "INVALID_SIGNATURE",
                  "SIGNATURE_DOES_NOT_MATCH", "SignatureDoesNotMatch", "InvalidAccessKeyId", "EXPIRED_TOKEN",
                  "ExpiredToken", "HTTP status 401", "HTTP status 403", "PERMISSION_DENIED",
                  "UNAUTHENTICATED", "AuthenticationFailed", "AuthorizationFailure", "Forbidden", "403 "});
}

std::string_view keys_of(const Path& url) {
  const std::string& text = url.native();
  if (text.starts_with("s3:")) return "AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
  if (text.starts_with("gs:")) return "GOOGLE_APPLICATION_CREDENTIALS";
  return "AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_KEY";
}

std::string detail_of(const arrow::Status& status) {
  std::string text = without_keys(status.message());
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  if (text.size() > longest_detail) text = text.substr(0, longest_detail) + "...";
  return text;
}

}  // namespace

Error store_error(const Path& url, const arrow::Status& status) {
  const Place place{.path = url.string()};
  if (is_missing(status)) return path_missing("no such object", url.string());
  if (is_refused(status)) {
    return {ErrorCode::io,
            "permission denied by the store; it knows you by " + std::string(keys_of(url)) + " (" +
                detail_of(status) + ")",
            place};
  }
  return {ErrorCode::remote, "the store does not answer as it should: " + detail_of(status), place};
}

Error changed_object(const Path& url) {
  return {ErrorCode::integrity, "the object changed while it was read; run again once nobody writes it",
          Place{.path = url.string()}};
}

std::string without_keys(std::string text) {
  for (const char* name : {"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ACCESS_KEY_ID",
                           "AZURE_STORAGE_KEY", "AZURE_CLIENT_SECRET"}) {
    const char* const value = std::getenv(name);
    const std::string_view key = value == nullptr ? std::string_view() : value;
    if (key.size() < 3) continue;
    for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at))
      text.replace(at, key.size(), "***");
  }
  return text;
}

}  // namespace fiducial
