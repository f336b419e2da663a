#include "fiducial/http/server.h"

#include <atomic>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "fiducial/base/sha256.h"
#include "fiducial/base/temporary_folder.h"
#include "fiducial/http/hostile_requests_example.h"
#include "fiducial/http/test_client_example.h"

namespace fiducial::http {
namespace {

using std::chrono::milliseconds;

// Counts what it takes.
class CountingUpload final : public Upload {
 public:
  Outcome take(ByteView bytes) override {
    hash_.update(bytes);
    ++pieces_;
    bytes_ += bytes.size();
    return done();
  }
  Reply finish() override {
    return Reply::json(
        Json::object({{"bytes", bytes_}, {"pieces", pieces_}, {"sha256", hash_.digest().hex()}}));
  }

 private:
  Sha256 hash_;
  std::uint64_t bytes_ = 0;
  std::uint64_t pieces_ = 0;
};

// A few pieces, then the end that it was made with.
class CountDown final : public Stream {
 public:
  explicit CountDown(Piece::Then end) : end_(end) {}
  Piece next() override {
    if (left_ == 0) return {.then = end_};
    return {.bytes = std::to_string(left_--) + " ", .pause = milliseconds(1)};
  }

 private:
  int left_ = 3;
  Piece::Then end_;
};

// Says nothing until it is told to, for an hour at most.
class Bell final : public Stream {
 public:
  Piece next() override {
    if (rung_) return {.bytes = "ding", .then = Piece::Then::end};
    waits_ = true;
    return {.pause = std::chrono::hours(1)};
  }
  void set_wake(const std::function<void()>& wake) override { wake_ = wake; }
  void ring() {
    while (!waits_) std::this_thread::yield();
    rung_ = true;
    wake_();
  }

 private:
  std::function<void()> wake_;
  std::atomic<bool> rung_{false};
  std::atomic<bool> waits_{false};
};

class HttpServer : public testing::Test {
 protected:
  void start(const Limits& limits = {}, ServerOptions options = {}) {
    Router router;
    router.add({.method = "GET", .pattern = "/echo", .handler = [](const Request& request) {
                  return Reply::text(request.address + " " + request.query);
                }});
    router.add({.method = "POST",
                .pattern = "/echo",
                .handler = [](const Request& request) { return Reply::text(request.body); },
                .quick = true});
    router.add({.method = "GET", .pattern = "/file", .handler = [this](const Request& request) {
                  return file_reply(request, folder_ / "file", "text/plain", "\"t\"").value();
                }});
    router.add({.method = "GET", .pattern = "/slow", .handler = [this](const Request&) {
                  ++slow_;
                  Reply reply = Reply::text("late");
                  reply.delay = milliseconds(300);
                  return reply;
                }});
    router.add({.method = "GET", .pattern = "/stream/{end}", .handler = [](const Request& request) {
                  const auto end = request.part("end") == "reset" ? Piece::Then::reset : Piece::Then::end;
                  return Reply::stream("text/plain", std::make_shared<CountDown>(end));
                }});
    router.add({.method = "GET", .pattern = "/bell", .handler = [this](const Request&) {
                  return Reply::stream("text/plain", bell_);
                }});
    router.add({.method = "GET", .pattern = "/throws", .handler = [](const Request&) -> Reply {
                  throw std::runtime_error("secret");
                }});
    router.add(
        {.method = "PUT",
         .pattern = "/upload",
         .max_body_bytes = std::uint64_t{1} << 33,
         .begin_upload = [](const Request&) -> UploadStart { return std::make_unique<CountingUpload>(); }});
    Result<Server> started = Server::start(std::move(router), limits, std::move(options));
    ASSERT_TRUE(started.ok()) << started.error().text();
    server_ = std::make_unique<Server>(*std::move(started));
  }
  TestClient client() const { return TestClient(server_->port()); }
  std::string ask(const std::string& bytes) const {
    TestClient one = client();
    one.send(bytes);
    return one.hear_reply();
  }
  static std::string get(const std::string& target, const std::string& fields = "") {
    return "GET " + target + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
  }

