#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/open_file.h"
#include "fiducial/http/byte_range.h"
#include "fiducial/http/request.h"

namespace fiducial::http {

// The next bytes of a stream and what follows them.
struct Piece {
  enum class Then { more, end, reset };  // reset breaks the connection off, as a crashed peer does
  std::string bytes;
  Then then = Then::more;
  std::chrono::milliseconds pause{0};  // before more; a call of the wake function ends it
};

// A body that is made while it is sent. next() is called on a thread of the wire and must not wait.
class Stream {
 public:
  virtual ~Stream() = default;
  virtual Piece next() = 0;
  // Given once, before the first next(): ends a pause from any thread, also when the connection is long gone.
  virtual void set_wake(const std::function<void()>& /*wake*/) {}
};

// A part of an open file.
struct FileBody {
  std::shared_ptr<const OpenFile> file;
  ByteRange part;
};

// Chunked, as its length is not known.
struct StreamBody {
  std::shared_ptr<Stream> stream;
};

// The stream gives the whole reply, status line and fields included, and the connection ends with it: for
// programs that test clients.
struct VerbatimReply {
  std::shared_ptr<Stream> stream;
};

// What a handler answers with.
struct Reply {
  int status = 200;
  std::vector<Field> fields;  // Content-Length, Transfer-Encoding, Connection and Date are the server's
  std::variant<std::string, FileBody, StreamBody, VerbatimReply> body;
  std::chrono::milliseconds delay{0};  // before the first byte

  Reply& set(std::string name, std::string value);

  static Reply text(std::string_view text, int status = 200);
  static Reply json(const Json& value, int status = 200);
  // An error as application/problem+json (RFC 9457).
  static Reply problem(int status, std::string_view detail);
  static Reply stream(std::string_view type, std::shared_ptr<Stream> stream);
};

// A file, or the part of it that the request's Range asks for; 304 where the client has it by its entity tag.
// The tag, in its quotes, names these very bytes.
Result<Reply> file_reply(const Request& request, const Path& path, std::string_view type,
                         std::string_view tag);

// "Not Found"; for unknown statuses the word of their class.
std::string_view status_words(int status);

// "Sun, 06 Nov 1994 08:49:37 GMT".
std::string http_date(std::chrono::system_clock::time_point time);

// How the length of a body is told.
struct BodyForm {
  std::optional<std::uint64_t> length;  // nothing: chunked, or until the connection ends
  bool chunked = false;
  bool keep_alive = true;
  std::span<const Field> fields = {};  // besides the reply's own
};

// Status line and fields with the empty line behind them. Fields that would break out of their line are left
// out.
std::string head_text(const Reply& reply, const BodyForm& form);

}  // namespace fiducial::http
