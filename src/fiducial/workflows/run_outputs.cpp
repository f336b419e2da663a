#include "fiducial/workflows/run_outputs.h"

#include <algorithm>
#include <map>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/version.h"
#include "fiducial/workflows/judge.h"

namespace fiducial {

namespace {

// A request that was sent, with the pictures it holds.
struct SentRequest {
  std::string hash;
  std::vector<std::string> images;
};

// An item as the journal answers it.
struct ItemEnd {
  CaseAnswer answer;
  bool is_open = false;  // a question has no reply and no failure
  std::vector<SentRequest> sent;
};

std::vector<std::string> images_of(const ChatRequest& request) {
  std::vector<std::string> out;
  for (const ChatMessage& message : request.messages) {
    for (const ChatPart& part : message.parts) {
      if (part.image) out.push_back(part.image->sha256);
    }
  }
  return out;
}

// Plays a dialogue with the replies of the journal.
Result<ItemEnd> played(const PreparedRun& run, const AskedCase& asked_case, std::int64_t sample,
                       const RunEnd& end) {
  ItemEnd out;
  if (!asked_case.problem.empty()) {
    out.answer.failures.emplace_back("images", asked_case.problem);
    return out;
  }
  const std::unique_ptr<Dialogue> dialogue = run.begin_dialogue(asked_case, sample);
  const bool has_left = !end.replies->totals().hosts.empty();
  while (true) {
    const std::vector<Dialogue::Opened> questions = dialogue->open_questions();
    if (questions.empty()) break;
    for (const Dialogue::Opened& question : questions) {
      const std::string hash = question.request.hash();
      if (has_left && end.replies->has_sent(hash)) out.sent.push_back({hash, images_of(question.request)});
      FIDUCIAL_TRY(std::optional<ChatReply> reply, end.replies->find(hash));
      std::string error;
      if (!reply) {
        error = end.replies->last_error(hash);
        out.is_open = out.is_open || error.empty() || end.asks_again;
        if (error.empty()) error = "not asked yet";
      }
      dialogue->hear(question.exchange, {.reply = std::move(reply), .error = error});
    }
  }
  out.answer = dialogue->answer();
  return out;
}

// The answer that most samples give, of those with an answer; of equally many the one that came first.
std::size_t voted(const std::vector<ItemEnd>& samples) {
  std::map<std::string, std::size_t> votes;
  for (const ItemEnd& each : samples) {
    if (each.answer.has_answer()) ++votes[text_at(each.answer.fields, "prediction")];
  }
  std::size_t best = samples.size();
  std::size_t most = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!samples[i].answer.has_answer()) continue;
    const std::size_t count = votes[text_at(samples[i].answer.fields, "prediction")];
    if (count <= most) continue;
    most = count;
    best = i;
  }
  return best;
}

Json votes_json(const std::vector<ItemEnd>& samples) {
  Json out = Json::Object{};
  for (const ItemEnd& each : samples) {
    if (!each.answer.has_answer()) continue;
    const std::string said = text_at(each.answer.fields, "prediction");
    const std::string name = said.size() == 1 ? said : "other";
    out.set(name, integer_at(out, name) + 1);
  }
  return out;
}

Json prediction_line(const AskedCase& asked_case, const CaseAnswer& answer) {
  Json out = Json::object({{"title", asked_case.title}});
  for (const auto& [name, value] : *answer.fields.as_object()) out.set(name, value);
  out.set("reply_form", answer.form);
  out.set("finish", Json::strings(answer.finishes));
  out.set("images_shown", static_cast<std::int64_t>(asked_case.shown.images.size()));
  out.set("tokens", answer.usage.json());
  out.set("calls", answer.calls);
  if (!answer.holes.empty()) out.set("holes", Json::strings(answer.holes));
  return out;
}

// How far the samples of a case agree, over all cases with at least two answers.
struct SampleSpread {
  std::int64_t cases = 0;
  std::int64_t divided = 0;  // cases whose samples give more than one answer
  double agreement = 0;      // sum over cases: the share of samples that give the commonest answer
  double pairs_apart = 0;    // sum over cases: the share of pairs of samples with different answers

  void add(const std::vector<ItemEnd>& samples) {
    std::map<std::string, double> votes;
    double all = 0;
    for (const ItemEnd& each : samples) {
      if (!each.answer.has_answer()) continue;
      ++votes[text_at(each.answer.fields, "prediction")];
      ++all;
    }
    if (all < 2) return;
    double most = 0;
    double equal_pairs = 0;
    for (const auto& [answer, count] : votes) {
      most = std::max(most, count);
      equal_pairs += count * (count - 1);
    }
    ++cases;
    divided += votes.size() > 1 ? 1 : 0;
    agreement += most / all;
    pairs_apart += 1 - equal_pairs / (all * (all - 1));
  }

  Json json() const {
    const auto mean = [this](double sum) {
      return cases == 0 ? Json() : Json(sum / static_cast<double>(cases));
    };
    return Json::object({{"cases", cases},
                         {"divided", divided},
                         {"share_of_the_vote", mean(agreement)},
                         {"disagreement", mean(pairs_apart)}});
  }
};

