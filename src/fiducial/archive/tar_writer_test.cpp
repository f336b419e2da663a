#include "fiducial/archive/tar_writer.h"

#include <gtest/gtest.h>

#include "fiducial/archive/tar_reader.h"

namespace fiducial {
namespace {

TEST(TarWriter, writes_what_the_reader_reads) {
  const std::string long_name = std::string(90, 'f') + "/" + std::string(90, 'n');
  TarWriter writer;
  ASSERT_TRUE(writer.add("seg_a/aorta.nii.gz", as_bytes("inside")).ok());
  ASSERT_TRUE(writer.add(long_name, {}).ok());
  const Bytes bytes = writer.finish();
  EXPECT_EQ(bytes.size() % 512, 0U);
  TarReader reader = TarReader::open(std::make_unique<MemoryStream>(bytes)).value();
  const auto first = reader.next().value();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->name, "seg_a/aorta.nii.gz");
  Bytes content(6);
  EXPECT_EQ(reader.content().read(content).value(), 6U);
  EXPECT_EQ(as_text(content), "inside");
  const auto second = reader.next().value();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->name, long_name);
  EXPECT_EQ(second->size, 0U);
  EXPECT_FALSE(reader.next().value());
}

TEST(TarWriter, refuses_names_that_leave_the_folder_or_do_not_fit) {
  TarWriter writer;
  EXPECT_FALSE(writer.add("../a", {}).ok());
  EXPECT_FALSE(writer.add(std::string(200, 'n'), {}).ok());
}

}  // namespace
}  // namespace fiducial
