// How fast the body of a request with 49 images is built, in gigabytes of body a second of processor time.
#include <chrono>
#include <ctime>
#include <iostream>
#include <map>

#include "fiducial/base/freed_memory.h"
#include "fiducial/base/json.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/random.h"
#include "fiducial/base/sha256.h"
#include "fiducial/chat/vendor.h"

namespace fiducial {

namespace {

constexpr int image_count = 49;  // the most of a published case
constexpr std::size_t image_bytes = 300'000;
constexpr int repetitions = 20;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::map<std::string, std::string> pictures() {
  std::map<std::string, std::string> out;
  std::uint64_t state = 1;
  for (int i = 0; i < image_count; ++i) {
    std::string bytes = "\xff\xd8\xff";
    while (bytes.size() < image_bytes)
      bytes += static_cast<char>((state = state * 6364136223846793005U + 1) >> 56U);
    std::string hash = sha256(as_bytes(bytes)).hex();
    out.emplace(std::move(hash), std::move(bytes));
  }
  return out;
}

Result<double> built_gigabytes_a_second() {
  const std::map<std::string, std::string> held = pictures();
  ChatRequest request{.model = "m", .messages = {ChatMessage{.parts = {ChatPart{.text = "Which?"}}}}};
  for (const auto& [hash, bytes] : held) {
    request.messages.front().parts.push_back(
        {.image = ChatImage{.sha256 = hash, .media_type = "image/jpeg"}});
  }
  const ImageBytes images = [&held](const std::string& hash) -> Result<std::string> { return held.at(hash); };
  FIDUCIAL_TRY(const Vendor* vendor, find_vendor("openai"));
  FIDUCIAL_TRY(const std::string first, vendor->body(request, images));
  FIDUCIAL_TRY(const Json parsed, parse_json(first));
  const double began = processor_seconds();
  std::size_t bytes = 0;
  for (int i = 0; i < repetitions; ++i) {
    FIDUCIAL_TRY(const std::string body, vendor->body(request, images));
    bytes += body.size();
  }
  return static_cast<double>(bytes) / 1e9 / (processor_seconds() - began);
}

}  // namespace

}  // namespace fiducial

int main() {
  fiducial::keep_freed_memory(std::size_t{256} << 20U);  // as `fiducial run` does
  const auto rate = fiducial::built_gigabytes_a_second();
  if (!rate.ok()) {
    std::cerr << rate.error().text() << "\n";
    return 1;
  }
  std::cout << fiducial::fixed(*rate, 3) << "\n";
  return 0;
}