// Why an item has no answer: what its steps suffered from, but for those that were blocked by another.
std::string status_of(const std::vector<std::pair<std::string, std::string>>& failures) {
  std::string out = "blocked";
  for (const auto& [step, why] : failures) {
    if (const std::string status = failure_status(step, why); status != "blocked") out = status;
  }
  return out;
}

// What most questions failed for, the commonest first.
std::vector<std::pair<std::string, std::int64_t>> commonest(
    const std::map<std::string, std::int64_t>& counts) {
  constexpr std::size_t most = 3;
  std::vector<std::pair<std::string, std::int64_t>> out(counts.begin(), counts.end());
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  out.resize(std::min(out.size(), most));
  return out;
}

// Collects the lines of a run's files, case by case.
class RunLines {
 public:
  RunLines(const PreparedRun& run, const RunEnd& end) : run_(run), end_(end) {
    if (run.workflow().judges) {
      judge_ = run.workflow().judge_files(run.asked(), judge_identity(run.workflow(), run.asked()).digest());
      return;
    }
    if (run.request().samples > 1) samples_.resize(static_cast<std::size_t>(run.request().samples));
  }

  Outcome add(const AskedCase& asked_case) {
    std::vector<ItemEnd> ends;
    for (std::int64_t sample = 0; sample < run_.request().samples; ++sample) {
      FIDUCIAL_TRY(ItemEnd end, played(run_, asked_case, sample, end_));
      count(asked_case, end, sample);
      for (SentRequest& request : end.sent) {
        sent_images.insert(request.images.begin(), request.images.end());
        sent_requests.insert(std::move(request.hash));
      }
      if (judge_) judge_->add(asked_case.title, end.answer, sample);
      ends.push_back(std::move(end));
    }
    if (judge_) return done();
    if (!samples_.empty()) spread.add(ends);
    const std::size_t best = voted(ends);
    if (best == ends.size()) return done();
    Json line = prediction_line(asked_case, ends[best].answer);
    if (!samples_.empty()) line.set("votes", votes_json(ends));
    predictions += line.compact() + "\n";
    if (run_.workflow().scans)
      scan_answers.push_back(
          {.scan = asked_case.shown.scan, .shown = &asked_case.shown, .fields = ends[best].answer.fields});
    return done();
  }

  Outcome write(const Path& folder) const {
    for (const auto& [name, text] : files())
      FIDUCIAL_TRY_DONE(write_file(folder / name, std::string_view(*text)));
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      std::error_code ignored;
      std::filesystem::create_directories(folder / "samples", ignored);
      FIDUCIAL_TRY_DONE(
          write_file(folder / "samples" / (decimal(i + 1) + ".jsonl"), std::string_view(samples_[i])));
    }
    return done();
  }

  // The texts of the run's own files, by name.
  std::vector<std::pair<std::string, const std::string*>> files() const {
    if (!judge_) return {{predictions_file, &predictions}, {run_errors_file, &errors}};
    auto out = judge_->files();
    out.emplace_back(run_errors_file, &errors);
    return out;
  }

  RunSummary summary;
  std::string predictions;
  std::string errors;
  std::map<std::string, std::int64_t> failed_steps;
  std::map<std::string, std::int64_t> failed_as;  // items, by why they have no answer
  std::map<std::string, std::int64_t> reasons;    // questions, by what came of them
  SampleSpread spread;
  std::int64_t images_shown = 0;
  std::set<std::string> sent_requests;
  std::set<std::string> sent_images;
  std::vector<AnsweredItem> scan_answers;

 private:
  void count(const AskedCase& asked_case, const ItemEnd& end, std::int64_t sample) {
    ++summary.items;
    if (sample == 0) images_shown += static_cast<std::int64_t>(asked_case.shown.images.size());
    if (end.is_open) {
      ++summary.open;
    } else if (end.answer.has_answer()) {
      ++summary.answered;
      summary.in_text += end.answer.form == "text" ? 1 : 0;
      summary.recovered += end.answer.form == "recovered" ? 1 : 0;
    } else {
      ++summary.failed;
      const std::string status = status_of(end.answer.failures);
      ++failed_as[status];
      summary.overflow += status == "overflow" ? 1 : 0;
    }
    for (const auto& [step, why] : end.answer.failures) {
      ++failed_steps[step];
      if (!end.is_open && !end.answer.has_answer() && !why.starts_with("blocked:")) ++reasons[why];
      Json line = Json::object({{"item", asked_case.title},
                                {"step", step},
                                {"status", failure_status(step, why)},
                                {"error", why}});
      if (!samples_.empty()) line.set("sample", sample + 1);
      errors += line.compact() + "\n";
    }
    if (samples_.empty() || !end.answer.has_answer()) return;
    samples_[static_cast<std::size_t>(sample)] += prediction_line(asked_case, end.answer).compact() + "\n";
  }

  const PreparedRun& run_;
  const RunEnd& end_;
  std::vector<std::string> samples_;
  std::unique_ptr<JudgeFiles> judge_;  // of a workflow that judges
};

