#pragma once

#include <cstdint>
#include <functional>

#include "fiducial/http/server.h"
#include "fiducial/server/library.h"

namespace fiducial {

// The routes of the API alone; the library outlives the router.
http::Router api_router(Library& library);
// These, the web app and the pages without scripts; the library outlives the router.
http::Router app_router(Library& library);

// Serves on loopback until a stop is asked for; started is called with the port.
Outcome serve_library(Library& library, std::uint16_t port,
                      const std::function<void(std::uint16_t)>& started);

}  // namespace fiducial
