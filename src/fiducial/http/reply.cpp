#include "fiducial/http/reply.h"

#include <array>

#include "fiducial/base/number_text.h"
#include "fiducial/http/field_text.h"

namespace fiducial::http {

namespace {

constexpr auto known_statuses = std::to_array<std::pair<int, std::string_view>>({
    {100, "Continue"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {303, "See Other"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
});

// Statuses that have no body and no length of one (RFC 9110, 8.6).
bool has_no_body(int status) { return status < 200 || status == 204 || status == 304; }

void append_field(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  out += value;
  out += "\r\n";
}

std::string two_digits(int value) { return (value < 10 ? "0" : "") + decimal(value); }

// Whether a list of entity tags, or a star, names this one; weak and strong tags compare alike.
bool names_tag(std::string_view list, std::string_view tag) {
  return list == "*" || (!tag.empty() && list.find(tag) != std::string_view::npos);
}

}  // namespace

Reply& Reply::set(std::string name, std::string value) {
  fields.push_back({std::move(name), std::move(value)});
  return *this;
}

Reply Reply::text(std::string_view text, int status) {
  Reply reply{.status = status, .body = std::string(text)};
  reply.set("Content-Type", "text/plain; charset=utf-8");
  return reply;
}

Reply Reply::json(const Json& value, int status) {
  Reply reply{.status = status, .body = value.compact()};
  reply.set("Content-Type", "application/json");
  return reply;
}

Reply Reply::problem(int status, std::string_view detail) {
  Reply reply{.status = status,
              .body = Json::object({{"type", "about:blank"},
                                    {"title", status_words(status)},
                                    {"status", status},
                                    {"detail", detail}})
                          .compact()};
  reply.set("Content-Type", "application/problem+json");
  return reply;
}

Reply Reply::stream(std::string_view type, std::shared_ptr<Stream> stream) {
  Reply reply{.body = StreamBody{std::move(stream)}};
  reply.set("Content-Type", std::string(type));
  return reply;
}

Result<Reply> file_reply(const Request& request, const Path& path, std::string_view type,
                         std::string_view tag) {
  FIDUCIAL_TRY(OpenFile file, OpenFile::open(path));
  FIDUCIAL_TRY(const std::uint64_t size, file.size());
  Reply reply;
  if (!tag.empty()) reply.set("ETag", std::string(tag));
  reply.set("Accept-Ranges", "bytes");
  const std::string* kept = request.find("If-None-Match");
  if (kept != nullptr && names_tag(*kept, tag)) {
    reply.status = 304;
    return reply;
  }
  reply.set("Content-Type", std::string(type));
  const std::string* wish = request.find("Range");
  const std::string* condition = request.find("If-Range");
  RangeWish range;
  if (wish != nullptr && (condition == nullptr || *condition == tag)) range = parse_range(*wish, size);
  if (range.kind == RangeWish::Kind::unsatisfiable) {
    Reply refusal = Reply::problem(416, "one range within the file's bytes, please");
    refusal.set("Content-Range", "bytes */" + decimal(size));
    return refusal;
  }
  ByteRange part{.first = 0, .bytes = size};
  if (range.kind == RangeWish::Kind::part) {
    part = range.part;
    reply.status = 206;
    reply.set("Content-Range", "bytes " + decimal(part.first) + "-" + decimal(part.first + part.bytes - 1) +
                                   "/" + decimal(size));
  }
  reply.body = FileBody{.file = std::make_shared<const OpenFile>(std::move(file)), .part = part};
  return reply;
}

std::string_view status_words(int status) {
  for (const auto& [number, words] : known_statuses) {
    if (number == status) return words;
  }
  return status >= 500   ? "Server Error"
         : status >= 400 ? "Client Error"
         : status >= 300 ? "Redirect"
                         : "Success";
}

std::string http_date(std::chrono::system_clock::time_point time) {
  constexpr std::array<std::string_view, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const auto of_day = std::chrono::floor<std::chrono::seconds>(time - day).count();
  std::string out(days.at(std::chrono::weekday(day).c_encoding()));
  out += ", " + two_digits(static_cast<int>(static_cast<unsigned>(date.day()))) + " ";
  out += months.at(static_cast<unsigned>(date.month()) - 1);
  out += " " + decimal(static_cast<int>(date.year())) + " " + two_digits(static_cast<int>(of_day / 3600)) +
         ":" + two_digits(static_cast<int>(of_day / 60 % 60)) + ":" +
         two_digits(static_cast<int>(of_day % 60)) + " GMT";
  return out;
}

std::string head_text(const Reply& reply, const BodyForm& form) {
  std::string out = "HTTP/1.1 " + decimal(reply.status) + " ";
  out += status_words(reply.status);
  out += "\r\n";
  for (const std::span<const Field> fields : {std::span<const Field>(reply.fields), form.fields}) {
    for (const Field& field : fields) {
      if (is_field_value(field.name) && is_field_value(field.value))
        append_field(out, field.name, field.value);
    }
  }
  append_field(out, "Date", http_date(std::chrono::system_clock::now()));
  if (!has_no_body(reply.status)) {
    if (form.length) append_field(out, "Content-Length", decimal(*form.length));
    if (form.chunked) append_field(out, "Transfer-Encoding", "chunked");
  }
  append_field(out, "Connection", form.keep_alive ? "keep-alive" : "close");
  out += "\r\n";
  return out;
}

}  // namespace fiducial::http
