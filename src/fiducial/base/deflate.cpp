#include "fiducial/base/deflate.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "fiducial/base/error.h"

namespace fiducial {

namespace {

constexpr std::size_t window = 32'768;
constexpr std::size_t shortest_match = 3;
constexpr std::size_t longest_match = 258;
constexpr int most_tries = 16;  // earlier places that are looked at for a match
constexpr std::size_t tokens_a_block = 32'768;
constexpr std::size_t literals = 286;
constexpr std::size_t distances = 30;
constexpr std::size_t end_of_block = 256;

// A literal (length 0, the byte in value) or a match (its distance in value).
struct Token {
  std::uint16_t length = 0;
  std::uint16_t value = 0;
};

// Bits from the lowest on, as RFC 1951 packs them.
class BitWriter {
 public:
  explicit BitWriter(Bytes& out) : out_(out) {}
  void put(std::uint32_t bits, int count) {
    held_ |= std::uint64_t{bits} << held_count_;
    held_count_ += count;
    while (held_count_ >= 8) {
      out_.push_back(static_cast<std::byte>(held_ & 0xFFU));
      held_ >>= 8U;
      held_count_ -= 8;
    }
  }
  void end() {
    if (held_count_ > 0) put(0, 8 - held_count_);
  }

 private:
  Bytes& out_;
  std::uint64_t held_ = 0;
  int held_count_ = 0;
};

// Where a length or a distance stands in its table: symbol, and what follows it.
struct Coded {
  std::size_t symbol = 0;
  std::uint32_t extra = 0;
  int extra_bits = 0;
};

Coded coded_length(std::size_t length) {
  if (length == longest_match) return {285, 0, 0};
  const auto from = static_cast<std::uint32_t>(length - shortest_match);
  if (from < 8) return {257 + from, 0, 0};
  int bits = 0;
  while ((from >> (static_cast<unsigned>(bits) + 3U)) != 0) ++bits;
  const std::uint32_t group = from >> static_cast<unsigned>(bits);  // 4 to 7
  const std::uint32_t rest = from & ((1U << static_cast<unsigned>(bits)) - 1U);
  return {257 + 4 * static_cast<std::size_t>(bits) + group, rest, bits};
}

Coded coded_distance(std::size_t distance) {
  const auto from = static_cast<std::uint32_t>(distance - 1);
  if (from < 4) return {from, 0, 0};
  int bits = 0;
  while ((from >> (static_cast<unsigned>(bits) + 2U)) != 0) ++bits;
  const std::uint32_t group = from >> static_cast<unsigned>(bits);  // 2 or 3
  const std::uint32_t rest = from & ((1U << static_cast<unsigned>(bits)) - 1U);
  return {2 * static_cast<std::size_t>(bits) + group, rest, bits};
}

// Lengths of the codes of a Huffman tree; ties go to the earlier symbol.
std::vector<int> tree_depths(const std::vector<std::uint64_t>& counts) {
  using Node = std::tuple<std::uint64_t, std::size_t>;  // count and number
  std::priority_queue<Node, std::vector<Node>, std::greater<>> open;
  std::vector<std::size_t> parent(counts.size(), 0);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) open.emplace(counts[i], i);
  }
  std::vector<int> out(counts.size(), 0);
  if (open.size() == 1) out[std::get<1>(open.top())] = 1;
  if (open.size() < 2) return out;
  while (open.size() > 1) {
    const auto [first_count, first] = open.top();
    open.pop();
    const auto [second_count, second] = open.top();
    open.pop();
    parent.push_back(0);
    parent[first] = parent[second] = parent.size() - 1;
    open.emplace(first_count + second_count, parent.size() - 1);
  }
  std::vector<int> depth(parent.size(), 0);
  for (std::size_t i = parent.size() - 1; i-- > 0;) {
    if (i >= counts.size() || counts[i] > 0) depth[i] = depth[parent[i]] + 1;
  }
  std::copy_n(depth.begin(), counts.size(), out.begin());
  return out;
}

// The same with no code longer than most: counts are evened out until that is so.
std::vector<int> code_lengths(std::vector<std::uint64_t> counts, int most) {
  while (true) {
    std::vector<int> out = tree_depths(counts);
    if (*std::max_element(out.begin(), out.end()) <= most) return out;
    for (std::uint64_t& count : counts) count = (count + 1) / 2;
  }
}

// Canonical codes, bits in the order they are written.
std::vector<std::uint32_t> codes_of(const std::vector<int>& lengths) {
  std::vector<std::uint32_t> out(lengths.size(), 0);
  std::uint32_t code = 0;
  for (int length = 1; length <= 15; ++length) {
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      if (lengths[i] != length) continue;
      std::uint32_t reversed = 0;
      for (int bit = 0; bit < length; ++bit)
        reversed |= ((code >> static_cast<unsigned>(bit)) & 1U) << static_cast<unsigned>(length - 1 - bit);
      out[i] = reversed;
      ++code;
    }
    code <<= 1U;
  }
  return out;
}

struct Code {
  std::vector<int> lengths;
  std::vector<std::uint32_t> codes;

  static Code of(std::vector<std::uint64_t> counts, int most) {
    Code out{.lengths = code_lengths(std::move(counts), most), .codes = {}};
    out.codes = codes_of(out.lengths);
    return out;
  }
  void put(BitWriter& bits, std::size_t symbol) const { bits.put(codes[symbol], lengths[symbol]); }
};

