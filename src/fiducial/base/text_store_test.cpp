#include "fiducial/base/text_store.h"

#include <vector>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"

namespace fiducial {
namespace {

// Texts of all lengths, some of them longer than what is read or written at once.
std::vector<std::string> texts_of_all_lengths() {
  Random random(5);
  std::vector<std::string> out;
  for (int i = 0; i < 400; ++i) {
    const auto length = i % 50 == 0 ? random.between(0, 3'000'000) : random.between(0, 20'000);
    out.emplace_back(static_cast<std::size_t>(length), static_cast<char>('a' + i % 26));
  }
  return out;
}

TEST(TextStore, gives_back_every_text_in_order_and_at_random) {
  const std::vector<std::string> texts = texts_of_all_lengths();
  TextStore store;
  std::vector<TextStore::Id> ids;
  for (const std::string& text : texts) ids.push_back(store.add(text).value());
  TextStore::Reader in_order(store);
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_TRUE(in_order.text(ids[i]).value() == texts[i]) << i;
  TextStore::Reader anywhere(store);
  Random random(6);
  for (int i = 0; i < 400; ++i) {
    const auto at = static_cast<std::size_t>(random.below(texts.size()));
    EXPECT_TRUE(anywhere.text(ids[at]).value() == texts[at]) << at;
  }
}

TEST(TextStore, keeps_its_texts_when_it_is_moved) {
  TextStore first;
  const TextStore::Id id = first.add(std::string(2'000'000, 'x')).value();
  const TextStore::Id last = first.add("last").value();
  TextStore second;
  second = std::move(first);
  TextStore::Reader reader(second);
  EXPECT_EQ(reader.text(id).value().size(), 2'000'000U);
  EXPECT_EQ(reader.text(last).value(), "last");
}

}  // namespace
}  // namespace fiducial
