#include "fiducial/reproduce/medthinkvqa_tables.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/metrics/diagnosis_contracts.h"

namespace fiducial {

namespace {

using Choice = std::function<bool(const ModelRun&)>;

// A model as it was asked, but for what a table varies.
struct Asker {
  std::string model;
  std::string effort;
  friend auto operator<=>(const Asker&, const Asker&) = default;
};

bool has_all_images(const ModelRun& run) { return run.images == 100.0; }
bool has_no_cue(const ModelRun& run) { return run.hints == "none" && run.summary_cue == "none"; }
bool is_direct(const ModelRun& run) { return run.workflow == "direct" && has_no_cue(run); }
bool is_plain(const ModelRun& run) { return is_direct(run) && has_all_images(run); }

// "--effort high", where one was sent.
std::string effort_words(const std::string& effort) { return effort.empty() ? "" : " --effort " + effort; }

std::string run_words(const std::string& workflow, const Asker& asker, const std::string& more = "") {
  return "fiducial run DIR --workflow " + workflow + " --model " + asker.model + effort_words(asker.effort) +
         more;
}

constexpr const char* judge_needed =
    "fiducial run DIR --workflow judge --predictions RUN, then score --verdicts JUDGE_RUN";

class Tables {
 public:
  Tables(const std::vector<ModelRun>& runs, const ModelFactsTable& facts) : runs_(runs), facts_(facts) {}

  ResultTable main_results() const {
    ResultTable out{.id = "main",
                    .title = "Main results",
                    .value = "accuracy in percent, 95 % interval",
                    .names = {"model", "effort"},
                    .columns = {"accuracy", "correct", "n"}};
    out.has_picture = false;
    for (const Asker& asker : askers(is_plain)) {
      const ResultCell accuracy = cell(of(asker, is_plain), "accuracy", run_words("direct", asker));
      ResultCell right{.missing = accuracy.missing};
      ResultCell all{.missing = accuracy.missing};
      if (accuracy.value && accuracy.value->value) {
        const auto n = static_cast<double>(accuracy.value->n);
        right.words = decimal(std::llround(*accuracy.value->value * n));
        all.words = decimal(accuracy.value->n);
      }
      out.rows.push_back({names_of(asker), {accuracy, right, all}});
    }
    return sorted_by_first(std::move(out));
  }

  ResultTable image_shares() const {
    ResultTable out{.id = "image_share",
                    .title = "Share of images shown",
                    .value = "accuracy in percent, 95 % interval",
                    .names = {"model", "effort"}};
    constexpr int shares[] = {0, 20, 40, 60, 80, 100};
    for (const int share : shares) out.columns.push_back(decimal(share) + " %");
    for (const Asker& asker : askers(is_direct)) {
      ResultRow row{.names = names_of(asker)};
      for (const int share : shares) {
        const Choice chosen = [share](const ModelRun& run) { return is_direct(run) && run.images == share; };
        row.cells.push_back(cell(of(asker, chosen), "accuracy",
                                 run_words("direct", asker, " --image-budget " + decimal(share) + "%")));
      }
      out.rows.push_back(std::move(row));
    }
    return out;
  }

  ResultTable efforts() const {
    constexpr const char* levels[] = {"none", "minimal", "low", "medium", "high", "xhigh"};
    ResultTable out{.id = "effort",
                    .title = "Reasoning effort and what it costs",
                    .value = "accuracy in percent, 95 % interval; output tokens a case",
                    .names = {"model", "of"},
                    .columns = {std::begin(levels), std::end(levels)}};
    for (const std::string& model :
         models([](const ModelRun& run) { return is_plain(run) && !run.effort.empty(); })) {
      ResultRow values{.names = {name_of(model), "accuracy"}};
      ResultRow tokens{.names = {name_of(model), "tokens"}};
      for (const char* level : levels) {
        const Asker asker{model, level};
        const ModelRun* run = of(asker, is_plain);
        values.cells.push_back(cell(run, "accuracy", run_words("direct", asker)));
        tokens.cells.push_back({.number = run == nullptr ? std::nullopt : run->output_tokens,
                                .missing = run_words("direct", asker)});
      }
      out.rows.push_back(std::move(values));
      out.rows.push_back(std::move(tokens));
    }
    return out;
  }

  ResultTable cues() const {
    struct Setting {
      const char* title;
      const char* hints;
      const char* summary;
    };
    constexpr Setting settings[] = {{"no cue", "none", "none"},           {"expert hints", "expert", "none"},
                                    {"expert summary", "none", "expert"}, {"expert both", "expert", "expert"},
                                    {"self hints", "self", "none"},       {"self summary", "none", "self"},
                                    {"self both", "self", "self"}};
    ResultTable out{.id = "cues",
                    .title = "Intermediate cues",
                    .value = "accuracy in percent, 95 % interval",
                    .names = {"model", "effort"}};
    for (const Setting& setting : settings) out.columns.emplace_back(setting.title);
    const Choice has_cue = [](const ModelRun& run) { return run.workflow == "twi" || !has_no_cue(run); };
    for (const Asker& asker : askers(has_cue)) {
      ResultRow row{.names = names_of(asker)};
      for (const Setting& setting : settings) {
        const Choice chosen = [&](const ModelRun& run) {
          const bool asks = run.workflow == "direct" || run.workflow == "twi";
          return asks && has_all_images(run) && run.hints == setting.hints &&
                 run.summary_cue == setting.summary;
        };
        row.cells.push_back(
            cell(of(asker, chosen), "accuracy",
                 run_words("twi", asker,
                           std::string(" --hints ") + setting.hints + " --summary " + setting.summary)));
      }
      out.rows.push_back(std::move(row));
    }
    return out;
  }

