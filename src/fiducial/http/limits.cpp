#include "fiducial/http/limits.h"

#include "fiducial/base/number_text.h"

namespace fiducial::http {

namespace {

std::string seconds(std::chrono::milliseconds time) {
  return shortest(static_cast<double>(time.count()) / 1000) + " s";
}

std::string kibibytes(std::uint64_t bytes) { return shortest(static_cast<double>(bytes) / 1024) + " KiB"; }

}  // namespace

std::string Limits::text() const {
  return "header " + kibibytes(header_bytes) + ", " + decimal(fields) + " fields, " + seconds(header_time) +
         "; target " + kibibytes(target_bytes) + "; body " + kibibytes(body_bytes) + ", idle " +
         seconds(body_idle) + ", at least " + kibibytes(body_bytes_per_s) + "/s after " +
         seconds(body_grace) + "; reply idle " + seconds(write_idle) + "; " + decimal(connections) +
         " connections, " + decimal(connections_per_address) + " an address; keep-alive " +
         seconds(keep_alive) + " or " + decimal(requests_per_connection) + " requests; files in pieces of " +
         kibibytes(file_piece_bytes) + "; stop within " + seconds(stop_time);
}

}  // namespace fiducial::http
