#pragma once

#include <curl/curl.h>

#include "fiducial/base/result.h"

namespace fiducial {

// The functions of libcurl that we call, of the library as this system has it.
//
// It is loaded when an endpoint is first asked and never linked: it brings some thirty libraries with it,
// which no other verb needs.
struct CurlLibrary {
  decltype(&::curl_easy_init) easy_init = nullptr;
  decltype(&::curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&::curl_easy_setopt) set = nullptr;
  decltype(&::curl_easy_getinfo) get = nullptr;
  decltype(&::curl_easy_strerror) error_text = nullptr;
  decltype(&::curl_multi_init) multi_init = nullptr;
  decltype(&::curl_multi_cleanup) multi_cleanup = nullptr;
  decltype(&::curl_multi_setopt) multi_set = nullptr;
  decltype(&::curl_multi_add_handle) add = nullptr;
  decltype(&::curl_multi_remove_handle) remove = nullptr;
  decltype(&::curl_multi_socket_action) act = nullptr;
  decltype(&::curl_multi_info_read) read_info = nullptr;
  decltype(&::curl_slist_append) list_append = nullptr;
  decltype(&::curl_slist_free_all) list_free = nullptr;

  // The library of this process; status 8 where the system has none.
  static Result<const CurlLibrary*> load();
};

}  // namespace fiducial
