#include "fiducial/curate/reports/open_questions.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>

#include "fiducial/base/line_reader.h"
#include "fiducial/findings/place_paths.h"
#include "fiducial/findings/report_grounding.h"

namespace fiducial {

namespace {

constexpr std::size_t longest_waiting_line = std::size_t{1} << 28;

// Texts of a question that waits, as JSON writes them and without its quotes: they hold no tab and no line
// break.
struct WaitingQuestion {
  std::string_view family, volume, called, path, answer;
  std::string_view tail;  // of its line
};

std::string json_inside(std::string_view text) {
  std::string out;
  append_json_text(out, text);
  return out.substr(1, out.size() - 2);
}

std::string waiting_line(const WaitingQuestion& question) {
  std::string line;
  for (const std::string_view part :
       {question.family, question.volume, question.called, question.path, question.answer}) {
    line.append(part) += '\t';
  }
  return line.append(question.tail);
}

Result<WaitingQuestion> waiting_question(std::string_view line) {
  std::array<std::string_view, 5> parts;
  for (std::string_view& part : parts) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) return invalid_data("expected a question that waits");
    part = line.substr(0, tab);
    line.remove_prefix(tab + 1);
  }
  return WaitingQuestion{parts[0], parts[1], parts[2], parts[3], parts[4], line};
}

// All that the question says. The place is the answer of a location.
std::string key_of(const WaitingQuestion& question) {
  std::string key;
  key.append(question.family) += '\n';
  key.append(question.called) += '\n';
  return question.family == "location" ? key : key.append(question.path);
}

Outcome for_each_waiting(const Path& path, const std::function<Outcome(const WaitingQuestion&)>& use) {
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
  LineReader lines(*file, longest_waiting_line);
  while (true) {
    FIDUCIAL_TRY(const std::optional<std::string_view> line, lines.next().in_file(path.string()));
    if (!line) return done();
    FIDUCIAL_TRY(const WaitingQuestion question, waiting_question(*line).in_file(path.string()));
    FIDUCIAL_TRY_DONE(use(question));
  }
}

Json shares_json(const std::map<std::string, GuessedShare>& shares) {
  Json out = Json::Object{};
  for (const auto& [family, share] : shares) {
    out.set(family,
            Json::object(
                {{"questions", share.questions}, {"blind", share.best_guess}, {"chance", share.chance}}));
  }
  return out;
}

}  // namespace

Outcome OpenQuestions::add(std::string_view volume, const AskedQuestion& asked,
                           const SourceColumns& columns) {
  const std::string name = json_inside(volume);
  const std::string called = json_inside(asked.term.empty() ? asked.finding : asked.term);
  const std::string path = json_inside(asked.path);
  const std::string answer = json_inside(asked.answer);
  const std::string tail = question_tail(asked, columns);
  const WaitingQuestion question{asked.family, name, called, path, answer, tail};
  balance_.add(key_of(question), answer);
  return waiting_.write(waiting_line(question));
}

Outcome OpenQuestions::recall(const Path& waiting) {
  return for_each_waiting(waiting, [this](const WaitingQuestion& question) {
    balance_.add(key_of(question), question.answer);
    return done();
  });
}

Result<Json> OpenQuestions::write(const Path& waiting, PythonRandom& random, OutputFile& questions) {
  FIDUCIAL_TRY_DONE(waiting_.flush());
  const std::vector<bool> chosen = balance_.chosen(random);
  std::size_t at = 0;
  FIDUCIAL_TRY_DONE(for_each_waiting(waiting, [&](const WaitingQuestion& question) -> Outcome {
    if (!chosen[at++]) return done();
    const std::vector<std::string>& words = question_templates().find(std::string(question.family))->second;
    const std::string text =
        filled_question(words[random.below(words.size())], question.called, node_of(question.path));
    std::string line = R"({"Volumename":")";
    line.append(question.volume).append(R"(","family":")").append(question.family);
    line.append(R"(","question":")").append(text) += '"';
    return questions.write(line.append(question.tail) += '\n');
  }));
  return Json::object({{"before_balancing", shares_json(balance_.guessed(nullptr))},
                       {"asked", shares_json(balance_.guessed(&chosen))}});
}

}  // namespace fiducial
