#include "fiducial/jobs/forecast.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

constexpr double mega = 1e6;

std::string bytes_text(std::uint64_t bytes) {
  double value = static_cast<double>(bytes);
  std::string unit = "bytes";
  for (const char* next : {"kB", "MB", "GB", "TB"}) {
    if (value < 1000) break;
    value /= 1000;
    unit = next;
  }
  return (unit == "bytes" ? decimal(bytes) : fixed(value, value < 10 ? 1 : 0)) + ' ' + unit;
}

std::string seconds_text(double seconds) {
  if (seconds < 120) return fixed(seconds, seconds < 10 ? 1 : 0) + " s";
  if (seconds < 7200) return fixed(seconds / 60, 0) + " min";
  return fixed(seconds / 3600, 1) + " hours";
}

}  // namespace

JobForecast forecast(const JobPlan& plan, const std::map<std::string, std::uint64_t>& bytes_by_role,
                     const ForecastRates& rates) {
  JobForecast out{.cases = std::ssize(plan.cases),
                  .units = plan.units,
                  .bytes = plan.bytes(),
                  .bytes_by_role = bytes_by_role};
  std::vector<std::uint64_t> loads(static_cast<std::size_t>(plan.units));
  for (const JobCase& each : plan.cases) loads[static_cast<std::size_t>(each.unit)] += each.bytes;
  const auto bytes = static_cast<double>(out.bytes);
  out.opening_s = rates.opening_s * static_cast<double>(plan.units);
  out.core_s = bytes / mega / rates.mb_per_core_s + out.opening_s;
  out.store_s = bytes / mega / rates.store_mb_s;
  if (out.bytes > 0)
    out.largest_share = static_cast<double>(*std::max_element(loads.begin(), loads.end())) / bytes;
  // With more cores than this the store, or else the largest unit alone, takes as long as all of them.
  const double of_store = out.store_s > 0 ? out.core_s / out.store_s : static_cast<double>(plan.units);
  const double of_unit = out.largest_share > 0 ? 1 / out.largest_share : static_cast<double>(plan.units);
  out.most_cores = std::max<std::int64_t>(
      1, std::min(plan.units, static_cast<std::int64_t>(std::ceil(std::min(of_store, of_unit) - 1e-9))));
  return out;
}

Json JobForecast::json() const {
  Json roles = Json::object({});
  for (const auto& [role, count] : bytes_by_role) roles.set(role, count);
  return Json::object({{"cases", cases},
                       {"units", units},
                       {"bytes", bytes},
                       {"bytes_by_role", std::move(roles)},
                       {"core_seconds", core_s},
                       {"opening_seconds", opening_s},
                       {"store_seconds", store_s},
                       {"most_cores", most_cores},
                       {"largest_unit_share", largest_share}});
}

std::string JobForecast::text() const {
  std::string roles;
  for (const auto& [role, count] : bytes_by_role)
    roles += (roles.empty() ? " (" : ", ") + role + ' ' + bytes_text(count);
  if (!roles.empty()) roles += ')';
  std::string out =
      decimal(cases) + " cases in " + decimal(units) + " units, " + bytes_text(bytes) + roles + "\n";
  out += "forecast: about " + fixed(core_s / 3600, core_s < 36000 ? 2 : 1) + " core hours";
  if (opening_s > 0.05 * core_s)
    out += ", of them " + percent_text(opening_s / core_s, 0) +
           " to open the inputs once a unit: fewer units cost less";
  out += "\n          the store gives the bytes in " + seconds_text(store_s) + "; more than " +
         decimal(most_cores) + (most_cores == 1 ? " core does" : " cores do") + " not help\n";
  return out;
}

}  // namespace fiducial
