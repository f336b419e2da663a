#include "fiducial/base/error.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

struct CodeRow {
  ErrorCode code;
  int status;
  std::string_view name;
};

constexpr CodeRow code_rows[] = {
    {ErrorCode::too_many_failures, 1, "too_many_failures"},
    {ErrorCode::bad_usage, 2, "bad_usage"},
    {ErrorCode::invalid_data, 3, "invalid_data"},
    {ErrorCode::unfinished, 4, "unfinished"},
    {ErrorCode::integrity, 5, "integrity"},
    {ErrorCode::refused, 6, "refused"},
    {ErrorCode::remote, 7, "remote"},
    {ErrorCode::unavailable, 8, "unavailable"},
    {ErrorCode::internal, 70, "internal"},
    {ErrorCode::io, 74, "io"},  // EX_IOERR of sysexits.h
    {ErrorCode::interrupted, 75, "interrupted"},
};

const CodeRow& row_of(ErrorCode code) {
  for (const CodeRow& row : code_rows) {
    if (row.code == code) return row;
  }
  FIDUCIAL_ASSERT(false);
}

}  // namespace

int exit_status(ErrorCode code) { return row_of(code).status; }

std::string_view to_string(ErrorCode code) { return row_of(code).name; }

std::string_view to_string(ErrorReason reason) {
  switch (reason) {
    case ErrorReason::other:
      return "other";
    case ErrorReason::unknown_name:
      return "unknown_name";
    case ErrorReason::path_missing:
      return "path_missing";
    case ErrorReason::path_not_file:
      return "path_not_file";
    case ErrorReason::not_archive:
      return "not_archive";
  }
  FIDUCIAL_ASSERT(false);
}

std::string Place::text() const {
  std::string out = path;
  const auto append = [&out](const std::string& part) {
    if (!out.empty()) out += ", ";
    out += part;
  };
  if (line) append("line " + decimal(*line));
  if (byte) append("byte " + decimal(*byte));
  if (!pointer.empty()) append("at " + pointer);
  return out;
}

Error&& Error::context(std::string doing) && {
  contexts_.push_back(std::move(doing));
  return std::move(*this);
}

Error&& Error::because(ErrorReason reason) && {
  reason_ = reason;
  return std::move(*this);
}

Error Error::at(Place place) const { return Error(code_, message_, std::move(place)).because(reason_); }

Error&& Error::in_file(std::string path) && {
  if (place_.path.empty()) place_.path = std::move(path);
  return std::move(*this);
}

std::string Error::text() const {
  std::string out = place_.text();
  if (!out.empty()) out += ": ";
  out += message_;
  for (const std::string& doing : contexts_) out += "; while " + doing;
  return out;
}

bool stops_a_run(const Error& error) {
  return error.code() == ErrorCode::interrupted || error.code() == ErrorCode::remote ||
         error.code() == ErrorCode::integrity;
}

Error invalid_data(std::string message) { return {ErrorCode::invalid_data, std::move(message)}; }

Error bad_usage(std::string message) { return {ErrorCode::bad_usage, std::move(message)}; }

Error path_missing(std::string message, std::string path) {
  return Error(ErrorCode::invalid_data, std::move(message), Place{.path = std::move(path)})
      .because(ErrorReason::path_missing);
}

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "internal error: %s:%d: %s\n", file, line, condition);
  std::_Exit(exit_status(ErrorCode::internal));
}

}  // namespace fiducial
