#include "fiducial/workflows/image_budget.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

// The first, the last, then the middle of the widest gap, and so on: every beginning of this order is spread
// over all images as evenly as it can be while it grows one by one.
std::vector<std::size_t> spread_order(std::size_t images) {
  std::vector<std::size_t> out{0};
  if (images > 1) out.push_back(images - 1);
  while (out.size() < images) {
    std::vector<std::size_t> taken = out;
    std::sort(taken.begin(), taken.end());
    std::size_t widest = 0;
    for (std::size_t i = 1; i + 1 < taken.size(); ++i) {
      if (taken[i + 1] - taken[i] > taken[widest + 1] - taken[widest]) widest = i;
    }
    out.push_back((taken[widest] + taken[widest + 1]) / 2);
  }
  return out;
}

}  // namespace

Result<ImageBudget> ImageBudget::parse(const std::string& text, const std::string& rule) {
  ImageBudget out{.rule = rule == "prefix" ? Rule::prefix : Rule::spread};
  if (text.ends_with('%')) {
    const auto percent = parse_double(std::string_view(text).substr(0, text.size() - 1));
    if (!percent || !(*percent >= 0 && *percent <= 100))
      return bad_usage("--image-budget: \"" + text + "\" is no share from 0% to 100%");
    out.share = *percent / 100;
    return out;
  }
  const auto count = parse_unsigned(text);
  if (!count || *count > 1000)
    return bad_usage("--image-budget: \"" + text + "\" is no share (60%) and no count (8)");
  out.is_share = false;
  out.count = static_cast<std::int64_t>(*count);
  return out;
}

std::size_t ImageBudget::shown_of(std::size_t images) const {
  if (images == 0) return 0;
  if (!is_share) return std::min(images, static_cast<std::size_t>(count));
  if (share <= 0) return 0;
  const auto rounded = static_cast<std::size_t>(std::floor(share * static_cast<double>(images) + 0.5));
  return std::clamp<std::size_t>(rounded, 1, images);
}

std::vector<std::size_t> ImageBudget::chosen(std::size_t images) const {
  const std::size_t shown = shown_of(images);
  if (shown == 0) return {};
  std::vector<std::size_t> order(images);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (rule == Rule::spread) order = spread_order(images);
  order.resize(shown);
  std::sort(order.begin(), order.end());
  return order;
}

std::string ImageBudget::text() const {
  const std::string amount = is_share ? shortest(share * 100) + "%" : decimal(count);
  return amount + (rule == Rule::spread ? " spread/1" : " prefix/1");
}

}  // namespace fiducial