  ResultTable sizes() const {
    ResultTable out{.id = "size",
                    .title = "Size of open models",
                    .value = "accuracy in percent, 95 % interval",
                    .names = {"model", "family", "billions"},
                    .columns = {"accuracy"}};
    std::vector<std::pair<double, ResultRow>> rows;
    for (const Asker& asker : askers(is_plain)) {
      const ModelFacts* known = facts_of(asker.model);
      if (known != nullptr && known->has_open_weights == false) continue;
      const double billions = known != nullptr && known->billions ? *known->billions : 0;
      ResultRow row{.names = {joined_name(asker), known == nullptr ? "" : known->family,
                              billions > 0 ? shortest(billions) : ""},
                    .cells = {cell(of(asker, is_plain), "accuracy", run_words("direct", asker))}};
      if (billions <= 0) {
        row.cells.front().value.reset();
        row.cells.front().missing =
            "its size, in the table of --facts (columns model, family, billions, weights)";
      }
      rows.emplace_back(billions, std::move(row));
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [billions, row] : rows) out.rows.push_back(std::move(row));
    return out;
  }

  ResultTable errors() const {
    ResultTable out{.id = "errors",
                    .title = "Errors of reasoning steps",
                    .value = "percent of false steps, and of false steps that are critical",
                    .names = {"model", "steps"}};
    for (const StepErrorType& type : step_error_types) out.columns.emplace_back(type.label);
    for (const Asker& asker : askers(is_plain)) {
      for (const bool is_critical : {false, true}) {
        ResultRow row{.names = {joined_name(asker), is_critical ? "critical" : "all"}};
        for (const StepErrorType& type : step_error_types) {
          const std::string slot = "error_share_" + std::string(type.word) + (is_critical ? "_critical" : "");
          row.cells.push_back(cell(of(asker, is_plain), slot, judge_needed));
        }
        out.rows.push_back(std::move(row));
      }
    }
    return out;
  }

  ResultTable open_and_closed() const {
    ResultTable out{.id = "open_closed",
                    .title = "Open and closed weights",
                    .value = "best accuracy in percent, 95 % interval",
                    .names = {"weights"},
                    .columns = {"best", "model"}};
    for (const bool is_open : {true, false}) {
      const ModelRun* best = nullptr;
      for (const ModelRun& run : runs_) {
        const ModelFacts* known = facts_of(run.model);
        if (!is_plain(run) || known == nullptr || known->has_open_weights != is_open) continue;
        if (best == nullptr || accuracy_of(run) > accuracy_of(*best)) best = &run;
      }
      const std::string need =
          "a run of such a model, and its weights (open or closed) in the table of --facts";
      ResultCell model{.missing = need};
      if (best != nullptr) model.words = joined_name({best->model, best->effort});
      out.rows.push_back({{is_open ? "open" : "closed"}, {cell(best, "accuracy", need), model}});
    }
    out.has_picture = false;
    return out;
  }

  // The texts of Steps 1 and 2 beside what experts wrote.
  ResultTable intermediates() const {
    return slots_of_runs(
        {.id = "intermediates",
         .title = "Findings and summaries that a model writes",
         .value = "ROUGE-L in percent, 95 % interval"},
        {{"findings", "rouge_l_step1"}, {"summary", "rouge_l_step2"}},
        [](const ModelRun& run) {
          return run.workflow == "twi" && (run.hints == "self" || run.summary_cue == "self");
        },
        "fiducial run DIR --workflow twi --hints self --summary self, then score");
  }

  ResultTable steps() const {
    return slots_of_runs({.id = "steps",
                          .title = "Steps of reasoning as a judge sees them",
                          .value = "percent, 95 % interval"},
                         {{"factual", "step_factuality"},
                          {"critical factual", "critical_step_factuality"},
                          {"cases with a critical error", "critical_error_rate"},
                          {"right for the wrong reason", "right_for_wrong_reason"}},
                         is_plain, judge_needed);
  }

  ResultTable discussions() const {
    ResultTable out = slots_of_runs(
        {.id = "discussion",
         .title = "Case discussions",
         .value = "percent, 95 % interval; education value in points of 10"},
        {{"sections", "discussion_sections"},
         {"correct sentences", "discussion_sentence_correctness"},
         {"education value", "education_value"}},
        [](const ModelRun& run) { return run.workflow == "discussion"; },
        "fiducial run DIR --workflow judge-discussion --predictions RUN, then score --ratings JUDGE_RUN");
    for (ResultRow& row : out.rows) row.cells.back().factor = 1;
    out.has_picture = false;
    return out;
  }

