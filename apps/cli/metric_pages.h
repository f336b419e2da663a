#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fiducial/metrics/contract.h"

namespace fiducial::cli {

// Everything a metric promises, as names and values for people, in one order everywhere.
std::vector<std::pair<std::string, std::string>> contract_rows(const MetricContract& contract);

// A Markdown file and its name in docs/metrics.
struct Page {
  std::string file;
  std::string text;
};

// README.md with a table of all metrics, and one page for every group in order of first appearance.
std::vector<Page> metric_pages(const std::vector<MetricContract>& contracts);

}  // namespace fiducial::cli
