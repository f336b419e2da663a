#include <nanobind/nanobind.h>

#include "fiducial/base/version.h"
#include "fiducial/stores/arrow_store.h"
#include "fiducial/table/arrow_version.h"

#include "anatomy.h"
#include "cards.h"
#include "cases.h"
#include "curate.h"
#include "curation.h"
#include "datasets.h"
#include "errors.h"
#include "long_call.h"
#include "mask_files.h"
#include "masks.h"
#include "metrics.h"
#include "pictures.h"
#include "preprocess.h"
#include "scoring.h"
#include "tables.h"
#include "texts.h"
#include "verbs.h"
#include "volumes.h"

NB_MODULE(_native, module) {
  using namespace fiducial::python;
  module.doc() = "The native engine under the Python package.";
  fiducial::use_arrow_stores();
  module.attr("version") = fiducial::tool_version;
  module.def("arrow_version", [] { return text(fiducial::arrow_version()); });
  define_errors(module);
  define_long_calls(module);
  define_masks(module);
  define_mask_files(module);
  define_volumes(module);
  define_preprocess(module);
  define_datasets(module);
  define_cases(module);
  define_metrics(module);
  define_tables(module);
  define_scoring(module);
  define_texts(module);
  define_verbs(module);
  define_curation(module);
  define_pictures(module);
  define_curate(module);
  define_cards(module);
  define_anatomy(module);
}
