#pragma once

#include <string>
#include <vector>

#include "fiducial/stores/cached_store.h"

namespace fiducial::cli {

inline constexpr const char* cache_help =
    "Every verb that reads a bucket takes --cache DIR, which keeps what was read, and --cache-limit SIZE "
    "(default: 100G).";

// What FIDUCIAL_CACHE and FIDUCIAL_CACHE_LIMIT say, for all workers of a cluster at once.
CacheSettings cache_of_environment();

// What was typed without --cache and --cache-limit, which any verb takes, and which are heeded here.
Result<std::vector<std::string>> without_cache_options(const std::vector<std::string>& words);

}  // namespace fiducial::cli