// The lengths of both codes, one after the other; runs of zeros are told by their number.
void put_code_lengths(BitWriter& bits, const Code& literal, const Code& distance) {
  std::vector<int> all = literal.lengths;
  all.insert(all.end(), distance.lengths.begin(), distance.lengths.end());
  std::vector<std::pair<std::size_t, std::uint32_t>> told;  // symbol and what follows it
  for (std::size_t i = 0; i < all.size();) {
    std::size_t zeros = 0;
    while (i + zeros < all.size() && all[i + zeros] == 0 && zeros < 138) ++zeros;
    if (zeros >= 11) {
      told.emplace_back(18, zeros - 11);
    } else if (zeros >= 3) {
      told.emplace_back(17, zeros - 3);
    } else {
      zeros = 1;
      told.emplace_back(all[i], 0);
    }
    i += zeros;
  }
  std::vector<std::uint64_t> counts(19, 0);
  for (const auto& [symbol, extra] : told) ++counts[symbol];
  const Code code = Code::of(counts, 7);
  constexpr std::array<std::size_t, 19> order{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                              11, 4,  12, 3, 13, 2, 14, 1, 15};
  bits.put(static_cast<std::uint32_t>(literals - 257), 5);
  bits.put(static_cast<std::uint32_t>(distances - 1), 5);
  bits.put(19 - 4, 4);
  for (const std::size_t symbol : order) bits.put(static_cast<std::uint32_t>(code.lengths[symbol]), 3);
  for (const auto& [symbol, extra] : told) {
    code.put(bits, symbol);
    if (symbol == 17) bits.put(extra, 3);
    if (symbol == 18) bits.put(extra, 7);
  }
}

void put_block(BitWriter& bits, const std::vector<Token>& tokens, bool is_last) {
  std::vector<std::uint64_t> literal_counts(literals, 0);
  std::vector<std::uint64_t> distance_counts(distances, 0);
  literal_counts[end_of_block] = 1;
  distance_counts[0] = 1;  // a decoder wants at least one code
  for (const Token& token : tokens) {
    ++literal_counts[token.length == 0 ? token.value : coded_length(token.length).symbol];
    if (token.length > 0) ++distance_counts[coded_distance(token.value).symbol];
  }
  const Code literal = Code::of(std::move(literal_counts), 15);
  const Code distance = Code::of(std::move(distance_counts), 15);
  bits.put(is_last ? 1 : 0, 1);
  bits.put(2, 2);
  put_code_lengths(bits, literal, distance);
  for (const Token& token : tokens) {
    if (token.length == 0) {
      literal.put(bits, token.value);
      continue;
    }
    const Coded length = coded_length(token.length);
    literal.put(bits, length.symbol);
    bits.put(length.extra, length.extra_bits);
    const Coded back = coded_distance(token.value);
    distance.put(bits, back.symbol);
    bits.put(back.extra, back.extra_bits);
  }
  literal.put(bits, end_of_block);
}

// Finds the longest earlier text that goes on as the bytes do, among the nearest that begin alike.
class MatchFinder {
 public:
  explicit MatchFinder(ByteView bytes)
      : bytes_(bytes), last_(std::size_t{1} << 15U, none), before_(bytes.size(), none) {}

  Token find(std::size_t at) const {
    Token best;
    if (at + shortest_match > bytes_.size()) return best;
    const std::size_t most = std::min(longest_match, bytes_.size() - at);
    std::uint32_t place = last_[key(at)];
    for (int tries = 0; place != none && at - place < window && tries < most_tries; ++tries) {
      std::size_t length = 0;
      while (length < most && bytes_[place + length] == bytes_[at + length]) ++length;
      if (length >= shortest_match && length > best.length)
        best = {static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(at - place)};
      place = before_[place];
    }
    return best;
  }

  void add(std::size_t at) {
    if (at + shortest_match > bytes_.size()) return;
    std::uint32_t& last = last_[key(at)];
    before_[at] = last;
    last = static_cast<std::uint32_t>(at);
  }

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFFU;

  std::size_t key(std::size_t at) const {
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < shortest_match; ++i)
      three = (three << 8U) | std::to_integer<std::uint32_t>(bytes_[at + i]);
    return (three * 2'654'435'761U) >> 17U;
  }

  ByteView bytes_;
  std::vector<std::uint32_t> last_;
  std::vector<std::uint32_t> before_;
};

std::uint32_t adler32(ByteView bytes) {
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const std::byte byte : bytes) {
    a = (a + std::to_integer<std::uint32_t>(byte)) % 65'521;
    b = (b + a) % 65'521;
  }
  return (b << 16U) | a;
}

}  // namespace

Bytes zlib_compressed(ByteView bytes) {
  FIDUCIAL_ASSERT(bytes.size() < 0xFFFFFFFFU);
  Bytes out{std::byte{0x78}, std::byte{0x5E}};
  BitWriter bits(out);
  MatchFinder finder(bytes);
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < bytes.size();) {
    Token token = finder.find(at);
    if (token.length == 0) token.value = std::to_integer<std::uint16_t>(bytes[at]);
    tokens.push_back(token);
    const std::size_t end = at + std::max<std::size_t>(1, token.length);
    for (; at < end; ++at) finder.add(at);
    if (tokens.size() < tokens_a_block) continue;
    put_block(bits, tokens, false);
    tokens.clear();
  }
  put_block(bits, tokens, true);
  bits.end();
  const std::uint32_t check = adler32(bytes);
  for (const unsigned shift : {24U, 16U, 8U, 0U})
    out.push_back(static_cast<std::byte>((check >> shift) & 0xFFU));
  return out;
}

}  // namespace fiducial
