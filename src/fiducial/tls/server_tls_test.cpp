#include "fiducial/tls/server_tls.h"

#include <gtest/gtest.h>

namespace fiducial::http {
namespace {

TEST(ServerTls, says_which_file_it_cannot_read) {
  const Result<std::shared_ptr<const Security>> tls =
      load_tls({.certificates = "none.pem", .key = "none.key"});
  ASSERT_FALSE(tls.ok());
  EXPECT_EQ(tls.error().code(), ErrorCode::invalid_data);
  EXPECT_NE(tls.error().message().find("no certificates"), std::string::npos);
}

}  // namespace
}  // namespace fiducial::http
