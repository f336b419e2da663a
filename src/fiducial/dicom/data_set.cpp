#include "fiducial/dicom/data_set.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"

namespace fiducial {

namespace {

constexpr std::string_view text_padding{" \0", 2};

auto place_in(const std::vector<DicomElement>& elements, DicomTag tag) {
  return std::lower_bound(elements.begin(), elements.end(), tag,
                          [](const DicomElement& element, DicomTag wanted) { return element.tag < wanted; });
}

template <typename T>
std::string packed(std::initializer_list<T> values) {
  std::string out(values.size() * sizeof(T), '\0');
  std::size_t at = 0;
  for (const T value : values) {
    store(std::as_writable_bytes(std::span(out)), at, value);
    at += sizeof(T);
  }
  return out;
}

}  // namespace

std::string dicom_tag_text(DicomTag tag) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "(";
  for (int shift = 28; shift >= 0; shift -= 4) {
    out += digits[tag >> static_cast<unsigned>(shift) & 0xFU];
    if (shift == 16) out += ',';
  }
  return out + ")";
}

const DicomElement* DicomDataSet::find(DicomTag tag) const {
  const auto found = place_in(elements_, tag);
  return found != elements_.end() && found->tag == tag ? &*found : nullptr;
}

std::string DicomDataSet::text(DicomTag tag) const {
  const DicomElement* element = find(tag);
  return element == nullptr ? std::string() : std::string(trimmed(element->value, text_padding));
}

std::vector<std::string> DicomDataSet::texts(DicomTag tag) const {
  std::vector<std::string> out;
  const std::string whole = text(tag);
  for (std::string_view rest = whole; !whole.empty();) {
    const std::size_t end = rest.find('\\');
    out.emplace_back(trimmed(rest.substr(0, end), text_padding));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return out;
}

Result<std::vector<double>> DicomDataSet::numbers(DicomTag tag, std::size_t wanted) const {
  std::vector<double> out;
  for (const std::string& part : texts(tag)) {
    const auto number = parse_double(part.starts_with('+') ? std::string_view(part).substr(1) : part);
    if (!number || !std::isfinite(*number)) return invalid_data(dicom_tag_text(tag) + ": expected numbers");
    out.push_back(*number);
  }
  if (out.size() == wanted) return out;
  return invalid_data(dicom_tag_text(tag) + ": " + decimal(out.size()) + " numbers, expected " +
                      decimal(wanted));
}

std::optional<std::uint16_t> DicomDataSet::number16(DicomTag tag) const {
  const DicomElement* element = find(tag);
  if (element == nullptr || element->value.size() < 2) return std::nullopt;
  return load<std::uint16_t>(as_bytes(element->value), 0);
}

std::optional<std::int64_t> DicomDataSet::integer_text(DicomTag tag) const {
  return parse_integer(text(tag));
}

const std::vector<DicomDataSet>& DicomDataSet::items(DicomTag tag) const {
  static const std::vector<DicomDataSet> none;
  const DicomElement* element = find(tag);
  return element == nullptr ? none : element->items;
}

const DicomDataSet* DicomDataSet::first_item(DicomTag tag) const {
  const auto& all = items(tag);
  return all.empty() ? nullptr : &all.front();
}

void DicomDataSet::put(DicomElement element) {
  const auto at = elements_.begin() + (place_in(elements_, element.tag) - elements_.cbegin());
  if (at != elements_.end() && at->tag == element.tag) {
    *at = std::move(element);
  } else {
    elements_.insert(at, std::move(element));
  }
}

void DicomDataSet::set(DicomTag tag, std::string_view kind, std::string_view value) {
  std::string padded(value);
  if (padded.size() % 2 != 0) padded += kind == "UI" || kind == "OB" || kind == "UN" ? '\0' : ' ';
  put({tag, std::string(kind), std::move(padded), {}});
}

void DicomDataSet::set16(DicomTag tag, std::initializer_list<std::uint16_t> values) {
  put({tag, "US", packed(values), {}});
}

void DicomDataSet::set32(DicomTag tag, std::initializer_list<std::uint32_t> values) {
  put({tag, "UL", packed(values), {}});
}

void DicomDataSet::set_items(DicomTag tag, std::vector<DicomDataSet> items) {
  put({tag, "SQ", {}, std::move(items)});
}

void DicomDataSet::erase(DicomTag tag) {
  std::erase_if(elements_, [tag](const DicomElement& element) { return element.tag == tag; });
}

}  // namespace fiducial
