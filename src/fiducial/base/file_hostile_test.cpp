#include <string>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

TEST(HostileFile, named_pipe_is_refused_at_once) {
  const TemporaryFolder folder;
  const Path pipe = folder / "pipe.nii.gz";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(FileStream::open(pipe).error().message(), "not a regular file");
  EXPECT_EQ(read_text_file(pipe).error().message(), "not a regular file");
}

TEST(HostileJson, keeps_the_sign_of_zero) {
  EXPECT_EQ(parse_json("-0.0")->compact(), "-0.0");
  EXPECT_EQ(parse_json("-0")->compact(), "-0.0");
}

}  // namespace
}  // namespace fiducial
