#include "fiducial/server/app_server.h"

#include "fiducial/server/app_files.h"
#include "fiducial/server/case_json.h"
#include "fiducial/server/plain_pages.h"
#include "fiducial/server/routes.h"

namespace fiducial {

std::string_view embedded_no_app();

namespace {

// Of every reply, errors too.
std::vector<http::Field> security_fields() {
  return {{"Content-Security-Policy",
           "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: "
           "data:; connect-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
           "form-action 'self'"},
          {"X-Content-Type-Options", "nosniff"},
          {"Referrer-Policy", "no-referrer"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cross-Origin-Embedder-Policy", "require-corp"},
          {"Cross-Origin-Resource-Policy", "same-origin"}};
}

http::Reply answer(const ApiRoute& route, Library& library, const http::Request& request) {
  Result<Query> query = Query::parse(request.query, route.query);
  if (!query.ok()) return problem_reply(query.error());
  ApiCall call{library, request, *std::move(query)};
  Result<http::Reply> reply = route.handler(call);
  if (!reply.ok()) return problem_reply(reply.error());
  return finished_reply(request, *std::move(reply));
}

// The page of the app with the plain page of its own path for browsers without scripts.
http::Reply page_reply(const http::Request& request, const EmbeddedFile& page) {
  constexpr std::string_view plain = "href=\"/plain\"";
  Result<std::string> text = file_text(page);
  if (!text.ok()) return problem_reply(text.error());
  const bool has_plain = request.path.starts_with("/d/") || request.path.starts_with("/c/");
  const std::size_t at = text->find(plain);
  if (has_plain && at != std::string::npos) {
    std::string address = "/plain";
    std::string_view path = request.path;
    if (path.ends_with("/cases")) path.remove_suffix(std::string_view("/cases").size());
    for (const char c : path) address += c == '/' ? "/" : percent_encoded(std::string_view(&c, 1));
    text->replace(at, plain.size(), "href=\"" + address + "\"");
  }
  http::Reply reply{.body = *std::move(text)};
  reply.set("Content-Type", std::string(page.type));
  return finished_reply(request, std::move(reply));
}

http::Reply file_reply(const http::Request& request, const EmbeddedFile& file) {
  const std::string* codings = request.find("Accept-Encoding");
  http::Reply reply;
  if (codings != nullptr && codings->find("gzip") != std::string::npos) {
    reply.body = std::string(as_text(file.gzip));
    reply.set("Content-Encoding", "gzip");
  } else {
    Result<std::string> text = file_text(file);
    if (!text.ok()) return problem_reply(text.error());
    reply.body = *std::move(text);
  }
  reply.set("Content-Type", std::string(file.type));
  reply.set("ETag", "\"" + std::string(file.sha256.substr(0, 32)) + "\"");
  reply.set("Cache-Control",
            file.path.starts_with("assets/") ? "public, max-age=31536000, immutable" : "no-cache");
  return finished_reply(request, std::move(reply));
}

// A file of the app; its page for every path that is not of the API, as the app reads the address itself.
http::Reply app_reply(const http::Request& request) {
  const std::string_view path = std::string_view(request.path).substr(1);
  if (path == "api/v1" || path.starts_with("api/v1/") || path.starts_with("assets/") ||
      path == "favicon.ico") {
    if (const EmbeddedFile* file = find_app_file(path)) return file_reply(request, *file);
    return not_found("nothing is at this path");
  }
  if (const EmbeddedFile* file = find_app_file(path)) return file_reply(request, *file);
  if (const EmbeddedFile* page = find_app_file("index.html")) return page_reply(request, *page);
  http::Reply reply{.body = std::string(embedded_no_app())};
  reply.set("Content-Type", "text/html; charset=utf-8");
  return finished_reply(request, std::move(reply));
}

}  // namespace

http::Router api_router(Library& library) {
  http::Router router;
  for (const ApiRoute& route : all_api_routes()) {
    router.add({.method = std::string(route.method),
                .pattern = std::string(route.pattern),
                .handler = [&route, &library](const http::Request& request) {
                  return answer(route, library, request);
                }});
  }
  return router;
}

http::Router app_router(Library& library) {
  http::Router router = api_router(library);
  add_plain_pages(router, library);
  router.add({.method = "GET", .pattern = "/{path...}", .handler = app_reply});
  return router;
}

Outcome serve_library(Library& library, std::uint16_t port,
                      const std::function<void(std::uint16_t)>& started) {
  constexpr int worker_threads = 8;  // some of them wait for slices that are decoded
  http::Limits limits;
  limits.connections_per_address = limits.connections;  // all of loopback is one
  return http::serve(app_router(library), limits,
                     {.port = port,
                      .worker_threads = worker_threads,
                      .hosts = {"127.0.0.1", "localhost", "[::1]"},
                      .fields = security_fields()},
                     started);
}

}  // namespace fiducial
