#include "fiducial/eval/task/metadata_groups.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/dicom_age.h"

namespace fiducial {

namespace {

using Kind = GroupColumn::Kind;

constexpr std::array kind_names{"text", "values", "decades", "bins"};
constexpr std::array own_kinds{"category", "focality", "size_voxels", "entities", "protocol"};
constexpr std::size_t most_bins = 8;
constexpr double oldest_years = 150;
constexpr double unknown_order = 1e18;  // after every label

// A finite number of a size that can be told apart from its neighbours.
std::optional<double> parse_number(std::string_view text) {
  const auto number = parse_double(text);
  return number && std::abs(*number) <= 1e15 ? number : std::nullopt;
}

bool is_named_age(std::string_view column) { return column.ends_with("Age") || column.ends_with("age"); }

// Labels stand in terminals and tables: one line, no control bytes.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

// A label, or nothing where the value is not of the kind.
std::optional<GroupLabel> label_within(const GroupColumn& column, const std::string& value) {
  GroupLabel out{.column = column.column};
  if (column.kind == Kind::text) {
    out.label = one_line(value);
    if (out.label == unknown_group) return std::nullopt;
    return out;
  }
  const auto number = column.kind == Kind::values ? parse_number(value) : parse_age_years(value);
  if (!number) return std::nullopt;
  if (column.kind == Kind::values) {
    out.order = *number + 0.0;  // no negative zero
    out.label = shortest(out.order);
  } else if (column.kind == Kind::decades) {
    if (*number < 0 || *number > oldest_years) return std::nullopt;
    const auto decade = static_cast<std::int64_t>(*number / 10) * 10;
    out.label = decimal(decade) + "-" + decimal(decade + 9);
    out.order = static_cast<double>(decade);
  } else {
    const auto& edges = column.edges;
    const auto bin = std::upper_bound(edges.begin(), edges.end(), *number) - edges.begin();
    const auto at = static_cast<std::size_t>(bin);
    out.order = static_cast<double>(bin);
    out.label = at == 0              ? "<" + shortest(edges.front())
                : at == edges.size() ? ">=" + shortest(edges.back())
                                     : shortest(edges[at - 1]) + "-<" + shortest(edges[at]);
  }
  return out;
}

// What the cells of a column are.
struct ColumnFacts {
  std::size_t present = 0;
  std::size_t dicom_ages = 0;
  std::size_t numbers = 0;
  std::set<double> distinct;  // numbers, no more than one beyond those that stay single groups
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();

  bool most(std::size_t count) const { return present > 0 && count * 10 >= present * 9; }
};

ColumnFacts facts_of(const VolumeMetadata& metadata, std::size_t column) {
  ColumnFacts out;
  for (std::size_t row = 0; row < metadata.table().rows(); ++row) {
    const auto value = metadata.value(row, column);
    if (!value) continue;
    ++out.present;
    out.dicom_ages += parse_dicom_age(*value) ? 1U : 0U;
    const auto number = parse_number(*value);
    if (!number) continue;
    ++out.numbers;
    out.least = std::min(out.least, *number);
    out.greatest = std::max(out.greatest, *number);
    if (out.distinct.size() <= most_bins) out.distinct.insert(*number);
  }
  return out;
}

// Multiples of a round width that leave at most eight bins.
std::vector<double> round_edges(double least, double greatest) {
  const double step = (greatest - least) / static_cast<double>(most_bins - 1);
  const double power = std::pow(10.0, std::floor(std::log10(step)));
  double width = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= step) {
      width = factor * power;
      break;
    }
  }
  std::vector<double> out;
  const double first = std::floor(least / width) + 1;
  for (std::size_t i = 0; i < most_bins; ++i) {
    const double edge = (first + static_cast<double>(i)) * width;
    if (edge > greatest) break;
    // 3 * 0.1 is written as 0.3.
    const int digits = std::clamp(3 - static_cast<int>(std::floor(std::log10(width))), 0, 17);
    out.push_back(parse_double(fixed(edge, digits)).value_or(edge));
  }
  return out;
}

Result<std::vector<double>> parse_edges(const std::string& word, std::string_view text) {
  std::vector<double> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    const auto edge = parse_number(text.substr(begin, end - begin));
    if (!edge || (!out.empty() && *edge <= out.back())) {
      return bad_usage("--group-by \"" + word + "\": expected a column and ascending edges such as " +
                       word.substr(0, word.find(':')) + ":1:2.5");
    }
    out.push_back(*edge);
    begin = end + 1;
  }
  return out;
}

