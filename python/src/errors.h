#pragma once

#include <exception>
#include <string_view>
#include <utility>

#include <nanobind/nanobind.h>

#include "fiducial/base/result.h"

namespace fiducial::python {

// An Error on its way to Python, where it becomes the exception of its code.
class RaisedError final : public std::exception {
 public:
  explicit RaisedError(Error error) : error_(std::move(error)) {}
  const Error& error() const { return error_; }
  const char* what() const noexcept override { return error_.message().c_str(); }

 private:
  Error error_;
};

// The value, or its error raised.
template <typename T>
T unwrapped(Result<T> result) {
  if (!result.ok()) throw RaisedError(std::move(result).error());
  return std::move(result).value();
}

inline void unwrap(Outcome outcome) {
  if (!outcome.ok()) throw RaisedError(std::move(outcome).error());
}

// Text that may hold bytes of file names that are no UTF-8; Python keeps them as surrogates.
nanobind::str text(std::string_view bytes);

void define_errors(nanobind::module_& module);

}  // namespace fiducial::python
