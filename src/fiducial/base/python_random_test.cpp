#include "fiducial/base/python_random.h"

#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"
#include "fiducial/base/reference_values.h"

namespace fiducial {
namespace {

std::uint64_t whole(const Json& text) { return parse_unsigned(*text.as_string()).value(); }

void expect_outputs(PythonRandom& random, const Json& expected) {
  for (const Json& value : *expected.as_array()) EXPECT_EQ(random.next(), *value.as_integer());
}

TEST(PythonRandom, draws_what_cpython_draws) {
  const Json recorded = reference_values("python_random.json");
  for (const Json& drawn : *recorded.find("seeds")->as_array()) {
    PythonRandom random(whole(*drawn.find("seed")));
    SCOPED_TRACE(*drawn.find("seed")->as_string());
    expect_outputs(random, *drawn.find("outputs"));
    for (int i = 0; i < 1300; ++i) random.next();
    expect_outputs(random, *drawn.find("later"));
    const Json::Array& wide = *drawn.find("wide")->as_array();
    constexpr int widths[] = {1, 31, 33, 48, 63, 64};
    for (std::size_t i = 0; i < wide.size(); ++i) EXPECT_EQ(random.bits(widths[i]), whole(wide[i]));
    for (const Json& pair : *drawn.find("below")->as_array()) {
      EXPECT_EQ(random.below(whole((*pair.as_array())[0])), whole((*pair.as_array())[1]));
    }
    for (const Json& value : *drawn.find("uniform")->as_array()) {
      EXPECT_EQ(random.uniform(), *value.as_number());
    }
    for (const Json& sample : *drawn.find("samples")->as_array()) {
      const Json::Array& parts = *sample.as_array();
      const auto positions = random.sample(static_cast<std::size_t>(*parts[0].as_integer()),
                                           static_cast<std::size_t>(*parts[1].as_integer()));
      const Json::Array& expected = *parts[2].as_array();
      ASSERT_EQ(positions.size(), expected.size());
      for (std::size_t i = 0; i < positions.size(); ++i) {
        EXPECT_EQ(static_cast<std::int64_t>(positions[i]), *expected[i].as_integer());
      }
    }
    std::vector<std::int64_t> items(40);
    std::iota(items.begin(), items.end(), 0);
    random.shuffle(items);
    for (std::size_t i = 0; i < items.size(); ++i) {
      EXPECT_EQ(items[i], *(*drawn.find("shuffle")->as_array())[i].as_integer());
    }
    EXPECT_EQ(random.next(), *drawn.find("after")->as_integer());
  }
}

TEST(PythonRandom, gives_the_published_values_for_seed_42) {
  PythonRandom draws(42);
  for (const std::uint64_t expected : {5U, 0U, 0U, 5U, 2U, 1U, 1U, 1U}) EXPECT_EQ(draws.below(7), expected);
  EXPECT_EQ(PythonRandom(42).sample(7, 4), (std::vector<std::size_t>{5, 0, 6, 2}));
  std::vector<char> letters{'A', 'B', 'C', 'D', 'E'};
  PythonRandom(42).shuffle(letters);
  EXPECT_EQ(std::string(letters.begin(), letters.end()), "DBCEA");
  std::vector<char> targets{'A', 'A', 'A', 'B', 'B', 'B', 'C', 'C', 'D', 'D', 'E', 'E'};
  PythonRandom(42).shuffle(targets);
  EXPECT_EQ(std::string(targets.begin(), targets.end()), "CBADDCEBBAAE");
}

}  // namespace
}  // namespace fiducial
