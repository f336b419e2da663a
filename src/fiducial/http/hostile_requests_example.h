#pragma once

#include <string>
#include <vector>

namespace fiducial::http {

// Bytes that a client could send instead of a request, and the status they are answered with by a server that
// has a POST route at /echo and the limits as they are by default.
struct HostileRequest {
  std::string name;
  std::string bytes;
  int status = 400;
};

inline std::string posted(const std::string& fields, const std::string& body = "") {
  return "POST /echo HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n" + body;
}

inline std::vector<HostileRequest> hostile_requests() {
  using std::string_literals::operator""s;
  const std::string get = "GET /echo HTTP/1.1\r\n";
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  return {
      // Two readings of where a request ends.
      {"length_and_chunked",
       posted("Content-Length: 4\r\n" + chunked, "0\r\n\r\nGET /admin HTTP/1.1\r\n\r\n")},
      {"chunked_and_length", posted(chunked + "Content-Length: 4\r\n", "0\r\n\r\n")},
      {"two_lengths", posted("Content-Length: 4\r\nContent-Length: 5\r\n", "abcde")},
      {"two_lengths_in_one", posted("Content-Length: 4, 5\r\n", "abcde")},
      {"negative_length", posted("Content-Length: -1\r\n", "a")},
      {"length_with_a_sign", posted("Content-Length: +4\r\n", "abcd")},
      {"length_in_hex", posted("Content-Length: 0x4\r\n", "abcd")},
      {"length_that_overflows", posted("Content-Length: 18446744073709551616\r\n", "a")},
      {"empty_length", posted("Content-Length:\r\n", "a")},
      {"two_codings", posted("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"), 501},
      {"chunked_twice", posted(chunked + chunked, "0\r\n\r\n")},
      {"gzip_then_chunked", posted("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), 501},
      {"chunked_then_gzip", posted("Transfer-Encoding: chunked, gzip\r\n", "0\r\n\r\n"), 501},
      {"almost_chunked", posted("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), 501},
      {"chunked_with_a_tab", posted("Transfer-Encoding: \vchunked\r\n", "0\r\n\r\n")},
      {"chunked_in_1_0", "POST /echo HTTP/1.0\r\nHost: a\r\n" + chunked + "\r\n0\r\n\r\n"},
      {"blank_before_the_colon", posted("Content-Length : 4\r\n", "abcd")},
      {"field_without_a_name", posted(": 4\r\n")},
      {"line_without_a_colon", posted("hello\r\n")},
      {"nul_in_a_value", posted("X: a\0b\r\n"s)},
      {"bare_line_feeds", "GET /echo HTTP/1.1\nHost: a\r\n\r\n", 505},
      {"bare_return_in_a_value", posted("X: a\rY: b\r\n")},
      // Chunks.
      {"chunk_of_no_size", posted(chunked, "\r\nabcd\r\n0\r\n\r\n")},
      {"chunk_size_that_overflows", posted(chunked, "fffffffffffffffff\r\n")},
      {"chunk_size_with_a_sign", posted(chunked, "+4\r\nabcd\r\n0\r\n\r\n")},
      {"chunk_longer_than_it_says", posted(chunked, "2\r\nabcd\r\n0\r\n\r\n")},
      {"huge_chunk", posted(chunked, "7fffffff\r\n"), 413},
      {"many_chunks",
       posted(chunked,
              [] {
                std::string chunks;
                for (int i = 0; i < 40; ++i) chunks += "8000\r\n" + std::string(0x8000, 'a') + "\r\n";
                return chunks;
              }()),
       413},
      {"endless_chunk_extension", posted(chunked, "4;" + std::string(20'000, 'x')), 431},
      // Hosts, targets and versions.
      {"no_host", get + "\r\n"},
      {"two_hosts", get + "Host: a\r\nHost: b\r\n\r\n"},
      {"absolute_target", "GET http://b/echo HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"target_that_leads_upwards", "GET /echo/../../etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"encoded_way_upwards", "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"nul_in_the_target", "GET /a%00b HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"long_target", "GET /" + std::string(5'000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n", 414},
      {"http_2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
      {"http_0_9", "GET /echo\r\n\r\n"},
      {"tls_hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s + std::string(64, '\0') + "\r\n\r\n"},
      {"unknown_method", "BREW /echo HTTP/1.1\r\nHost: a\r\n\r\n", 501},
      {"connect", "CONNECT b:443 HTTP/1.1\r\nHost: b\r\n\r\n"},
      {"trace", "TRACE /echo HTTP/1.1\r\nHost: a\r\n\r\n", 501},
      // Too much.
      {"large_field", posted("X: " + std::string(20'000, 'a') + "\r\n"), 431},
      {"many_fields", posted([] {
         std::string fields;
         for (int i = 0; i < 200; ++i) fields += "X: a\r\n";
         return fields;
       }()),
       431},
      {"endless_line", std::string(20'000, 'A'), 431},
      {"many_small_fields", posted([] {
         std::string fields;
         for (int i = 0; i < 90; ++i) fields += "X: " + std::string(250, 'a') + "\r\n";
         return fields;
       }()),
       431},
      {"nine_gigabytes", posted("Content-Length: 9000000000\r\n"), 413},
      {"body_over_the_limit", posted("Content-Length: 1048577\r\n"), 413},
      {"inflated_body", posted("Content-Encoding: gzip\r\nContent-Length: 4\r\n", "abcd"), 415},
      {"expects_more_than_100", posted("Expect: 200-ok\r\nContent-Length: 4\r\n", "abcd"), 417},
  };
}

}  // namespace fiducial::http
