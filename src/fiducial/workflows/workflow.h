#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fiducial/workflows/exchange.h"
#include "fiducial/workflows/shown_case.h"

namespace fiducial {

enum class ImageLayout { text_first, images_first };

// What all questions of a run have in common.
struct AskedAs {
  std::string model;
  Json parameters = Json::Object{};
  bool with_schema = true;
  std::int64_t re_asks = 1;
  ImageLayout layout = ImageLayout::text_first;
  bool labels_images = true;  // "Image 3:" stands before each
  CueSource hints = CueSource::none;
  CueSource summary = CueSource::none;
  bool recovers = false;  // one more turn asks for the letter where an answer cannot be read
  bool goes_on_with_holes =
      false;  // a finding that could not be had is told to be missing, and the case goes on
  const PromptSet* prompts = nullptr;
};

// What came of the questions about a case.
struct CaseAnswer {
  Json fields = Json::Object{};  // of its line in predictions.jsonl, behind the title
  std::vector<std::pair<std::string, std::string>> failures;  // step and reason
  std::vector<std::string> holes;                             // what is missing of an answer that stands
  // "json", "text" where the reply kept to no form, "recovered" where a second turn gave the letter
  std::string form = "json";
  TokenUsage usage;
  std::int64_t calls = 0;
  std::vector<std::string> finishes;

  bool has_answer() const { return failures.empty(); }
};

// The questions about one case, in their order: some wait for replies to others.
class Dialogue {
 public:
  explicit Dialogue(const AskedAs& asked) : asked_(&asked) {}
  virtual ~Dialogue() = default;
  Dialogue(const Dialogue&) = delete;
  Dialogue& operator=(const Dialogue&) = delete;

  struct Opened {
    std::size_t exchange = 0;
    std::string step;
    ChatRequest request;
  };
  // Every question that can be asked now and was not handed out yet.
  std::vector<Opened> open_questions();
  void hear(std::size_t exchange, const Heard& heard);
  bool is_finished() const;
  virtual CaseAnswer answer() const = 0;

 protected:
  // Called when exchanges ended; may begin more of them.
  virtual void go_on() {}
  std::size_t begin(std::string step, ChatRequest request);
  // Begins the question whose answer is the letter of an option.
  std::size_t begin_answer(ChatRequest request, const InferenceView& view);
  const Exchange& exchange(std::size_t at) const { return exchanges_[at]; }
  const AskedAs& asked() const { return *asked_; }
  // What all exchanges together took and suffered.
  CaseAnswer answer_so_far() const;

 private:
  const AskedAs* asked_;
  std::vector<Exchange> exchanges_;
};

struct CaseToJudge;  // judged_steps.h
struct DatasetAdapter;
class PreparedRun;

// Questions about one scan that are asked together, with what the pictures are to show of it.
struct ScanItem {
  std::string title;
  std::string scan;    // the volume's file name
  std::string region;  // a path of the anatomy; "" for the whole scan
  std::vector<ShownQuestion> questions;
};

// What is asked about the scans of a split.
struct ScanSplit {
  std::string name;
  std::string file;    // or files, by comma
  std::string sha256;  // of them
  std::vector<ScanItem> items;
};

// An item with its answer.
struct AnsweredItem {
  std::string scan;
  const ShownCase* shown = nullptr;
  Json fields;
};

// A way of asking about scans: what a dataset asks, without its answers, and the form that answers are scored
// in.
struct ScanQuestions {
  std::string view;            // the policy that is used where none is given
  bool single_slices = false;  // replies point into pictures, each of which must be of one slice
  Result<ScanSplit> (*read)(const DatasetAdapter& adapter, const Path& dataset,
                            const std::optional<std::string>& split) = nullptr;
  // Writes files into the run's folder; gives their names and hashes.
  Result<Json> (*write)(const PreparedRun& run, const std::vector<AnsweredItem>& answers) = nullptr;
};

// What a dialogue begins with. expert is null unless a switch asks for it; earlier holds texts of another
// run.
struct DialogueStart {
  const AskedAs* asked = nullptr;
  ShownCase shown;
  std::int64_t sample = 0;
  GivenCues cues = {};
  std::shared_ptr<const CaseToJudge> judged = {};  // of a workflow that judges
};

// What a judge is shown of somebody's predictions.
enum class Judged { steps, discussions };

// The files of a workflow that judges, instead of predictions.
class JudgeFiles {
 public:
  JudgeFiles() = default;
  virtual ~JudgeFiles() = default;
  JudgeFiles(const JudgeFiles&) = delete;
  JudgeFiles& operator=(const JudgeFiles&) = delete;

  virtual void add(const std::string& title, const CaseAnswer& answer, std::int64_t sample) = 0;
  // Names and texts.
  virtual std::vector<std::pair<std::string, const std::string*>> files() const = 0;
};

// A way of asking about cases: one file and one line in all_workflows.def.
struct Workflow {
  std::string name;
  std::string summary;
  std::vector<std::string> prompts;
  bool shows_images = true;
  std::string default_cues = {};            // of --hints and --summary, where it takes them
  bool answers = true;                      // gives a prediction of the key, which can be voted on
  bool judges = false;                      // is shown what experts wrote, and steps of others that it judges
  std::optional<ScanQuestions> scans = {};  // unset: asks about cases with options
  std::unique_ptr<Dialogue> (*begin)(const DialogueStart& start);
  // Of a workflow that judges, whose first two prompts are its words and its rubric.
  Judged judged = Judged::steps;
  std::unique_ptr<JudgeFiles> (*judge_files)(const AskedAs& asked, const std::string& identity) = nullptr;
};

const std::vector<Workflow>& all_workflows();
Result<const Workflow*> find_workflow(std::string_view name);

// "A. text", a line each.
std::string options_text(const InferenceView& view);
// "Image 1, Image 2 and Image 4"; "none" without any.
std::string image_labels(const std::vector<ShownImage>& images);
// A request in the words of a prompt, with pictures behind or before the text, each after its label.
ChatRequest request_in_words(const AskedAs& asked, const std::string& prompt, const PromptValues& values,
                             const std::vector<ShownImage>& images, Json schema);
// {"answer": A to E, "explanation": text}.
Json answer_schema();

}  // namespace fiducial
