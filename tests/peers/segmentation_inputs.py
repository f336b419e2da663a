"""Masks, the series they lie on, and the files that other software makes of them: for compare_segmentations.py and
make_segmentation_reference.py."""

import json
import pathlib
import subprocess
import sys

import highdicom as hd
import numpy as np
import pydicom
import SimpleITK as sitk
from pydicom.sr.codedict import codes
from pydicom.uid import generate_uid
from rt_utils import RTStructBuilder

TESTS = pathlib.Path(__file__).resolve().parent.parent
BIN = pathlib.Path(sys.executable).parent
SIZE = (33, 21, 7)  # columns, rows, slices


def blobs(seed, count):
    """Boxes and balls that overlap; arrays in the order of the series' voxels (x, y, z)."""
    source = np.random.default_rng(seed)
    grid = np.stack(np.meshgrid(*map(np.arange, SIZE), indexing="ij"), -1)
    out = []
    for _ in range(count):
        centre = source.uniform(0.2, 0.8, 3) * SIZE
        out.append(np.linalg.norm((grid - centre) / [5, 5, 2], axis=-1) < source.uniform(0.6, 1.4))
    return np.array(out)


def make_series(folder, arguments=()):
    """A CT series by the fixtures, with what a hospital's system would add."""
    subprocess.run([sys.executable, "-m", "fixtures", "dicom", str(folder), "--size", "33,21", "--slices", "7", *arguments],
                   check=True, cwd=TESTS)
    for path in sorted(folder.iterdir()):
        image = pydicom.dcmread(path)
        image.PatientID, image.PatientBirthDate, image.PatientSex = "P1", "", ""
        image.StudyDate, image.StudyTime, image.StudyID = "20200102", "101112", "1"
        image.AccessionNumber, image.ReferringPhysicianName, image.SeriesNumber = "", "", 1
        image.Manufacturer, image.PositionReferenceIndicator = "x", ""
        image.save_as(path)
    images = [pydicom.dcmread(path) for path in folder.iterdir()]
    return sorted(images, key=lambda image: np.dot(image.ImagePositionPatient, np.cross(
        image.ImageOrientationPatient[:3], image.ImageOrientationPatient[3:])))


def description(number, label):
    algorithm = hd.AlgorithmIdentificationSequence(name="x", version="1", family=codes.cid7162.ArtificialIntelligence)
    return hd.seg.SegmentDescription(
        segment_number=number, segment_label=label, segmented_property_category=codes.SCT.AnatomicalStructure,
        segmented_property_type=codes.SCT.Lung, algorithm_identification=algorithm,
        algorithm_type=hd.seg.SegmentAlgorithmTypeValues.AUTOMATIC)


def highdicom_file(series, labels, kind, syntax):
    return hd.seg.Segmentation(
        source_images=series, pixel_array=labels.transpose(2, 1, 0).astype(np.uint8),
        segmentation_type=getattr(hd.seg.SegmentationTypeValues, kind),
        segment_descriptions=[description(1, "left lung"), description(2, "right lung")],
        series_instance_uid=generate_uid(), series_number=9, sop_instance_uid=generate_uid(), instance_number=1,
        manufacturer="x", manufacturer_model_name="x", software_versions="1", device_serial_number="1",
        transfer_syntax_uid=syntax, omit_empty_frames=True)


def dcmqi_file(folder, masks):
    """folder/dcmqi.dcm from masks on folder/series."""
    reader = sitk.ImageSeriesReader()
    reader.SetFileNames(reader.GetGDCMSeriesFileNames(str(folder / "series")))
    reference = reader.Execute()
    files, attributes = [], []
    for i, mask in enumerate(masks):
        image = sitk.GetImageFromArray(mask.transpose(2, 1, 0).astype(np.uint8))
        image.CopyInformation(reference)
        files.append(str(folder / f"part{i}.nrrd"))
        sitk.WriteImage(image, files[-1])
        attributes.append([{"labelID": 1, "SegmentDescription": f"part {i}", "SegmentLabel": f"part {i}", "SegmentAlgorithmType": "MANUAL",
                            "SegmentedPropertyCategoryCodeSequence": {"CodeValue": "123037004", "CodingSchemeDesignator": "SCT",
                                                                      "CodeMeaning": "Anatomical Structure"},
                            "SegmentedPropertyTypeCodeSequence": {"CodeValue": "39607008", "CodingSchemeDesignator": "SCT",
                                                                  "CodeMeaning": "Lung"}}])
    told = {"ContentCreatorName": "x", "ClinicalTrialSeriesID": "1", "ClinicalTrialTimePointID": "1", "SeriesDescription": "x",
            "SeriesNumber": "9", "InstanceNumber": "1", "BodyPartExamined": "CHEST", "segmentAttributes": attributes}
    (folder / "meta.json").write_text(json.dumps(told))
    subprocess.run([str(BIN / "itkimage2segimage"), "--inputImageList", ",".join(files), "--inputDICOMDirectory", str(folder / "series"),
                    "--inputMetadata", str(folder / "meta.json"), "--outputDICOM", str(folder / "dcmqi.dcm")],
                   check=True, capture_output=True)


def contour_file(folder, masks):
    """folder/contours.dcm from masks on folder/series, whose pixels must be square: rt-utils 1.2.7 exchanges their sides."""
    made = RTStructBuilder.create_new(dicom_series_path=str(folder / "series"))
    for i, mask in enumerate(masks):
        made.add_roi(mask=mask.transpose(1, 0, 2), name=f"part {i}")
    made.save(str(folder / "contours.dcm"))
