#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fiducial/base/progress.h"
#include "fiducial/datasets/medthinkvqa/case_pictures.h"
#include "fiducial/views/view_policy.h"
#include "fiducial/workflows/chosen_endpoint.h"
#include "fiducial/workflows/cues.h"
#include "fiducial/workflows/judged_steps.h"
#include "fiducial/workflows/picture_store.h"

namespace fiducial {

// A case that is asked about.
struct AskedCase {
  std::string title;
  ShownCase shown;
  GivenCues cues;
  std::shared_ptr<const CaseToJudge> judged = {};
  std::string region = {};  // of a scan: what the question is about, by its path
  bool names_key = false;   // a cue of an expert holds the text of the key
  std::string problem;      // why it cannot be asked about: a picture that is missing or cannot be read
};

// A run with all it needs in hand: nothing was asked yet.
class PreparedRun {
 public:
  // Reads cases and prompts, and puts the pictures into the run's folder; with `keeps_nothing` they stay
  // where they are. Refuses what the dataset's terms forbid where the endpoint is another machine.
  static Result<PreparedRun> prepare(RunRequest request, bool keeps_nothing, Progress& progress);

  const RunRequest& request() const { return request_; }
  const Workflow& workflow() const { return *workflow_; }
  const AskedAs& asked() const { return *asked_; }
  const PromptSet& prompts() const { return *prompts_; }
  const std::vector<AskedCase>& cases() const { return cases_; }
  const std::optional<ViewPolicy>& view() const { return view_; }
  const PictureStore& pictures() const { return *pictures_; }
  const ChosenEndpoint& chosen() const { return chosen_; }
  const Vendor& vendor() const { return *chosen_.vendor; }
  const std::optional<Endpoint>& endpoint() const { return chosen_.endpoint; }
  const std::optional<Price>& price() const { return chosen_.price; }
  std::int64_t items() const { return static_cast<std::int64_t>(cases_.size()) * request_.samples; }

  // All that the requests depend on; a journal belongs to one plan. Which of the cases are asked about is no
  // part of it: more may follow.
  Json plan() const;
  Json dataset_json() const;
  bool shows_experts() const;  // what experts wrote is shown, by a switch or through an earlier run

  std::unique_ptr<Dialogue> begin_dialogue(const AskedCase& asked_case, std::int64_t sample) const;

 private:
  explicit PreparedRun(RunRequest request) : request_(std::move(request)) {}
  Outcome read_view();
  bool leaves_this_machine() const { return endpoint() && !endpoint()->is_loopback(); }
  Outcome take_folder(bool keeps_nothing);
  Outcome read_cases(bool keeps_nothing, Progress& progress);
  Outcome read_scans(bool keeps_nothing, Progress& progress);
  Outcome read_pictures(const DiagnosisSplit& split, Progress& progress);
  Outcome add_picture(AskedCase& asked_case, medthinkvqa::CasePicture picture);
  Outcome read_words();
  Outcome read_judged();
  void add_judged(const DiagnosisCase& entry, AskedCase& asked_case) const;
  Outcome choose_cues();
  std::string cue_text(const CueChoice& choice, bool passes_on_experts) const;
  bool opens_expert_texts() const;  // a switch asks for them
  Outcome add_cues(const DiagnosisCase& entry, AskedCase& asked_case);

  RunRequest request_;
  std::shared_ptr<OutputLock> lock_;  // of the folder, where anything is kept
  const Workflow* workflow_ = nullptr;
  ChosenEndpoint chosen_;
  std::shared_ptr<const PromptSet> prompts_;
  std::shared_ptr<AskedAs> asked_;
  std::shared_ptr<PictureStore> pictures_;
  std::optional<JudgedSteps> judged_steps_;
  std::optional<ViewPolicy> view_;
  CueChoice hints_;
  CueChoice summary_;
  std::map<Path, EarlierTexts> earlier_;
  std::vector<AskedCase> cases_;
  std::map<std::int64_t, std::size_t> numbers_;  // places of cases, by their numbers
  std::string benchmark_;
  std::string split_;
  std::string split_file_;
  std::string split_sha256_;
  std::int64_t cases_of_split_ = 0;
};

// The cases that a request asks about, in its order, by the names that its list of cases takes: titles, and
// of scans the names of their files. No picture is read.
Result<std::vector<std::string>> asked_names(const RunRequest& request);

}  // namespace fiducial
