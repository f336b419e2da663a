// A WordNet database from any text, cut in three at zero bytes; asking it for words must end.
#include <string>

#include "fiducial/text/wordnet.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  std::array<std::string, 3> pieces;
  std::size_t piece = 0;
  for (const char c : as_text(fuzz::view(bytes, size))) {
    if (c == '\0') {
      piece = std::min<std::size_t>(piece + 1, 2);
    } else {
      pieces.at(piece).push_back(c);
    }
  }
  const WordNetFiles files{pieces[0], pieces[1], pieces[2]};
  const Result<WordNet> net = WordNet::parse({files, files, files, files});
  if (!net.ok()) return 0;
  net->of(pieces[2]);
  net->of("vessels");
  net->of("menses");
  return 0;
}
