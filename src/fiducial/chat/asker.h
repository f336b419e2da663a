#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/chat/endpoint.h"
#include "fiducial/chat/http_client.h"
#include "fiducial/chat/journal.h"
#include "fiducial/chat/prices.h"
#include "fiducial/chat/send_gate.h"

namespace fiducial {

// A request and what it is about.
struct ChatQuestion {
  std::string item;
  std::string step;
  ChatRequest request;
  std::string ask = {};  // for the journal (journal_line.h)
};

// A reply, or why there is none.
struct Heard {
  std::optional<ChatReply> reply;
  std::string error;
};

// Whoever has questions: they come one by one, and more may follow from replies.
class Inquiry {
 public:
  using Ticket = std::uint64_t;
  struct Asked {
    Ticket ticket = 0;
    ChatQuestion question;
  };

  virtual ~Inquiry() = default;
  // The next question that can be asked now. Nothing while the others wait for replies, and at the end.
  virtual Result<std::optional<Asked>> next() = 0;
  virtual Outcome hear(Ticket ticket, const Heard& heard) = 0;
  // How many of its items are at their end, and how many there are; an item may take several questions.
  struct Extent {
    std::int64_t finished = 0;
    std::int64_t all = 0;
  };
  virtual Extent extent() const { return {}; }  // of whoever cannot tell
};

struct AskSettings {
  const Vendor* vendor = nullptr;
  Endpoint endpoint;
  std::string key;
  HttpOptions http;
  GateLimits gate;
  std::int64_t most_attempts = 6;
  std::int64_t allowed_failures = 0;  // questions that may stay without a reply before the run stops
  std::optional<Price> price;
  std::optional<double> max_cost;       // needs a price
  std::vector<std::string> allow_drop;  // parameters that may be left out where the endpoint refuses them
  std::chrono::milliseconds batch_poll{30'000};  // how often batches are asked for
  std::optional<std::chrono::seconds> deadline;  // nothing is sent after that long
  bool streams = false;  // replies come piece by piece; what is asked and what is heard are the same
};

// How far it is.
struct AskState {
  std::int64_t answered = 0;  // by the endpoint, since this began
  std::int64_t known = 0;     // by the journal
  std::int64_t failed = 0;
  std::size_t in_flight = 0;
  int limit = 0;
  TokenUsage usage;  // of the journal, all runs together
  double cost = 0;
  Inquiry::Extent items;
};

class AskWatcher {
 public:
  virtual ~AskWatcher() = default;
  virtual void changed(const AskState& state) = 0;
};

// Asks all questions of an inquiry, many at a time; replies of the journal are never asked for again, and
// every attempt is journalled before its reply is heard.
//
// Ends early with an error: the endpoint refuses the key, the model or a parameter, is out of reach, or the
// account is empty (remote); the next request might cost more than allowed (unfinished); too many questions
// failed (too_many_failures); somebody asked for a stop (interrupted). In each case what is on its way is
// waited for and journalled first.
class Asker {
 public:
  Asker(AskSettings settings, ImageBytes images, Journal& journal, AskWatcher& watcher);
  ~Asker();
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;

  Outcome ask(Inquiry& inquiry);
  const AskState& state() const;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

// A request without what the endpoint refuses.
ChatRequest without_parameters(ChatRequest request, const std::vector<std::string>& dropped);

// What follows from a reply that is none.
enum class Remedy { retry, fail, drop_parameter, stop };
struct Trouble {
  Remedy remedy = Remedy::fail;
  bool is_throttled = false;
  std::string message;
  std::string parameter;  // that is refused
};
Trouble trouble_of(const HttpReply& reply, const AskSettings& settings, const ChatRequest& request);

// Whether an endpoint says that a request holds more images, tokens or bytes than it takes: asking again is
// in vain, and showing less would be another question. The error of such a question begins with
// overflow_error.
bool is_overflow(int status, const EndpointError& error);
inline constexpr const char* overflow_error = "overflow: ";
// So begins the error of a question that the endpoint does not pass on to its model because of what it asks.
inline constexpr const char* withheld_error = "withheld: ";

// What a document with status 200 that holds an error says, as if that had been its status.
std::optional<HttpReply> error_in(const HttpReply& reply, const Json& document);

// The document of a body, or of what was streamed; bytes that are no UTF-8 are replaced, as models at their
// token limit cut characters.
Result<Json> parse_reply_body(std::string_view body);

}  // namespace fiducial