Outcome check_own_kinds(const std::string& column) {
  if (std::find(own_kinds.begin(), own_kinds.end(), column) == own_kinds.end()) return done();
  return bad_usage("--group-by " + column + ": every run has groups of this name already");
}

}  // namespace

GroupLabel GroupColumn::label(const std::optional<std::string>& value) const {
  if (value) {
    if (auto found = label_within(*this, *value)) return *std::move(found);
  }
  return {column, unknown_group, unknown_order};
}

std::optional<double> parse_age_years(std::string_view text) {
  const auto age = parse_dicom_age(text);
  return age ? age : parse_number(text);
}

Result<GroupColumn> resolve_group_column(const VolumeMetadata& metadata, const std::string& word) {
  GroupColumn out{.column = word};
  const std::size_t colon = word.find(':');
  if (colon != std::string::npos && !metadata.table().find_column(word)) {
    out.column = word.substr(0, colon);
    FIDUCIAL_TRY(out.edges, parse_edges(word, std::string_view(word).substr(colon + 1)));
    out.kind = Kind::bins;
  }
  if (out.column.empty()) return bad_usage("--group-by: expected the name of a column, found none");
  FIDUCIAL_TRY_DONE(check_own_kinds(out.column));
  FIDUCIAL_TRY(const std::size_t column, metadata.column(out.column));
  if (out.kind == Kind::bins) return out;
  const ColumnFacts facts = facts_of(metadata, column);
  if (facts.most(facts.dicom_ages) || (is_named_age(out.column) && facts.most(facts.numbers))) {
    out.kind = Kind::decades;
  } else if (facts.most(facts.numbers)) {
    out.kind = facts.distinct.size() <= most_bins ? Kind::values : Kind::bins;
    if (out.kind == Kind::bins) out.edges = round_edges(facts.least, facts.greatest);
  }
  return out;
}

Result<std::vector<GroupColumn>> resolve_group_columns(const VolumeMetadata& metadata,
                                                       const std::vector<std::string>& words) {
  std::vector<GroupColumn> out;
  for (const std::string& word : words) {
    FIDUCIAL_TRY(GroupColumn column, resolve_group_column(metadata, word));
    for (const GroupColumn& earlier : out) {
      if (earlier.column == column.column) return bad_usage("--group-by names " + column.column + " twice");
    }
    out.push_back(std::move(column));
  }
  return out;
}

Json to_json(const GroupColumn& column) {
  Json out =
      Json::object({{"column", column.column}, {"as", kind_names[static_cast<std::size_t>(column.kind)]}});
  if (column.kind != Kind::bins) return out;
  Json edges = Json(Json::Array{});
  for (const double edge : column.edges) edges.push(edge);
  return out.set("edges", std::move(edges));
}

Result<GroupColumn> parse_group_column(const Json& value) {
  GroupColumn out;
  FIDUCIAL_TRY(const Json* column, required_field(value, "column", "/group_by"));
  FIDUCIAL_TRY(out.column, expect_string(*column, "/group_by/column"));
  FIDUCIAL_TRY(const Json* as, required_field(value, "as", "/group_by"));
  FIDUCIAL_TRY(const std::string kind, expect_string(*as, "/group_by/as"));
  const auto known = std::find(kind_names.begin(), kind_names.end(), kind);
  if (known == kind_names.end()) {
    return at_pointer("/group_by/as", "expected text, values, decades or bins, found \"" + kind + "\"");
  }
  out.kind = static_cast<Kind>(known - kind_names.begin());
  if (out.kind != Kind::bins) return out;
  FIDUCIAL_TRY(const Json* edges, required_field(value, "edges", "/group_by"));
  FIDUCIAL_TRY(const Json::Array* items, expect_array(*edges, "/group_by/edges"));
  for (const Json& item : *items) {
    const auto edge = item.as_number();
    if (!edge || (!out.edges.empty() && *edge <= out.edges.back())) {
      return at_pointer("/group_by/edges", "expected ascending numbers");
    }
    out.edges.push_back(*edge);
  }
  if (out.edges.empty()) return at_pointer("/group_by/edges", "expected at least one number");
  return out;
}

std::vector<GroupLabel> group_labels(const std::vector<GroupColumn>& columns, const VolumeMetadata& metadata,
                                     const std::string& volume_name) {
  std::vector<GroupLabel> out;
  const auto row = metadata.find(volume_name);
  for (const GroupColumn& column : columns) {
    const auto at = metadata.table().find_column(column.column);
    out.push_back(column.label(row && at ? metadata.value(*row, *at) : std::nullopt));
  }
  return out;
}

}  // namespace fiducial
