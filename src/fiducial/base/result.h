#pragma once

#include <utility>
#include <variant>

#include "fiducial/base/error.h"

namespace fiducial {

// A value or the reason there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit by design
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit by design

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const T& value() const& {
    FIDUCIAL_ASSERT(ok());
    return std::get<0>(state_);
  }
  T& value() & {
    FIDUCIAL_ASSERT(ok());
    return std::get<0>(state_);
  }
  T&& value() && {
    FIDUCIAL_ASSERT(ok());
    return std::get<0>(std::move(state_));
  }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  const Error& error() const& {
    FIDUCIAL_ASSERT(!ok());
    return std::get<1>(state_);
  }
  Error&& error() && {
    FIDUCIAL_ASSERT(!ok());
    return std::get<1>(std::move(state_));
  }

  Result context(std::string doing) && {
    if (ok()) return std::move(*this);
    return std::move(*this).error().context(std::move(doing));
  }
  Result in_file(std::string path) && {
    if (ok()) return std::move(*this);
    return std::move(*this).error().in_file(std::move(path));
  }

 private:
  std::variant<T, Error> state_;
};

struct Done {};

// The result of doing something that returns nothing.
using Outcome = Result<Done>;

inline Outcome done() { return Done{}; }

}  // namespace fiducial

#define FIDUCIAL_JOIN_EXPANDED(a, b) a##b
#define FIDUCIAL_JOIN(a, b) FIDUCIAL_JOIN_EXPANDED(a, b)
#define FIDUCIAL_TRY_INTO(temporary, declaration, ...)      \
  auto temporary = (__VA_ARGS__);                           \
  if (!temporary.ok()) return std::move(temporary).error(); \
  declaration = std::move(temporary).value()

// FIDUCIAL_TRY(const Mask mask, read_mask(path)): declares mask, or returns the error.
#define FIDUCIAL_TRY(declaration, ...) \
  FIDUCIAL_TRY_INTO(FIDUCIAL_JOIN(try_result_, __LINE__), declaration, __VA_ARGS__)

// FIDUCIAL_TRY_DONE(write(path)): returns the error, if any.
#define FIDUCIAL_TRY_DONE(...)                                    \
  do {                                                            \
    auto try_outcome = (__VA_ARGS__);                             \
    if (!try_outcome.ok()) return std::move(try_outcome).error(); \
  } while (false)
