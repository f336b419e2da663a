#include "fiducial/dicom/reader_records.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

const std::string start = "{\"fiducial-dicom\":1}\n";
const std::string end = "{\"end\":true}\n";

// A good record of a slice, with some fields replaced.
std::string slice(std::initializer_list<Json::Member> changes = {}) {
  Json out = Json::object({{"file", 0},
                           {"frame", 0},
                           {"frames", 1},
                           {"series", "1.2"},
                           {"frame_of_reference", ""},
                           {"modality", "CT"},
                           {"syntax", "1.2.840.10008.1.2.1"},
                           {"decodable", true},
                           {"lossy", false},
                           {"rows", 2},
                           {"columns", 3},
                           {"samples", 1},
                           {"photometric", "MONOCHROME2"},
                           {"bits_stored", 12},
                           {"high_bit", 11},
                           {"lookup_table", false},
                           {"position", "1\\2 \\+3.5"},
                           {"orientation", "1\\0\\0\\0\\1\\0"},
                           {"spacing", "0.8\\0.7"},
                           {"step", ""},
                           {"thickness", "3"},
                           {"slope", "1"},
                           {"intercept", "-1024"}});
  for (const auto& [key, value] : changes) out.set(key, value);
  return out.compact() + "\n";
}

Result<HeaderRecords> headers(const std::string& text, std::size_t count = 1) {
  const std::vector<std::string> files(count, "file");
  MemoryStream bytes(as_bytes(text));
  return RecordReader(bytes, files).read_headers();
}

std::string refusal(std::initializer_list<Json::Member> changes) {
  const auto read = headers(start + slice(changes) + end);
  EXPECT_TRUE(read.ok());
  return read.ok() ? read->slices[0].refusal : "";
}

TEST(HeaderRecords, hold_the_geometry_of_a_slice) {
  const auto read = headers(start + slice() + end);
  ASSERT_TRUE(read.ok());
  const SliceHeader& found = read->slices.at(0);
  EXPECT_EQ(found.refusal, "");
  EXPECT_EQ(found.position_mm, (Vec3{1, 2, 3.5}));
  EXPECT_EQ(found.row_spacing_mm, 0.8);
  EXPECT_EQ(found.column_spacing_mm, 0.7);
  EXPECT_EQ(found.stated_step_mm, 3);
  EXPECT_EQ(found.intercept, -1024);
}

TEST(HeaderRecords, keep_why_a_slice_cannot_be_used) {
  EXPECT_EQ(refusal({{"position", ""}}), "no ImagePositionPatient");
  EXPECT_EQ(refusal({{"position", "1\\2"}}), "ImagePositionPatient: expected 3 numbers, found \"1\\2\"");
  EXPECT_EQ(refusal({{"position", "1\\2\\3\\4"}}),
            "ImagePositionPatient: expected 3 numbers, found \"1\\2\\3\\4\"");
  EXPECT_EQ(refusal({{"position", "1\\2\\nan"}}),
            "ImagePositionPatient: expected 3 numbers, found \"1\\2\\nan\"");
  EXPECT_EQ(refusal({{"orientation", "1\\0\\0\\1\\0\\0"}}),
            "ImageOrientationPatient: expected rows and columns at right angles, found a cosine of 1");
  EXPECT_EQ(refusal({{"slope", "0"}}), "RescaleSlope is 0: no values are left");
  EXPECT_EQ(refusal({{"slope", "x"}}), "RescaleSlope: expected a number, found \"x\"");
  EXPECT_EQ(refusal({{"high_bit", 15}}),
            "expected 2 to 32 bits stored below the high bit, found 12 stored and high bit 15");
  EXPECT_EQ(refusal({{"lookup_table", true}}),
            "a modality lookup table instead of slope and intercept is not supported");
}

TEST(HeaderRecords, refuse_what_does_not_follow_the_protocol) {
  for (const std::string& text :
       {std::string(), start, start + end, start + slice(), slice() + end, start + slice({{"file", 1}}) + end,
        start + slice({{"frame", 1}}) + end, start + slice({{"rows", 0}}) + end,
        start + slice({{"columns", 70'000}}) + end, start + slice({{"frames", 2}}) + end,
        start + slice({{"series", 7}}) + end, start + "[]\n" + end, start + std::string(100'000, ' ') + "\n",
        std::string("{\"fiducial-dicom\":2}\n") + slice() + end}) {
    const auto read = headers(text);
    ASSERT_FALSE(read.ok()) << text.substr(0, 300);
    EXPECT_EQ(read.error().message().substr(0, 36), "the DICOM reader's answer is broken:");
  }
}

TEST(HeaderRecords, pass_on_what_is_wrong_with_a_file) {
  const auto read = headers(start + "{\"file\":0,\"error\":\"no good\"}\n");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().text(), "file: no good");
}

std::string pixels(const std::string& announced, const std::string& values) {
  return start + announced + "\n" + values;
}

TEST(PixelRecords, give_the_bytes_of_each_slice) {
  const std::string line =
      R"({"file":0,"frame":0,"frames":1,"bytes_per_value":2,"bits_stored":12,"signed":true,)";
  const std::vector<std::string> files = {"file"};
  const std::vector<FileSlices> expected = {{.frames = 1, .values = 2}};
  std::string seen;
  const auto keep = [&seen](const StoredSlice& found) -> Outcome {
    seen += as_text(found.bytes);
    return done();
  };
  const std::string whole = pixels(line + "\"bytes\":4}", "ab\nc") + end;
  MemoryStream bytes(as_bytes(whole));
  EXPECT_TRUE(RecordReader(bytes, files).read_pixels(expected, keep).ok());
  EXPECT_EQ(seen, "ab\nc");
  for (const std::string& text :
       {pixels(line + "\"bytes\":4}", "ab"), pixels(line + "\"bytes\":6}", "abcdef") + end,
        pixels(line + "\"bytes\":4,\"frames\":2}", "abcd") + end}) {
    MemoryStream broken(as_bytes(text));
    EXPECT_FALSE(RecordReader(broken, files).read_pixels(expected, keep).ok()) << text;
  }
}

}  // namespace
}  // namespace fiducial
