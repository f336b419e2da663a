#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/cases/inference_view.h"
#include "fiducial/chat/chat_request.h"
#include "fiducial/views/scan_view.h"

namespace fiducial {

// A picture that is shown, with the number of its slot, which is its label: "Image 3".
struct ShownImage {
  std::size_t number = 1;
  ChatImage image;
  std::string note = {};                  // what it is a picture of, where a view policy says it
  std::vector<PictureFrame> frames = {};  // where the slices it shows lie in a scan
};

// What is asked about a scan. What is to be answered cannot be reached from here.
struct ShownQuestion {
  std::string kind;          // which question it is: "presence"
  std::string place = {};    // a path of the anatomy; "" for the whole scan
  std::string finding = {};  // in words
  std::int64_t number = 0;   // of the finding among those of its scan, from 0
  std::int64_t of = 1;       // so many are numbered
};

// All that prompts are built from: a view without labels, and the pictures of it that are shown. No key,
// caption, finding or discussion can be reached from here.
struct ShownCase {
  InferenceView view;
  std::vector<ShownImage> images;
  std::size_t image_count = 0;                // of the case, shown or not
  std::string scan = {};                      // the volume that is asked about; "" of a case with options
  std::vector<ShownQuestion> questions = {};  // about the scan
};

// Where the findings of single images, or their summary, come from.
enum class CueSource { none, expert, self, run };

// Texts about a case that a model is given beside what it is shown: an expert's, or those of an earlier run.
struct GivenCues {
  std::optional<std::vector<std::string>> hints;  // one an image of the case
  std::optional<std::string> summary;
};

// The only way from what experts wrote about a case into a prompt: made where a switch asks for it, of no
// more than the switch asks for.
class Expert {
 public:
  Expert(const DiagnosisCase& entry, CueSource hints, CueSource summary);

  const GivenCues& cues() const { return cues_; }
  // Whether what is given holds the text of the key, in any case of letters.
  bool names_key() const { return names_key_; }

 private:
  GivenCues cues_;
  bool names_key_ = false;
};

}  // namespace fiducial