Json counts_of(const std::map<std::string, std::int64_t>& counts) {
  Json out = Json::Object{};
  for (const auto& [name, count] : counts) out.set(name, count);
  return out;
}

// What left this machine, by this command and those before it, whichever endpoint and cases each had.
Json egress_json(const PreparedRun& run, const Journal& journal, const RunLines& lines) {
  const std::set<std::string>& hosts = journal.totals().hosts;
  std::set<std::string> images = hosts.empty() ? std::set<std::string>() : lines.sent_images;
  // The journal has requests about cases that this command was not told of: theirs may be any that was kept.
  if (!hosts.empty() && lines.sent_requests.size() < journal.sent()) images.merge(run.pictures().kept());
  const auto requests = hosts.empty() ? 0 : static_cast<std::int64_t>(journal.sent());
  return Json::object({{"left_this_machine", !hosts.empty()},
                       {"hosts", Json::strings(hosts)},
                       {"requests", requests},
                       {"images", Json::strings(images)}});
}

// The reasoning effort: as it was sent, and how many replies were given with it and without.
Json effort_json(const PreparedRun& run, const JournalTotals& totals) {
  const std::string sent = text_at(run.request().parameters, "effort");
  const auto dropped = totals.dropped.find("effort");
  const std::int64_t without = sent.empty()                      ? totals.replies
                               : dropped == totals.dropped.end() ? 0
                                                                 : dropped->second;
  return Json::object({{"sent", sent.empty() ? Json() : Json(sent)},
                       {"replies_with_it", totals.replies - without},
                       {"replies_without", without}});
}

Json manifest_json(const PreparedRun& run, const RunEnd& end, const RunLines& lines, const Json& written) {
  const RunSummary& summary = lines.summary;
  const auto naming_key = std::count_if(run.cases().begin(), run.cases().end(),
                                        [](const AskedCase& each) { return each.names_key; });
  Json out = Json::object({{"schema", "fiducial.run/1"},
                           {"fiducial", tool_version},
                           {"finished", summary.open == 0 && end.stopped.empty()},
                           {"stopped", end.stopped.empty() ? Json() : Json(end.stopped)},
                           {"dataset", run.dataset_json()},
                           {"plan", run.plan()},
                           {"endpoint", run.endpoint() ? Json(run.endpoint()->base()) : Json()},
                           {"expert_texts_shown", run.shows_experts()},
                           {"cases_whose_cues_name_the_key", static_cast<std::int64_t>(naming_key)},
                           {"allow_drop", Json::strings(run.request().allow_drop)}});
  out.set("items", Json::object({{"all", summary.items},
                                 {"answered", summary.answered},
                                 {"answered_in_text", summary.in_text},
                                 {"recovered", summary.recovered},
                                 {"failed", summary.failed},
                                 {"overflow", summary.overflow},
                                 {"open", summary.open}}));
  out.set("failed_steps", counts_of(lines.failed_steps));
  out.set("failed_as", counts_of(lines.failed_as));
  if (run.request().samples > 1) out.set("samples", lines.spread.json());
  out.set("effort", effort_json(run, end.replies->totals()));
  const double cases = std::max<double>(1, static_cast<double>(run.cases().size()));
  out.set("images_shown_a_case", static_cast<double>(lines.images_shown) / cases);
  out.set("calls", end.replies->totals().json());
  if (const auto& price = run.price()) {
    out.set("cost", Json::object({{"currency", price->currency},
                                  {"total", end.replies->totals().cost(*price)},
                                  {"per_million_input", price->input},
                                  {"per_million_cached", price->cached},
                                  {"per_million_output", price->output}}));
  }
  out.set("egress", egress_json(run, *end.replies, lines));
  Json files = Json::Object{};
  for (const auto& [name, text] : lines.files()) files.set(name, sha256(as_bytes(*text)).hex());
  for (const auto& [name, hash] : *written.as_object()) files.set(name, hash);
  out.set("files", std::move(files));
  if (run.view()) out.set("view", run.view()->json().set("sha256", run.view()->sha256()));
  if (!run.workflow().judges) return out;
  const JudgeIdentity judge = judge_identity(run.workflow(), run.asked());
  return out.set("judge", judge.json().set("identity", judge.digest()));
}

}  // namespace

Result<RunSummary> write_run(const PreparedRun& run, const RunEnd& end) {
  RunLines lines(run, end);
  for (const AskedCase& asked_case : run.cases()) FIDUCIAL_TRY_DONE(lines.add(asked_case));
  lines.summary.reasons = commonest(lines.reasons);
  lines.summary.cases = static_cast<std::int64_t>(run.cases().size());
  FIDUCIAL_TRY_DONE(lines.write(run.request().output));
  Json written = Json::Object{};
  if (run.workflow().scans) {
    FIDUCIAL_TRY(written, run.workflow().scans->write(run, lines.scan_answers));
  }
  lines.summary.manifest = manifest_json(run, end, lines, written);
  FIDUCIAL_TRY_DONE(write_file(run.request().output / run_manifest_file,
                               std::string_view(lines.summary.manifest.pretty())));
  return lines.summary;
}

}  // namespace fiducial
