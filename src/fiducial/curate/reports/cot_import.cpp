#include "fiducial/curate/reports/cot_import.h"

#include <algorithm>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/curate/reports/reply_words.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"

namespace fiducial {

namespace {

std::size_t low_of(BoxOrder order, std::size_t axis) { return order == BoxOrder::corners ? axis : 2 * axis; }
std::size_t high_of(BoxOrder order, std::size_t axis) {
  return order == BoxOrder::corners ? axis + 3 : 2 * axis + 1;
}

bool ordered(const WrittenBox& box, BoxOrder order) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (box[low_of(order, axis)] > box[high_of(order, axis)]) return false;
  }
  return true;
}

// Whether the chain keeps to the side that the finding names; nothing where it names none or both.
std::optional<bool> keeps_side(const PublishedChain& chain, const std::string& statement) {
  const NamedSides said = sides_in(statement);
  if (said.left == said.right) return std::nullopt;
  bool same = false;
  bool other = false;
  for (const std::string& text : chain.texts) {
    const NamedSides step = sides_in(text);
    if ((step.left && step.right) || text == statement) continue;
    same = same || (said.left ? step.left : step.right);
    other = other || (said.left ? step.right : step.left);
  }
  if (!same && !other) return std::nullopt;
  return same || !other;
}

// Statements and splits of a dataset, by volume.
class KnownFindings {
 public:
  static Result<KnownFindings> open(StageCall& call) {
    KnownFindings known;
    if (!call.has("findings")) return known;
    FIDUCIAL_TRY(const rexgroundingct::Dataset dataset, rexgroundingct::Dataset::open(call.text("findings")));
    call.record_input("findings", dataset.folder() / dataset.file_name(), dataset.digest());
    for (const auto& [split, cases] : dataset.content().splits) {
      for (const GroundedCase& entry : cases) {
        KnownCase& known_case = known.cases_.try_emplace(entry.name).first->second;
        if (known_case.split.empty()) known_case.split = split;
        for (const Finding& finding : entry.findings)
          known_case.statements.try_emplace(decimal(finding.index), finding.text);
      }
    }
    return known;
  }

  std::string split_of(const PublishedChain& chain) const {
    const auto found = cases_.find(chain.volume);
    return found != cases_.end() ? found->second.split : chain.split;
  }

  std::string statement_of(const PublishedChain& chain) const {
    if (const auto found = cases_.find(chain.volume); found != cases_.end()) {
      const auto statement = found->second.statements.find(chain.finding);
      if (statement != found->second.statements.end()) return statement->second;
    }
    return chain.texts.empty() ? "" : chain.texts.front();
  }

 private:
  struct KnownCase {
    std::string split;
    std::map<std::string, std::string> statements;  // by finding
  };

  std::map<std::string, KnownCase> cases_;
};

Json verdict(std::optional<bool> holds) {
  return holds ? Json(*holds ? "holds" : "violated") : Json("unknown");
}

Json box_json(const WrittenBox& box, BoxOrder order) {
  Json low = Json::Array{};
  Json high = Json::Array{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    low.push(box[low_of(order, axis)]);
    high.push(box[high_of(order, axis)]);
  }
  return Json::array({std::move(low), std::move(high)});
}

ItemStatus status_of_import(std::optional<bool> contained, std::optional<bool> side, bool leaks,
                            const PublishedChain& chain) {
  if (leaks)
    return {.status = "rejected", .code = "test_leak", .detail = "boxes of a private test case are public"};
  if (side == false) {
    return {.status = "rejected", .code = "side_conflict", .detail = "the chain names the other side only"};
  }
  if (contained == false) {
    return {.status = "rejected", .code = "not_contained", .detail = "a box leaves the one before"};
  }
  if (chain.boxes.empty()) return {.status = "ok", .code = "no_box", .detail = "a chain without a box"};
  return {};
}

}  // namespace

std::optional<BoxOrder> box_order(const std::vector<PublishedChain>& chains) {
  for (const BoxOrder order : {BoxOrder::corners, BoxOrder::axes}) {
    const bool fits = std::all_of(chains.begin(), chains.end(), [order](const PublishedChain& chain) {
      return std::all_of(chain.boxes.begin(), chain.boxes.end(),
                         [order](const auto& box) { return ordered(box, order); });
    });
    if (fits) return order;
  }
  return std::nullopt;
}

std::optional<bool> boxes_contained(const PublishedChain& chain, BoxOrder order) {
  if (chain.boxes.size() < 2) return std::nullopt;
  for (std::size_t i = 1; i < chain.boxes.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t low = low_of(order, axis);
      const std::size_t high = high_of(order, axis);
      if (chain.boxes[i][low] < chain.boxes[i - 1][low] || chain.boxes[i][high] > chain.boxes[i - 1][high]) {
        return false;
      }
    }
  }
  return true;
}

Outcome import_chains(StageCall& call) {
  const Path path = call.text("REPORTS");
  FIDUCIAL_TRY(const std::string text, call.read_input("REPORTS", path));
  FIDUCIAL_TRY(const Json document, parse_json(text).in_file(path.string()));
  const std::vector<PublishedChain> chains = find_published_chains(document);
  if (chains.empty()) {
    return Error(ErrorCode::invalid_data,
                 "no chain was found: expected volumes (train_12_a_1.nii.gz) with findings keyed by numbers",
                 Place{.path = path.string()});
  }
  FIDUCIAL_TRY(const KnownFindings known, KnownFindings::open(call));
  FIDUCIAL_TRY(OutputFile * lines, call.output().add("chains.jsonl"));
  const std::optional<BoxOrder> order = box_order(chains);
  std::int64_t index = 0;
  for (const PublishedChain& chain : chains) {
    const std::string split = known.split_of(chain);
    const std::string statement = known.statement_of(chain);
    const std::optional<bool> contained = order ? boxes_contained(chain, *order) : std::nullopt;
    const std::optional<bool> side = keeps_side(chain, statement);
    const bool leaks = split == "test" && !chain.boxes.empty();
    Json boxes = Json::Array{};
    for (const auto& box : chain.boxes) boxes.push(box_json(box, order.value_or(BoxOrder::corners)));
    Json texts = Json::strings(chain.texts);
    const Json line = Json::object({{"schema", "fiducial.imported_chain/1"},
                                    {"volume", chain.volume},
                                    {"split", split},
                                    {"finding", chain.finding},
                                    {"pointer", chain.pointer},
                                    {"statement", statement},
                                    {"texts", std::move(texts)},
                                    {"boxes", std::move(boxes)},
                                    {"odd_boxes", chain.odd_boxes},
                                    {"containment", verdict(contained)},
                                    {"side", verdict(side)},
                                    {"leak", leaks}});
    FIDUCIAL_TRY_DONE(lines->write(line.compact() + "\n"));
    FIDUCIAL_TRY_DONE(call.record(index++, chain.volume + "/" + chain.finding,
                                  status_of_import(contained, side, leaks, chain)));
  }
  call.summary().set("box_order", order ? Json(*order == BoxOrder::corners ? "corners" : "axes") : Json());
  call.summary().set("frame", "unknown: the document does not say; boxes are kept as written");
  return done();
}

}  // namespace fiducial
