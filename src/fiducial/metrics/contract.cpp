#include "fiducial/metrics/contract.h"

#include "fiducial/metrics/control_contracts.h"
#include "fiducial/metrics/diagnosis_contracts.h"
#include "fiducial/metrics/metric.h"
#include "fiducial/metrics/table_contracts.h"
#include "fiducial/metrics/text_metric.h"

namespace fiducial {

std::string_view to_string(Direction direction) {
  constexpr std::string_view names[] = {"higher", "lower", "none"};
  return names[static_cast<std::size_t>(direction)];
}

std::string_view to_string(Scorer scorer) { return scorer == Scorer::strict ? "strict" : "official"; }

std::vector<MetricContract> all_contracts() {
  std::vector<MetricContract> out;
  for (const MaskMetric& metric : all_mask_metrics()) out.push_back(metric.contract);
  for (const TextMetric& metric : all_text_metrics()) out.push_back(metric.contract);
  for (const MetricContract& contract : diagnosis_contracts()) out.push_back(contract);
  for (const MetricContract& contract : table_contracts()) out.push_back(contract);
  for (const MetricContract& contract : control_contracts()) out.push_back(contract);
  return out;
}

Json contract_json(const MetricContract& contract) {
  return Json::object({{"id", contract.id},
                       {"title", contract.title},
                       {"version", contract.version},
                       {"scorer", to_string(contract.scorer)},
                       {"input", contract.input},
                       {"group", contract.group},
                       {"better", to_string(contract.better)},
                       {"range", contract.range},
                       {"unit", contract.unit},
                       {"definition", contract.definition},
                       {"parameters", contract.parameters},
                       {"valid_for", contract.valid_for},
                       {"needs_spacing", contract.needs_spacing},
                       {"empty", Json::object({{"both", contract.empty.both},
                                               {"reference", contract.empty.reference},
                                               {"prediction", contract.empty.prediction},
                                               {"missing", contract.empty.missing}})},
                       {"less_is_never_better", contract.less_is_never_better},
                       {"citation", contract.citation}});
}

}  // namespace fiducial
