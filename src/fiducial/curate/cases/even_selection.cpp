#include "fiducial/curate/cases/even_selection.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace fiducial {

namespace {

// How often each label of each kind was taken.
class TakenLabels {
 public:
  explicit TakenLabels(const std::vector<CaseLabels>& cases) {
    for (const CaseLabels& labels : cases) {
      counts_.resize(labels.size());
      for (std::size_t kind = 0; kind < labels.size(); ++kind) {
        for (const std::string& label : labels[kind]) counts_[kind][label] = 0;
      }
    }
  }

  // How much more often than others of its kind a case's labels were taken, added up over kinds: a kind of
  // few labels has greater counts, and matters the same.
  double cost(const CaseLabels& labels) const {
    double out = 0;
    for (std::size_t kind = 0; kind < labels.size(); ++kind) {
      double sum = 0;
      for (const std::string& label : labels[kind]) sum += counts_[kind].at(label);
      out += sum * static_cast<double>(counts_[kind].size()) / static_cast<double>(labels[kind].size());
    }
    return out;
  }

  void take(const CaseLabels& labels) {
    for (std::size_t kind = 0; kind < labels.size(); ++kind) {
      for (const std::string& label : labels[kind]) counts_[kind][label] += 1;
    }
  }

 private:
  std::vector<std::map<std::string, double>> counts_;
};

}  // namespace

std::vector<std::size_t> evenly_selected(const std::vector<CaseLabels>& cases, std::size_t wanted,
                                         PythonRandom& random) {
  std::vector<std::size_t> order(cases.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(order);
  std::map<CaseLabels, std::vector<std::size_t>> alike;  // cases of the same labels wait in one line
  for (const std::size_t at : order) alike[cases[at]].push_back(at);
  TakenLabels taken(cases);
  std::vector<std::size_t> out;
  while (out.size() < std::min(wanted, cases.size())) {
    auto best = alike.end();
    double least = 0;
    for (auto each = alike.begin(); each != alike.end(); ++each) {
      const double cost = taken.cost(each->first);
      if (best != alike.end() && cost >= least) continue;
      best = each;
      least = cost;
    }
    taken.take(best->first);
    out.push_back(best->second.back());
    best->second.pop_back();
    if (best->second.empty()) alike.erase(best);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace fiducial