  TemporaryFolder folder_;
  std::atomic<int> slow_{0};
  std::shared_ptr<Bell> bell_ = std::make_shared<Bell>();
  std::unique_ptr<Server> server_;
};

TEST_F(HttpServer, answers_many_requests_on_one_connection) {
  start();
  TestClient one = client();
  for (int i = 0; i < 50; ++i) {
    one.send(get("/echo?" + std::to_string(i)));
    EXPECT_EQ(body_of(one.hear_reply()), "127.0.0.1 " + std::to_string(i));
  }
}

TEST_F(HttpServer, answers_requests_that_come_at_once_in_their_order) {
  start();
  TestClient one = client();
  one.send(get("/echo?1") + get("/slow") + get("/echo?3"));
  EXPECT_EQ(body_of(one.hear_reply()), "127.0.0.1 1");
  EXPECT_EQ(body_of(one.hear_reply()), "late");
  EXPECT_EQ(body_of(one.hear_reply()), "127.0.0.1 3");
}

TEST_F(HttpServer, closes_after_as_many_requests_as_the_limit_says) {
  start({.requests_per_connection = 3});
  TestClient one = client();
  one.send(get("/echo?1") + get("/echo?2") + get("/echo?3") + get("/echo?4"));
  const std::string all = one.hear_all();
  EXPECT_NE(all.find("127.0.0.1 3"), std::string::npos);
  EXPECT_EQ(all.find("127.0.0.1 4"), std::string::npos);
  EXPECT_NE(all.find("Connection: close"), std::string::npos);
}

TEST_F(HttpServer, closes_where_the_client_wishes_it) {
  start();
  TestClient one = client();
  one.send(get("/echo", "Connection: close\r\n"));
  EXPECT_NE(one.hear_all().find("Connection: close"), std::string::npos);
  TestClient old = client();
  old.send("GET /stream/end HTTP/1.0\r\n\r\n");
  EXPECT_EQ(body_of(old.hear_all()), "3 2 1 ");
}

TEST_F(HttpServer, gives_heads_without_bodies) {
  start();
  TestClient one = client();
  one.send("HEAD /echo?12345 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const std::string reply = one.hear_all();
  EXPECT_NE(reply.find("Content-Length: 15"), std::string::npos);
  EXPECT_EQ(body_of(reply), "");
}

TEST_F(HttpServer, tells_a_client_that_waits_to_go_on) {
  start();
  TestClient one = client();
  one.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(status_of(one.hear_reply()), 100);
  one.send("hello");
  EXPECT_EQ(body_of(one.hear_reply()), "hello");
}

TEST_F(HttpServer, does_not_let_a_client_go_on_with_too_much) {
  start();
  EXPECT_EQ(status_of(ask(
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\nExpect: 100-continue\r\n\r\n")),
            413);
}

TEST_F(HttpServer, serves_files_and_parts_of_them) {
  std::string bytes(700'000, 'x');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>('a' + i % 26);
  ASSERT_TRUE(write_file(folder_ / "file", std::string_view(bytes)).ok());
  start();
  EXPECT_EQ(body_of(ask(get("/file"))), bytes);
  const std::string part = ask(get("/file", "Range: bytes=300000-300009\r\n"));
  EXPECT_EQ(status_of(part), 206);
  EXPECT_EQ(body_of(part), bytes.substr(300'000, 10));
}

TEST_F(HttpServer, sends_streams_in_chunks) {
  start();
  TestClient one = client();
  one.send(get("/stream/end", "Connection: close\r\n"));
  EXPECT_EQ(body_of(one.hear_all()), "2\r\n3 \r\n2\r\n2 \r\n2\r\n1 \r\n0\r\n\r\n");
}

TEST_F(HttpServer, breaks_a_stream_off_without_an_end) {
  start();
  TestClient one = client();
  one.send(get("/stream/reset"));
  EXPECT_EQ(one.hear_all().find("0\r\n\r\n"), std::string::npos);
}

TEST_F(HttpServer, wakes_a_stream_that_waits) {
  start();
  TestClient one = client();
  one.send(get("/bell", "Connection: close\r\n"));
  bell_->ring();
  EXPECT_EQ(body_of(one.hear_all()), "4\r\nding\r\n0\r\n\r\n");
}

TEST_F(HttpServer, hides_what_a_handler_throws) {
  start();
  const std::string reply = ask(get("/throws"));
  EXPECT_EQ(status_of(reply), 500);
  EXPECT_EQ(reply.find("secret"), std::string::npos);
}

// A buffer that is not reserved takes about 512 bytes a call: the same upload costs 25 times the processor
// time.
TEST_F(HttpServer, takes_uploads_in_large_pieces) {
  start();
  const std::string bytes(32 << 20, 'u');
  TestClient one = client();
  ASSERT_TRUE(one.send("PUT /upload HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(bytes.size()) +
                       "\r\n\r\n"));
  ASSERT_TRUE(one.send(bytes));
  const Json reply = parse_json(body_of(one.hear_reply())).value();
  EXPECT_EQ(*reply.find("bytes")->as_integer(), 32 << 20);
  EXPECT_EQ(*reply.find("sha256")->as_string(), sha256(as_bytes(bytes)).hex());
  EXPECT_LT(*reply.find("pieces")->as_integer(),
            32 << 8);  // 4 KiB a piece and more, whatever the kernel held
}

TEST_F(HttpServer, answers_hostile_requests_and_serves_on) {
  start();
  for (const HostileRequest& hostile : hostile_requests()) {
    TestClient one = client();
    one.send(hostile.bytes);
    const std::string reply = one.hear_reply();
    EXPECT_EQ(status_of(reply), hostile.status) << hostile.name << ": " << reply;
    EXPECT_NE(reply.find("application/problem+json"), std::string::npos) << hostile.name;
    EXPECT_NE(reply.find("Connection: close"), std::string::npos) << hostile.name;
  }
  EXPECT_EQ(status_of(ask(get("/echo"))), 200);
}

TEST_F(HttpServer, ends_clients_whose_head_or_body_comes_too_slowly) {
  start({.header_time = milliseconds(200), .body_idle = milliseconds(200)});
  TestClient head = client();
  head.send("GET /echo HTTP/1.1\r\nHo");
  TestClient body = client();
  body.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
  TestClient silent = client();
  EXPECT_EQ(status_of(head.hear_all()), 408);
  EXPECT_EQ(status_of(body.hear_all()), 408);
  EXPECT_EQ(silent.hear_all(), "");
}

TEST_F(HttpServer, ends_a_body_that_drips) {
  start({.body_bytes_per_s = 1'000'000, .body_grace = milliseconds(300), .body_idle = milliseconds(10'000)});
  TestClient one = client();
  one.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
  std::string reply;
  for (int i = 0; i < 1000 && reply.empty(); ++i) {
    one.send_some("a");
    one.hear_some(reply, 10);
  }
  EXPECT_EQ(status_of(reply), 408);
}

TEST_F(HttpServer, ends_connections_that_stay_silent_between_requests) {
  start({.keep_alive = milliseconds(200)});
  TestClient one = client();
  one.send(get("/echo"));
  EXPECT_EQ(status_of(one.hear_reply()), 200);
  EXPECT_EQ(one.hear_all(), "");
}

TEST_F(HttpServer, ends_clients_that_do_not_read) {
  start({.write_idle = milliseconds(200)});
  ASSERT_TRUE(write_file(folder_ / "file", std::string_view(std::string(64 << 20, 'x'))).ok());
  TestClient one = client();
  one.send(get("/file"));
  while (server_->connections() == 0) std::this_thread::yield();
  while (server_->connections() != 0) std::this_thread::sleep_for(milliseconds(10));
}

TEST_F(HttpServer, has_a_limited_number_of_connections) {
  start({.connections = 4, .connections_per_address = 3});
  std::vector<TestClient> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(client());
    clients.back().send(get("/echo"));
    EXPECT_EQ(status_of(clients.back().hear_reply()), 200);
  }
  const std::string refusal = client().hear_all();
  EXPECT_EQ(status_of(refusal), 429);
  EXPECT_NE(refusal.find("Retry-After: "), std::string::npos);
  clients.pop_back();
  while (server_->connections() > 2) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_EQ(status_of(ask(get("/echo"))), 200);
}

TEST_F(HttpServer, answers_under_its_own_names_only) {
  start({}, {.hosts = {"a", "localhost:8017"}});
  EXPECT_EQ(status_of(ask(get("/echo"))), 200);
  EXPECT_EQ(status_of(ask("GET /echo HTTP/1.1\r\nHost: evil.example\r\n\r\n")), 421);
}

TEST_F(HttpServer, believes_only_proxies_it_trusts) {
  start();
  EXPECT_EQ(body_of(ask(get("/echo", "X-Forwarded-For: 1.2.3.4\r\n"))), "127.0.0.1 ");
  start({}, {.trusted_proxies = {"127.0.0.1"}});
  EXPECT_EQ(body_of(ask(get("/echo", "X-Forwarded-For: 9.9.9.9, 1.2.3.4\r\n"))), "1.2.3.4 ");
}

TEST_F(HttpServer, serves_others_while_four_hundred_clients_drip) {
  start({.header_time = milliseconds(1500),
         .body_grace = milliseconds(1500),
         .body_idle = milliseconds(1500),
         .connections_per_address = 500});
  std::vector<TestClient> slow;
  for (int i = 0; i < 400; ++i) {
    slow.push_back(client());
    ASSERT_TRUE(slow.back().is_connected()) << i;
    slow.back().send(i % 2 == 0 ? "GET /echo HTTP/1.1\r\nX: "
                                : "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n");
  }
  int probes = 0;
  do {
    for (const TestClient& one : slow) one.send_some("a");
    ASSERT_EQ(status_of(ask(get("/echo"))), 200) << probes;
    ++probes;
  } while (server_->connections() > 1);
  EXPECT_GT(probes, 1);
  for (const TestClient& one : slow) EXPECT_EQ(status_of(one.hear_all()), 408);
}

// The most memory that the process ever had, in KiB.
long peak_memory_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stol(line.substr(6));
  }
  return 0;
}

TEST_F(HttpServer, spends_little_memory_on_promises) {
  start({.connections_per_address = 500});
  const long before = peak_memory_kib();
  std::vector<TestClient> clients;
  for (int i = 0; i < 300; ++i) {
    clients.push_back(client());
    clients.back().send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n" +
                        std::string(1000, 'a'));
  }
  while (server_->connections() < 300) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_EQ(status_of(ask(get("/echo"))), 200);
  EXPECT_LT(peak_memory_kib() - before, 64 * 1024);
}

TEST_F(HttpServer, lets_replies_under_way_end_when_it_stops) {
  start();
  TestClient busy = client();
  busy.send(get("/slow"));
  TestClient idle = client();
  while (slow_ == 0 || server_->connections() < 2) std::this_thread::yield();
  std::thread stopping([&] { server_->stop(); });
  const std::string reply = busy.hear_all();
  stopping.join();
  EXPECT_EQ(status_of(reply), 200);
  EXPECT_NE(reply.find("Connection: close"), std::string::npos);
  EXPECT_EQ(idle.hear_all(), "");
  EXPECT_EQ(server_->connections(), 0U);
  TestClient late(server_->port());
  EXPECT_FALSE(late.is_connected());
}

TEST_F(HttpServer, breaks_off_what_does_not_end_when_it_stops) {
  start({.stop_time = milliseconds(50)});
  TestClient one = client();
  one.send(get("/bell"));
  while (server_->connections() == 0) std::this_thread::yield();
  server_->stop();
  EXPECT_EQ(server_->connections(), 0U);
}

// At any moment of the timer that looks for late connections.
TEST_F(HttpServer, stops_whenever_it_is_told_to) {
  for (int i = 0; i < 20; ++i) {
    start();
    std::this_thread::sleep_for(std::chrono::microseconds(98'000 + 200 * i));
    server_->stop();
  }
}

TEST_F(HttpServer, says_why_it_cannot_listen) {
  start();
  ServerOptions taken;
  taken.port = server_->port();
  EXPECT_EQ(Server::start(Router(), {}, taken).error().code(), ErrorCode::io);
  EXPECT_EQ(Server::start(Router(), {}, {.address = "no address"}).error().code(), ErrorCode::bad_usage);
}

}  // namespace
}  // namespace fiducial::http