  // Whether models know the cases: by their histories, and by what they answer without images.
  ResultTable contamination() const {
    struct Probe {
      const char* title;
      const char* workflow;
      const char* slot;
    };
    constexpr Probe probes[] = {{"known by heart", "meld", "history_known"},
                                {"similarity", "meld", "history_similarity"},
                                {"text only", "text-only", "accuracy"},
                                {"options only", "options-only", "accuracy"}};
    ResultTable out{.id = "contamination",
                    .title = "What models know without the images",
                    .value = "percent, 95 % interval",
                    .names = {"model", "effort"}};
    for (const Probe& probe : probes) out.columns.emplace_back(probe.title);
    const Choice is_probe = [&probes](const ModelRun& run) {
      return std::any_of(std::begin(probes), std::end(probes),
                         [&run](const Probe& probe) { return run.workflow == probe.workflow; });
    };
    for (const Asker& asker : askers(is_probe)) {
      ResultRow row{.names = names_of(asker)};
      for (const Probe& probe : probes) {
        const Choice chosen = [&probe](const ModelRun& run) { return run.workflow == probe.workflow; };
        row.cells.push_back(cell(of(asker, chosen), probe.slot, run_words(probe.workflow, asker)));
      }
      out.rows.push_back(std::move(row));
    }
    out.has_picture = false;
    return out;
  }

 private:
  struct Column {
    const char* title;
    const char* slot;
  };

  // One row an asker, one column a slot of its run.
  ResultTable slots_of_runs(ResultTable out, const std::vector<Column>& columns, const Choice& chosen,
                            const std::string& missing) const {
    out.names = {"model", "effort"};
    for (const Column& column : columns) out.columns.emplace_back(column.title);
    for (const Asker& asker : askers(chosen)) {
      ResultRow row{.names = names_of(asker)};
      for (const Column& column : columns) row.cells.push_back(cell(of(asker, chosen), column.slot, missing));
      out.rows.push_back(std::move(row));
    }
    return out;
  }

  std::vector<Asker> askers(const Choice& chosen) const {
    std::set<Asker> out;
    for (const ModelRun& run : runs_) {
      if (chosen(run)) out.insert({run.model, run.effort});
    }
    return {out.begin(), out.end()};
  }

  std::set<std::string> models(const Choice& chosen) const {
    std::set<std::string> out;
    for (const Asker& asker : askers(chosen)) out.insert(asker.model);
    return out;
  }

  // The first run of an asker that a table asks for.
  const ModelRun* of(const Asker& asker, const Choice& chosen) const {
    const auto found = std::find_if(runs_.begin(), runs_.end(), [&](const ModelRun& run) {
      return run.model == asker.model && run.effort == asker.effort && chosen(run);
    });
    return found == runs_.end() ? nullptr : &*found;
  }

  static ResultCell cell(const ModelRun* run, const std::string& slot, const std::string& missing) {
    ResultCell out{.missing = missing};
    if (run != nullptr) out.value = reported_value(run->summary.find("metrics"), slot);
    return out;
  }

  static double accuracy_of(const ModelRun& run) {
    const auto value = reported_value(run.summary.find("metrics"), "accuracy");
    return value && value->value ? *value->value : -1;
  }

  const ModelFacts* facts_of(const std::string& model) const {
    const auto found = facts_.find(model);
    return found == facts_.end() ? nullptr : &found->second;
  }

  std::string name_of(const std::string& model) const {
    const ModelFacts* known = facts_of(model);
    return known == nullptr || known->name.empty() ? model : known->name;
  }

  std::vector<std::string> names_of(const Asker& asker) const { return {name_of(asker.model), asker.effort}; }
  std::string joined_name(const Asker& asker) const {
    return name_of(asker.model) + (asker.effort.empty() ? "" : " " + asker.effort);
  }

  static ResultTable sorted_by_first(ResultTable table) {
    std::stable_sort(table.rows.begin(), table.rows.end(), [](const ResultRow& a, const ResultRow& b) {
      const auto of = [](const ResultRow& row) {
        const auto& value = row.cells.front().value;
        return value && value->value ? *value->value : -1;
      };
      return of(a) > of(b);
    });
    return table;
  }

  const std::vector<ModelRun>& runs_;
  const ModelFactsTable& facts_;
};

}  // namespace

std::vector<ResultTable> medthinkvqa_tables(const std::vector<ModelRun>& runs, const ModelFactsTable& facts) {
  const Tables tables(runs, facts);
  return {tables.main_results(),  tables.image_shares(),    tables.efforts(),      tables.cues(),
          tables.intermediates(), tables.sizes(),           tables.errors(),       tables.steps(),
          tables.discussions(),   tables.open_and_closed(), tables.contamination()};
}

}  // namespace fiducial
