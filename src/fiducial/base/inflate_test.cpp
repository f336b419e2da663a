#include "fiducial/base/inflate.h"

#include <string>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"
#include "fiducial/base/random.h"

namespace fiducial {
namespace {

Bytes bytes_of(std::string_view text) {
  const ByteView view = as_bytes(text);
  return {view.begin(), view.end()};
}

Bytes end_to_end(const Bytes& a, const Bytes& b) {
  Bytes out = a;
  out.insert(out.end(), b.begin(), b.end());
  return out;
}

Result<std::string> inflated(ByteView stored, std::size_t step = 1000) {
  InflateStream stream(std::make_unique<MemoryStream>(stored), DeflateWrapper::gzip);
  std::string out;
  Bytes piece(step);
  for (;;) {
    FIDUCIAL_TRY(const std::size_t got, stream.read(piece));
    out += as_text(ByteView(piece).first(got));
    if (got < step) return out;
  }
}

std::string repetitive_text(std::size_t size, std::uint64_t seed) {
  Random random(seed);
  std::string out;
  while (out.size() < size) out.append(random.below(40) + 1, static_cast<char>('a' + random.below(4)));
  out.resize(size);
  return out;
}

TEST(Gzip, round_trips_at_every_level_and_step) {
  const std::string text = repetitive_text(5000, 1);
  for (int level = 1; level <= 9; ++level) {
    const Bytes stored = gzip_compressed(as_bytes(text), level);
    for (const std::size_t step : {1U, 7U, 5000U, 5001U}) EXPECT_EQ(inflated(stored, step).value(), text);
  }
}

TEST(Gzip, depends_on_nothing_but_the_input) {
  const std::string text = repetitive_text(5000, 2);
  EXPECT_EQ(gzip_compressed(as_bytes(text), 6), gzip_compressed(as_bytes(text), 6));
}

TEST(Gzip, round_trips_no_bytes) { EXPECT_EQ(inflated(gzip_compressed({}, 6)).value(), ""); }

TEST(Inflate, round_trips_data_larger_than_its_input_buffer) {
  Random random(3);
  std::string noise(700'001, '\0');
  for (char& c : noise) c = static_cast<char>(random.below(256));
  EXPECT_EQ(inflated(gzip_compressed(as_bytes(noise), 1), 65536).value(), noise);
}

TEST(Inflate, joins_concatenated_members) {
  const Bytes first = gzip_compressed(as_bytes("one "), 6);
  const Bytes second = gzip_compressed(as_bytes("two"), 6);
  EXPECT_EQ(inflated(end_to_end(first, second)).value(), "one two");
  EXPECT_EQ(inflated(end_to_end(end_to_end(first, gzip_compressed({}, 6)), second)).value(), "one two");
}

TEST(Inflate, joins_many_members_whatever_the_reading_step) {
  Bytes stored;
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += repetitive_text(50, static_cast<std::uint64_t>(i));
    stored =
        end_to_end(stored, gzip_compressed(as_bytes(std::string_view(text).substr(text.size() - 50)), 6));
  }
  for (const std::size_t step : {1U, 50U, 51U, 20000U}) EXPECT_EQ(inflated(stored, step).value(), text);
}

TEST(Inflate, ignores_zero_padding_between_and_after_members) {
  const Bytes member = gzip_compressed(as_bytes("x"), 6);
  const Bytes padding(512 * 1024 + 3);
  EXPECT_EQ(inflated(end_to_end(end_to_end(member, padding), end_to_end(member, padding))).value(), "xx");
}

TEST(Inflate, refuses_garbage_after_a_member_and_names_its_byte) {
  const Bytes member = gzip_compressed(as_bytes("x"), 6);
  const auto result = inflated(end_to_end(member, bytes_of("garbage")));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message(), "bytes after the end of the gzip data are no gzip member");
  EXPECT_EQ(result.error().place().byte, member.size());
}

TEST(Inflate, refuses_a_file_cut_off_at_any_byte) {
  const std::string text = repetitive_text(300, 4);
  const Bytes stored = gzip_compressed(as_bytes(text), 6);
  for (std::size_t size = 0; size < stored.size(); ++size) {
    const auto result = inflated(ByteView(stored).first(size));
    ASSERT_FALSE(result.ok()) << "cut to " << size << " of " << stored.size() << " bytes";
    EXPECT_EQ(result.error().text(),
              "byte " + decimal(size) + ": compressed data end in the middle of a stream");
  }
}

TEST(Inflate, refuses_a_second_member_cut_off_at_any_byte) {
  const Bytes member = gzip_compressed(as_bytes("some text"), 6);
  const Bytes stored = end_to_end(member, member);
  for (std::size_t size = member.size() + 1; size < stored.size(); ++size) {
    EXPECT_FALSE(inflated(ByteView(stored).first(size)).ok()) << "cut to " << size << " bytes";
  }
}

TEST(Inflate, never_passes_a_changed_bit_of_data_or_trailer_as_good) {
  const std::string text = repetitive_text(200, 5);
  const Bytes stored = gzip_compressed(as_bytes(text), 6);
  for (std::size_t at = 10; at < stored.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      Bytes changed = stored;
      changed[at] ^= static_cast<std::byte>(1U << bit);
      const auto result = inflated(changed);
      EXPECT_TRUE(!result.ok() || *result == text) << "byte " << at << " bit " << bit;
    }
  }
}

TEST(Inflate, refuses_a_wrong_checksum_and_a_wrong_length) {
  const Bytes stored = gzip_compressed(as_bytes("some text"), 6);
  for (const std::size_t from_end : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
    Bytes changed = stored;
    changed[changed.size() - from_end] ^= std::byte{0x40};
    const auto result = inflated(changed);
    ASSERT_FALSE(result.ok()) << from_end << " bytes before the end";
    EXPECT_EQ(result.error().message(), "gzip checksum or length does not match the data");
  }
}

TEST(Inflate, refuses_what_is_no_gzip_file) {
  EXPECT_EQ(inflated(as_bytes("This is plain text, no gzip file.")).error().message(), "not a gzip header");
  Bytes other_method = gzip_compressed(as_bytes("x"), 6);
  other_method[2] = std::byte{7};
  EXPECT_EQ(inflated(other_method).error().message(), "gzip header names a method other than deflate");
}

TEST(Inflate, reads_raw_deflate_without_a_wrapper) {
  const std::string text = repetitive_text(3000, 6);
  const Bytes stored = gzip_compressed(as_bytes(text), 6);
  const ByteView raw = ByteView(stored).subspan(10, stored.size() - 18);
  InflateStream stream(std::make_unique<MemoryStream>(raw), DeflateWrapper::none);
  Bytes out(4000);
  ASSERT_EQ(stream.read(out).value(), text.size());
  EXPECT_EQ(as_text(ByteView(out).first(text.size())), text);
}

TEST(Inflate, survives_random_bytes_behind_a_gzip_header) {
  Random random(7);
  const Bytes header = gzip_compressed({}, 6);
  for (int trial = 0; trial < 2000; ++trial) {
    Bytes stored(header.begin(), header.begin() + 10);
    for (int i = 0; i < 100; ++i) stored.push_back(static_cast<std::byte>(random.below(256)));
    EXPECT_FALSE(inflated(stored).ok());
  }
}

TEST(Inflate, never_expands_beyond_the_greatest_ratio) {
  const Bytes stored = gzip_compressed(Bytes(10'000'000), 9);
  EXPECT_LT(10'000'000U, stored.size() * max_deflate_ratio);
}

}  // namespace
}  // namespace fiducial
