#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets below corpus/, next to this script. The same bytes every time."""

import base64
import hashlib
import io
import json
import pathlib
import struct
import sys
import zipfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))
from fixtures import dicom, medthink

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"
BITS = {2: 8, 4: 16, 8: 32, 16: 32, 64: 64, 256: 8, 512: 16, 768: 32, 1024: 64, 1280: 64}
FORMATS = {2: "B", 4: "h", 8: "i", 16: "f", 64: "d", 256: "b", 512: "H", 768: "I", 1024: "q", 1280: "Q"}


def nifti1(dim, datatype, order="<", slope=0.0, sform_code=1, qform_code=0):
    header = bytearray(352)
    struct.pack_into(order + "i", header, 0, 348)
    struct.pack_into(order + "8h", header, 40, len(dim), *dim, *[1] * (7 - len(dim)))
    struct.pack_into(order + "hh", header, 70, datatype, BITS[datatype])
    struct.pack_into(order + "8f", header, 76, 1, 0.7, 0.7, 1.5, 1, 0, 0, 0)
    struct.pack_into(order + "3f", header, 108, 352, slope, 0)
    header[123] = 2
    struct.pack_into(order + "2h", header, 252, qform_code, sform_code)
    struct.pack_into(order + "6f", header, 256, 0, 0, 1, -5, -6, -7)
    struct.pack_into(order + "12f", header, 280, -0.7, 0, 0, 5, 0, -0.7, 0, 6, 0, 0, 1.5, -7)
    header[344:348] = b"n+1\0"
    return bytes(header) + voxels(dim, datatype, order)


def nifti2(dim, datatype, order="<"):
    header = bytearray(544)
    struct.pack_into(order + "i", header, 0, 540)
    header[4:12] = b"n+2\0\r\n\x1a\n"
    struct.pack_into(order + "hh", header, 12, datatype, BITS[datatype])
    struct.pack_into(order + "8q", header, 16, len(dim), *dim, *[1] * (7 - len(dim)))
    struct.pack_into(order + "8d", header, 104, 1, 0.7, 0.7, 1.5, 1, 0, 0, 0)
    struct.pack_into(order + "q", header, 168, 544)
    struct.pack_into(order + "2i", header, 344, 0, 1)
    struct.pack_into(order + "12d", header, 400, -0.7, 0, 0, 5, 0, -0.7, 0, 6, 0, 0, 1.5, -7)
    struct.pack_into(order + "i", header, 500, 2)
    return bytes(header) + voxels(dim, datatype, order)


def voxels(dim, datatype, order):
    count = 1
    for size in dim:
        count *= size
    return struct.pack(f"{order}{count}{FORMATS[datatype]}", *[0 if i % 7 < 4 else 1 + i % 3 for i in range(count)])


def deflate(content, level=9, strategy=zlib.Z_DEFAULT_STRATEGY):
    packer = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
    return packer.compress(content) + packer.flush()


def gzip(content, level=9, strategy=zlib.Z_DEFAULT_STRATEGY, flags=0, fields=b""):
    front = struct.pack("<BBBBIBB", 0x1F, 0x8B, 8, flags, 0, 0, 255) + fields
    return front + deflate(content, level, strategy) + struct.pack("<II", zlib.crc32(content), len(content))


class Pipe(io.RawIOBase):
    """A sink that cannot seek, so that zipfile writes data descriptors."""

    def __init__(self):
        self.content = bytearray()

    def writable(self):
        return True

    def write(self, piece):
        self.content += piece
        return len(piece)


def archive(files, comment=b"", sink=None):
    out = sink or io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, (content, method) in files.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = method
            entry.external_attr = (0o040755 if name.endswith("/") else 0o100644) << 16
            packed.writestr(entry, content)
        packed.comment = comment
    return bytes(sink.content) if sink else out.getvalue()


def nifti_seeds():
    for code, letter in FORMATS.items():
        yield f"v1_{code}{letter.lower()}", nifti1([5, 3, 2], code)
        yield f"v1_swapped_{code}", nifti1([4, 2, 2], code, order=">")
    yield "v1_channels_first", nifti1([3, 9, 4, 2], 2)
    yield "v1_many_channels", nifti1([21, 40, 2, 1], 2)
    yield "v1_channels_last", nifti1([5, 4, 2, 3], 2)
    yield "v1_scaled", nifti1([5, 3, 2], 4, slope=0.5)
    yield "v1_qform", nifti1([5, 3, 2], 2, sform_code=0, qform_code=1)
    yield "v1_both_forms", nifti1([5, 3, 2], 2, qform_code=1)
    yield "v1_no_form", nifti1([5, 3, 2], 2, sform_code=0)
    yield "v1_gzip", gzip(nifti1([5, 3, 2], 2))
    yield "v1_gzip_stored", gzip(nifti1([5, 3, 2], 2), level=0)
    yield "v2", nifti2([5, 3, 2], 2)
    yield "v2_swapped", nifti2([5, 3, 2], 16, order=">")


def volume_seeds():
    nrrd = (b"NRRD0005\ntype: unsigned char\ndimension: %d\nspace: left-posterior-superior\nsizes: %s\n"
            b"space directions: %s(0.7,0,0) (0,0.7,0) (0,0,1.5)\nspace origin: (1,-2,3)\nendian: little\nencoding: %s\n")
    labels = bytes(i % 3 for i in range(24))
    yield "nrrd_raw", nrrd % (3, b"4 3 2", b"", b"raw") + b"\n" + labels
    yield "nrrd_gzip", nrrd % (3, b"4 3 2", b"", b"gzip") + b"\n" + gzip(labels)
    yield "nrrd_channels", nrrd % (4, b"2 4 3 1", b"none ", b"raw") + b"\n" + labels
    segments = b"".join(b"Segment%d_Name:=finding 0 entity %d\nSegment%d_LabelValue:=%d\nSegment%d_Layer:=0\n"
                        % (i, i + 1, i, i + 1, i) for i in range(2))
    yield "seg_nrrd", nrrd % (3, b"4 3 2", b"", b"gzip") + segments + b"\n" + gzip(labels)
    tags = b"Segment0_Tags:=TerminologyEntry:x~SCT^1^Organ~SCT^39607008^Lung~SCT^7771000^Left~a~^^~^^|\n"
    yield "seg_nrrd_codes", nrrd % (3, b"4 3 2", b"", b"raw") + segments.replace(b"finding", b"lung") + tags + b"\n" + labels
    yield "nrrd_spacings", b"NRRD0001\ntype: short\ndimension: 3\nsizes: 2 3 2\nspacings: 1 2 3\nendian: big\nencoding: raw\n\n" + labels
    mha = (b"ObjectType = Image\nNDims = 3\nBinaryData = True\nTransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = 1 2 3\n"
           b"ElementSpacing = 1 1 2\nDimSize = 4 3 2\nElementType = MET_UCHAR\n%sElementDataFile = LOCAL\n")
    yield "mha_raw", mha % b"" + labels
    yield "mha_zlib", mha % b"CompressedData = True\n" + zlib.compress(labels)
    yield "mha_channels", mha.replace(b"4 3 2", b"4 3 1") % b"ElementNumberOfChannels = 2\n" + labels


def dicom_mask_seeds():
    recorded = json.loads((CORPUS.parent.parent / "tests/reference/segmentations.json").read_text())
    for number, case in enumerate(recorded["cases"]):
        yield f"{number:02}_{case['name'].split()[0]}", zlib.decompress(base64.b64decode(case["zlib"]))


def json_seeds():
    yield "empty_object", b"{}"
    yield "kinds", b'[null, true, false, 0, -1, 1.5, 1e-7, "a", [], {}]'
    yield "numbers", b"[9223372036854775807, -9223372036854775808, 9223372036854775808, 1e308, -0.0, 5e-324]"
    yield "escapes", rb'"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\u0000"'
    yield "utf8", '{"\u00e9": "\u4e2d\U0001f600"}'.encode()
    yield "nested", b"[" * 20 + b"]" * 20
    yield "spaced", b' {\n\t"a" : [ 1 , 2 ] ,\r\n "b" : { } }\n'
    yield "byte_order_mark", b"\xef\xbb\xbf[1]"


def view_policy_seeds():
    """The policies that are built in, and one with every rule of scans."""
    for path in sorted((pathlib.Path(__file__).parent.parent / "src/fiducial/views/data").glob("*.json")):
        yield path.stem, path.read_bytes()
    yield "every", json.dumps({"schema": "fiducial.view_policy/1", "name": "e", "of": "scans", "planes": ["sagittal"],
                               "windows": [{"centre_hu": 0, "width_hu": 1}] * 3, "windows_as": "channels",
                               "slices": {"rule": "every_mm", "mm": 2.5, "most": 9}, "longest_px": 64, "side_letters": False,
                               "region": {"of": "heart", "as": "mask", "if_absent": "whole_scan"},
                               "montage": {"columns": 2, "rows": 2}, "codec": {"format": "jpeg", "quality": 1}}).encode()
    yield "images", b'{"schema": "fiducial.view_policy/1", "name": "i", "of": "images", "grey_window": {"black": 1, "white": 2}}'


def transform_record_seeds():
    """A record with every step, and ones with singular places."""
    grid = {"shape": [8, 7, 6], "affine": [[-0.8, 0, 0, 15], [0, -0.8, 0, 12], [0, 0, 1.5, -30]]}
    steps = [{"orient": "RAS"}, {"spacing_mm": [1, 1, 3], "keeps": "outer faces"}, {"onto": grid}, {"spacing_mm": [2, 2, 2]},
             {"pad": {"low": [1, 0, 0], "high": [0, 2, 0]}}, {"crop": {"low": [1, 1, 0], "shape": [2, 2, 1]}},
             {"move_mm": [[0, 1, 0, 3], [-1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}]
    for name, some in (("every", steps), ("none", []), ("crop", steps[-2:-1]), ("warp", [{"warp": "field"}])):
        yield name, json.dumps({"schema": "fiducial.transform/1", "from": grid, "steps": some}).encode()
    far = {"shape": [8, 7, 6], "affine": [[1e308, 0, 0, 15], [0, -0.8, 0, 12], [0, 0, 1.5, -30]]}
    yield "far", json.dumps({"schema": "fiducial.transform/1", "from": far, "steps": steps[-2:-1]}).encode()
    yield "singular", json.dumps({"schema": "fiducial.transform/1", "from": grid, "steps": [{"move_mm": [[0] * 4] * 3}]}).encode()


def annotation_seeds():
    """Four rows of five pixels in both codes, and a file of each tool that holds them; the jobs of a challenge."""
    brush = [0, 0, 0, 80, 57, 27, 254, 23, 0, 159, 254, 216, 5, 191, 252, 38, 1, 31, 248]
    coco = {"images": [{"id": 1, "file_name": "images/train_1_a_1/0003.png", "width": 5, "height": 4}],
            "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "segmentation": {"size": [4, 5], "counts": "52201O10"},
                             "attributes": {"finding": 0, "entity": 2}},
                            {"id": 2, "image_id": 1, "category_id": 1, "segmentation": {"size": [4, 5], "counts": [5, 2, 13]}}],
            "categories": [{"id": 1, "name": "Nodule"}]}
    region = {"type": "brushlabels", "original_width": 5, "original_height": 4,
              "value": {"format": "rle", "rle": brush, "brushlabels": ["entity 2"]}}
    tasks = [{"id": 1, "data": {"image": "images/train_1_a_1/0003.png", "finding": 0}, "annotations": [{"result": [region]}]}]
    job = {"pk": "j-1", "status": "Succeeded", "inputs": [{"image": {"name": "train_1_a_1.mha"}}],
           "outputs": [{"socket": {"slug": "findings", "relative_path": "images/findings"}}]}
    yield "coco", json.dumps(coco).encode()
    yield "tasks", json.dumps(tasks).encode()
    yield "jobs", json.dumps([job, {**job, "pk": 2, "inputs": [{"value": "Case number 1"}], "status": "Failed"}]).encode()
    yield "brush", bytes(brush)
    yield "counts", b"52201O10"


def name_table_seeds():
    yield "plain", b"case,name,prompt\ntrain_1_a_1,Nodule _left_,0\ntrain_1_a_1.nii.gz,x.nii.gz,\"Nodule (left), large.\"\n"
    yield "numbers", b"prompt,name,case\nA nodule in the left upper lobe of the lung,a nodule in the left upper lobe,c\n1,_f1,c\n,finding_0,c\n"
    yield "twice", b"case,name,prompt\na,b,1\na,b.nii,2\n"
    yield "accents", "case,name,prompt\na,na\u00efve,Na\u00efve \u0153dema\n".encode()


def detection_seeds():
    yield "plain", b"case,lesions\na,2\nb,0\n\0case,confidence,lesion\na,0.9,0\na,0.9,1\nb,0.5,\na,1e-3,1\n"
    yield "none", b"case,lesions\na,1\n\0case,confidence,lesion\n"
    yield "odd", b"lesions,case\n1,a\n\0lesion,case,confidence\n,a,nan\n7,a,inf\n"


def csv_seeds():
    yield "plain", b"name,dice\nA,0.5\nB,\n"
    yield "quoted", b'a,b\n"1,2","say ""hi"""\n"two\nlines",""\n'
    yield "crlf", b"a,b\r\n1,2\r\n\r\n3,4"
    yield "byte_order_mark", b"\xef\xbb\xbfa\n\n1\n"
    yield "utf8", "n\u00e4me\n\u4e2d\n".encode()
    yield "open_quote", b'a,b\n1,"2\n'


def metadata_seeds():
    head = b"VolumeName,PatientSex,PatientAge,RescaleSlope,RescaleIntercept,XYSpacing,ZSpacing\n"
    yield "ctrate", head + b'train_1_a_1.nii.gz,F,059Y,1,-1024,"[0.75, 0.75]",1.5\n'
    yield "missing", head + b"train_1_a_1,,nan,,,,\n"
    yield "nonsense", head + b'a.nii,M,x,0,1e999,"[1, , 2]",-1\na.nii.gz,M,x,inf,nan,"(0.5,0.5)",0\n'


def dataset_seeds():
    yield "documented", (b'{"test": [{"name": "train_1_a_1.nii.gz", "findings": {"0": "a", "1": "b"}, "entity_counts": {"0": 1},'
                         b' "shape": [4, 5, 6], "pixels": {"1": 9}, "categories": {"0": "2d"}, "protocol": "protocol1"}]}')
    yield "seg_path", b'{"test": [{"seg_path": "segmentations/train_1_a_1.nii.gz"}, {"seg_path": "b"}]}'
    yield "image_path", b'{"val": [{"image_path": "/x/train_1_a_1.nii", "protocol": null}], "train": []}'
    yield "duplicate", b'{"test": [{"seg_path": "a"}, {"seg_path": "x/a.nii.gz"}]}'
    yield "gap", b'{"test": [{"name": "a", "findings": {"0": "x", "2": "y"}}]}'
    yield "not_a_split", b'{"version": 1, "a/b~c": []}'


def varint(value):
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def fmask(masks, extent=(10, 4, 3), arrangement="structures", **lies):
    """A file of masks; masks: name -> runs (gap, length[, entity]). lies: members of the first mask's entry."""
    body, entries = b"FMASK\r\n\x01", []
    for number, (name, runs) in enumerate(masks.items()):
        payload = b"".join(varint(value) for run in runs for value in run)
        packed, voxels, at, box = zlib.compress(payload), 0, 0, [99, 0, 99, 0, 99, 0]
        for gap, length, *_ in runs:
            first, at, voxels = at + gap, at + gap + length, voxels + length
            for axis, (low, high) in enumerate(((first % extent[0], (at - 1) % extent[0]),
                                                (first // extent[0] % extent[1],) * 2,
                                                (first // extent[0] // extent[1],) * 2)):
                box[2 * axis], box[2 * axis + 1] = min(box[2 * axis], low), max(box[2 * axis + 1], high + 1)
        entries.append({"name": name, "id": number + 1, "offset": len(body), "stored": len(packed), "bytes": len(payload),
                        "runs": len(runs), "voxels": voxels, "box": box if runs else [0] * 6,
                        "entities": max((run[2] for run in runs if len(run) > 2), default=0),
                        "sha256": hashlib.sha256(payload).hexdigest()})
        body += packed
    entries[0].update(lies)
    text = json.dumps({"schema": "fiducial.fmask/1", "arrangement": arrangement, "extent": extent,
                       "affine": [[-1, 0, 0, 5], [0, -1, 0, 6], [0, 0, 1.5, -7]], "placed": True, "masks": entries,
                       "origins": [{"name": "a.nii.gz", "sha256": "0" * 64}]}).encode()
    packed = zlib.compress(text)
    footer = struct.pack("<QII", len(body), len(packed), len(text)) + hashlib.sha256(text).digest() + b"FMASKEND"
    return body + packed + footer, text, len(body)


def fmask_seeds():
    plain = {"aorta": [(3, 4), (13, 2)], "nothing": [], "lesion": [(0, 2, 1), (0, 3, 300)]}
    yield "plain", b"\0" + fmask(plain)[0]
    yield "labels", b"\0" + fmask({"array": [(0, 2, 1), (5, 3, 300)]}, arrangement="labels")[0]
    yield "cut", b"\0" + fmask(plain)[0][:-9]
    for name, lie in (("offset", {"offset": 9}), ("stored", {"stored": 1 << 40}), ("bytes", {"bytes": 1 << 26}),
                      ("runs", {"runs": 1 << 22}), ("box", {"box": [0, 10, 0, 4, 0, 3]}), ("voxels", {"voxels": 7}),
                      ("name", {"name": "nothing"}), ("digest", {"sha256": "1" * 64})):
        yield f"lie_{name}", b"\0" + fmask(plain, **lie)[0]
    for count in range(100):  # until the index lies at a multiple of 8
        plain["more"] = [(7 * i % 31, 1) for i in range(count)]
        _, text, end = fmask(plain)
        if end % 8 == 0:
            break
    yield "index", bytes([end // 8]) + text


def gzip_index_seeds():
    """Blocks that are stored as they are lie at whole bytes, so that the places between them are known."""
    content = bytes(range(256)) * 400
    pieces = [content[at:at + 40000] for at in range(0, len(content), 40000)]
    head, body, places = b"\x1f\x8b\x08" + bytes(7), b"", []
    for piece in pieces:
        places.append((len(head + body), sum(map(len, pieces[:len(places)]))))
        body += struct.pack("<BHH", piece is pieces[-1], len(piece), 65535 - len(piece)) + piece
    file = head + body + struct.pack("<II", zlib.crc32(content), len(content))
    places[0] = (0, 0)

    def index(file, places, windows):
        table = b"GZIDX\x01\0" + struct.pack("<QQIII", len(file), len(content), 40000, 32768, len(places))
        table += b"".join(struct.pack("<QQBB", stored, at, 0, at > 0) for stored, at in places)
        ends = [at for _, at in places[1:]] + [len(content)]
        bind = b"FIDUCIAL" + file[-8:] + hashlib.sha256(file).digest()
        bind += b"".join(struct.pack("<I", zlib.crc32(content[at:end])) for (_, at), end in zip(places, ends))
        return table + windows + bind + hashlib.sha256(table + bind).digest()

    windows = b"".join(content[at - 32768:at] for _, at in places[1:])
    for name, table in (("places", places), ("one_place", places[:1]), ("wrong_places", [(at + 3, to) for at, to in places])):
        kept = b"" if len(table) == 1 else windows
        yield name, struct.pack("<I", len(file)) + file + index(file, table, kept)
    small = gzip(b"fiducial " * 40) + gzip(b"mask " * 30) + bytes(4)
    yield "members", struct.pack("<I", len(small)) + small
    yield "of_another_file", struct.pack("<I", len(small)) + small + index(file, places[:1], b"")


def gzip_seeds():
    text = b"a fiducial is a mark of known position " * 3
    for pieces in (0x00, 0x40, 0xF0):  # the first byte: size of the reads, and whether there is a gzip wrapper
        yield f"bare_{pieces:02x}", bytes([pieces]) + deflate(text)
        yield f"gzip_{pieces:02x}", bytes([pieces | 1]) + gzip(text)
    for pieces in (0x02, 0x4A, 0xF2):  # content that is compressed first
        yield f"content_{pieces:02x}", bytes([pieces]) + text + bytes(range(256))
    yield "bare_fixed", b"\x40" + deflate(text, strategy=zlib.Z_FIXED)
    yield "bare_huffman", b"\x40" + deflate(bytes(range(256)), strategy=zlib.Z_HUFFMAN_ONLY)
    yield "bare_stored", b"\x40" + deflate(text, level=0)
    yield "gzip_empty", b"\x41" + gzip(b"")
    yield "gzip_zeros", b"\xf1" + gzip(bytes(20000))
    yield "gzip_name", b"\x41" + gzip(text, flags=0x08, fields=b"a.nii\0")
    yield "gzip_extra", b"\x41" + gzip(text, flags=0x14, fields=b"\x04\0abcdcomment\0")
    yield "gzip_two_members", b"\x41" + gzip(text) + gzip(text[:9])
    yield "gzip_padded", b"\x41" + gzip(text) + bytes(5) + gzip(b"x") + bytes(3)


def zip_seeds():
    stored, deflated = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
    text = b"mask " * 20
    yield "empty", archive({})
    yield "stored", archive({"a.nii": (b"abc", stored)})
    yield "deflated", archive({"a.nii.gz": (text, deflated), "b": (b"", stored)})
    yield "folder", archive({"d/": (b"", stored), "d/a": (text, deflated)})
    yield "comment", archive({"a": (b"abc", stored)}, comment=b"hello")
    yield "utf8", archive({"\u00e9": (b"abc", stored)})
    yield "descriptor", archive({"a": (text, deflated), "b": (b"abc", stored)}, sink=Pipe())
    yield "zip64_entry", zip64_entry(b"a", text)
    yield "zip64_end", with_zip64_end(archive({"a": (b"abc", stored)}))
    yield "link", archive({"a": (b"abc", stored)}).replace(struct.pack("<I", 0o100644 << 16), struct.pack("<I", 0o120777 << 16))
    yield "traversal", archive({"../a": (b"abc", stored)})


def zip64_entry(name, content):
    """One entry whose sizes stand in zip64 fields. Written here: zipfile's bytes depend on its version."""
    packed = deflate(content)
    sizes = struct.pack("<HHQQ", 1, 16, len(content), len(packed))
    entry = struct.pack("<HHHHHIIIHH", 45, 0, 8, 0, 33, zlib.crc32(content), 2**32 - 1, 2**32 - 1, len(name), len(sizes))
    front = struct.pack("<I", 0x04034B50) + entry + name + sizes + packed
    directory = struct.pack("<IH", 0x02014B50, 0x032D) + entry + struct.pack("<HHHII", 0, 0, 0, 0o100644 << 16, 0) + name + sizes
    return front + directory + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 1, 1, len(directory), len(front), 0)


def reader_answer(slices):
    record = {"series": "1.2", "frame_of_reference": "", "modality": "CT", "syntax": "1.2.840.10008.1.2.1", "decodable": True,
              "lossy": False, "rows": 2, "columns": 3, "samples": 1, "photometric": "MONOCHROME2", "bits_stored": 12,
              "high_bit": 11, "lookup_table": False, "orientation": "1\\0\\0\\0\\1\\0", "spacing": "0.8\\0.7", "step": "",
              "thickness": "3", "slope": "1", "intercept": "-1024"}
    lines = [{"fiducial-dicom": 1}, *[record | one for one in slices], {"end": True}]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def dicom_seeds():
    place = lambda file, frame, frames, z: {"file": file, "frame": frame, "frames": frames, "position": f"1\\2\\{z}"}
    yield "answer_two_files", reader_answer([place(0, 0, 1, 5), place(1, 0, 1, 3)])
    yield "answer_frames", reader_answer([place(0, 0, 3, 5), place(0, 1, 3, 7), place(0, 2, 3, 9), place(1, 0, 1, 3)])
    yield "answer_error", b'{"fiducial-dicom":1}\n{"file":0,"skipped":"no"}\n{"file":1,"error":"no"}\n'
    line = b'{"file":%d,"frame":%d,"frames":2,"bytes_per_value":%d,"bits_stored":8,"signed":true,"bytes":%d}\n'
    slices = b"".join(line % (file, frame, size, 6 * size) + bytes(6 * size)
                      for file, size in ((0, 1), (1, 2)) for frame in (0, 1))
    yield "answer_pixels", b'{"fiducial-dicom":1}\n' + slices + b'{"end":true}\n'
    small = dict(columns=3, rows=2, slices=2)
    for syntax in ("explicit", "implicit", "big"):
        yield f"file_{syntax}", dicom.slice_bytes(dicom.Series(**small, syntax=syntax), 0)
    yield "file_enhanced", dicom.enhanced_bytes(dicom.Series(**small))
    yield "file_directory", dicom.directory_bytes()


def with_zip64_end(content):
    front, end = content[:-22], content[-22:]
    entries, size, offset = struct.unpack_from("<HII", end, 10)
    record = struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, entries, entries, size, offset)
    locator = struct.pack("<IIQI", 0x07064B50, 0, len(front), 1)
    return front + record + locator + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 0xFFFF, 0xFFFF, 2**32 - 1, 2**32 - 1, 0)


def wordnet_seeds():
    index = b"effusion n 1 0 1 0 00000000\n"
    data = b"00000000 05 n 02 effusion 0 outpouring(a) 0 000 | flow\n"
    yield "small", index + b"\0" + data + b"\0mice mouse\n"


def report_seeds():
    yield "findings", b"Trachea is open. No pleural effusion was detected; a 13x9.3 mm node (cyst?) is seen. 5x4x5. On the right a nodule."
    yield "items", "\u2022 Emphysema. \u2022 Hiatal hernia \" Ateletasis  Nodules \n- Cyst of 2-3 mm".encode()
    yield "answers", b"\nPTX: none, LAP: not seen\neffusion: no\nemphysema: present (-) RUL nodule. Dr. X: NO"


def icd10_seeds():
    yield "tables", b'01;Certain infections\n=\nA00;A09;01;"Gut; all"\n=\n3;N;X;01;A00;x;x;A00;Cholera;;;;;;;;\n'
    yield "text", b"# WHO\n\nChapter I  Certain infections (A00-A09)\nBlock | A00-A09  Gut\n    A00  Cholera\n\n    A00  Twice\n"
    yield "words", b"ICD M33.9 m30-m36 chapter xiii"


def row_seeds():
    good = medthink.row(68, 1)
    line = lambda row, **style: json.dumps(row, **style).encode()
    yield "good", line(good)
    yield "utf8", line(good, ensure_ascii=False)
    yield "compact", line(good, separators=(",", ":"))
    yield "nulls", line(good | {f"image_{slot:02d}_{name}": None for slot in range(4, 50) for name in ("id", "path")})
    yield "types", line(good | {"image_count": "3", "options": [1], "is_longitudinal": 1, "title": 68})
    yield "extra", line(good | {"prediction": "A", "prediction_twi": {"step1_per_image_findings": ["a"]}, "score": 1.5})
    for name, change in medthink.BREAKS.items():
        rows = [medthink.row(66, 1), medthink.row(67, 1)]
        change(rows)
        yield name.replace("-", "_"), line(rows[0], ensure_ascii=False)


def picture_seeds():
    rows = medthink.pattern("seed")
    yield "jpeg", medthink.jpeg_bytes(rows=rows)
    yield "jpeg_small", medthink.jpeg_bytes(rows=[[40]])
    yield "png", medthink.png_bytes(rows)
    yield "png_alpha", medthink.png_bytes(rows, alpha=9)
    yield "png_text", medthink.png_bytes(medthink.with_text([[20] * 90 for _ in range(100)], "ANNA 1929", 2))
    yield "truncated_jpeg", medthink.jpeg_bytes(rows=rows)[:-20]
    yield "truncated_png", medthink.png_bytes(rows)[:-20]
    yield "gif", b"GIF89a" + bytes(9)


def worksheet_seeds():
    cell = '<c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>b &amp; c</t></is></c>'
    yield "sheet", f'<?xml version="1.0"?><worksheet><row r="1">{cell}</row><row><c t="b"><v>1</v></c></row></worksheet>'.encode()
    yield "shared", b'<sst count="2"><si><t>a</t></si><si><r><t>b</t></r><rPh sb="0"><t>c</t></rPh></si></sst>'
    yield "book", b'<w><sheets><sheet name="x" r:id="r1"/></sheets><Relationship Id="r1" Target="/xl/s.xml"/></w>'
    yield "broken", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'


def text_seeds():
    yield "mention", "Sarcoidosis\nKnown sarcoidosis; no Crohn's disease. CD?".encode()
    yield "synonyms", b"embolism|PE\nPE was excluded\n"
    yield "identifiers", "x\nMrs Anna Smith, 12/03/2014, MRN: 123456, +49 30 1234567, a@b.org, März 2014".encode()
    yield "latin", "Hæmangioma\nHemangioma cannot be excluded, Sjögren’s".encode()


def table_seeds():
    yield "presence", b"Volumename,Anatomy,Finding,Presence\ntrain_1_a_1.nii.gz,lung,\"mass, nodule\",No.\n"
    yield "size", b"\xef\xbb\xbfVolumename,Anatomy,Abnormality,Size\r\ntrain_1_a_11.nii.gz,lung/lung,nodule,1.2 x 0.8 cm\r\n"
    yield "disorders", b"Volumename,Disorders\ntrain_1_a_1.nii.gz,no findings\n"
    yield "report", b'{"case": "v", "sentences": [{"text": "A nodule in the left lung.", "channel": 0, "regions": ["lung/lung"]}]}\n'
    yield "twice", b'{"case": "v", "sentences": []}\n{"case": "v.nii.gz", "sentences": []}\n'


def chain_seeds():
    box = [10, 20, 30, 40, 50, 60]
    steps = [{"level": "lung", "bbox": box}, {"step": "lobe", "text": "left lower lobe (10,20,30) to (40,50,60)"}]
    yield "keyed", json.dumps({"test": {"train_12_a_1.nii.gz": {"0": steps, "P1": {"box": {"x_min": 1, "xmax": 2}}}}}).encode()
    yield "listed", json.dumps([{"name": "a/valid_3_b_2.nii.gz", "findings": [{"finding": "nodule", "chain": steps}]}]).encode()
    yield "corners", json.dumps({"train_1_a_1": {"steps": [[[1, 2, 3], [4, 5, 6]], dict(zip(("x1", "y1", "z1", "x2", "y2", "z2"), box))]}}).encode()
    yield "text", b"[1, 2, 3, 4.5, -5, 6] and (1,2,3)-(4,5,6), [7"


def answer_seeds():
    steps = {"step1_per_image_findings": ["a nodule"], "step2_integrated_summary": "one nodule", "step3_differential_reasoning": "B"}
    yield "letters", b'{"title": "Case number 1", "prediction": "A"}\n{"title": "Case number 2", "prediction": null}\n'
    yield "steps", json.dumps({"title": "Case number 3", "prediction_twi": steps, "prediction_discussion": "x"}).encode() + b"\n"
    yield "raw", b'{"title": "Case number 4", "raw_output": {"answer": "C", "explanation": "because"}}\n\n'
    yield "twice", b'{"title": "Case number 5", "raw_output": "D"}\n{"title": "Case number 5"}\n'


def item_seeds():
    item = {"title": "Case number 1", "options": {"A": "x", "B": "y"}, "leaked": ["a)", "B."]}
    yield "list", json.dumps([item, {"src_key": "k"}]).encode()
    yield "member", json.dumps({"data": [item], "version": 1}).encode()
    yield "mapping", json.dumps({"one": item, "two": {"A": "x"}}).encode()
    yield "lines", json.dumps(item).encode() + b'\n{"name": "two"}\n'
    yield "replies", b'{"request": "00", "reply": {"leaked": []}}\n{"item": "k", "error": "why"}\n'


def mask_seeds():
    mask = gzip(nifti1([3, 3, 2], 2))
    for name, files in {"structures": {"masks/seg_v/heart.nii.gz": mask, "masks/seg_v/liver.nii.gz": mask[:60]},
                        "label_map": {"masks/v.nii.gz": mask, "masks/labels.json": b'{"1": "heart", "2": "liver"}'}}.items():
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
            for path, content in files.items():
                archive.writestr(zipfile.ZipInfo(path), content)
        yield name, packed.getvalue()
    yield "names", b'{"labels": {"background": 0, "heart": 1}}'


def journal_seeds():
    finding = {"index": 0, "category": "2d", "category_group": "2d", "focality": "focal", "voxels": 7, "entities": 1, "strict": [0.5, None],
               "official": [1.0], "matching": {"matches": [[1, 1, 0.7]], "unmatched_reference": [], "unmatched_prediction": [2], "had_tie": False}}
    case = {"case": "a.nii.gz", "patient": "a", "protocol": "p", "reference": "a.nii.gz", "reference_sha256": "0" * 64, "status": "scored",
            "reason": "", "official_status": "scored", "official_reason": "", "findings": [finding], "notes": [], "prediction_sha256": "1" * 64}
    yield "case", json.dumps(case).encode() + b"\n"
    yield "numbers", b'{"sums": "0.5 1 nan ", "case": "rouge_1_stem_step1"}\n{"sums": "1 2 3 ", "case": "b"}\n{"cut'


def job_seeds():
    body = ('{"schema":"fiducial.job/1",\n"tool_version":"0.1.0",\n"build":"ab",\n"verb":"score",\n"request":{},\n"inputs":[],\n"units":2,'
            '"may_differ":false,\n"cases":[\n["a",5,0,"s"],\n["b",3,1,"s"]\n],\n')
    yield "plan", (body + '"sha256":"' + hashlib.sha256(body.encode()).hexdigest() + '"}\n').encode()
    yield "unit", json.dumps({"schema": "fiducial.unit/1", "plan": "0" * 64, "unit": 1, "files": {"a.nii.gz": "1" * 64},
                              "value": {"cases": {}}}).encode()
    problem = {"code": "mask_torn", "severity": "error", "file": "a", "place": "", "message": "m", "occurrences": 2}
    yield "checked", json.dumps({"problems": {"problems": [problem], "counts": [["mask_torn", "error", 1, 1]]},
                                 "submitted": {"name": "a", "bytes": 3, "sha256": "2" * 64}}).encode()


def plan_seeds():
    plan = {"schema": "fiducial.plan/2", "task": "fuzz", "split": "test", "system": "s", "mode": "strict", "seed": 0, "resamples": 100,
            "options": {"tolerance-mm": ["2"]}, "given_paths": [], "inputs": [{"role": "cases", "name": "", "file": "f", "sha256": "0" * 64}]}
    yield "second", json.dumps(plan).encode()
    yield "private", json.dumps({**plan, "inputs": [], "private": {"min_group": 20}}).encode()
    yield "first", json.dumps({**plan, "schema": "fiducial.plan/1", "inputs": [], "files": [{"case": "a", "sha256": "0" * 64}]}).encode()


def control_seeds():
    prompts = [{"kind": "finding", "text": "Nodule in the left lung.", "category": "2d", "origin": {"finding": 0}},
               {"kind": "paraphrase", "text": "CT shows nodule in the left lung.", "finding": 0, "origin": {"rule": "frame"}},
               {"kind": "swapped_side", "text": "Nodule in the right lung.", "finding": 0},
               {"kind": "denied", "text": "Pneumothorax", "origin": {"name": "pneumothorax", "denied_by": {"report": "a", "begin": 1, "end": 9}}},
               {"kind": "silent", "text": "Bulla"}]
    line = json.dumps({"case": "a.nii.gz", "prompts": prompts}).encode()
    yield "kinds", line + b"\n"
    yield "twice", line + b"\n\n" + line + b"\n"
    yield "far", json.dumps({"case": "a", "prompts": [{"kind": "swapped_lobe", "text": "", "finding": -1}]}).encode()


def summary_seeds():
    slot = {"value": 0.25, "metric": "dice", "version": 1, "better": "higher", "n": 2, "ci95": [0, 0.5]}
    summary = {"schema": "fiducial.scores/1", "benchmark": "b", "split": "test", "mode": "strict", "system": "s", "task": "finding_masks",
               "metrics": {"dice_per_finding": slot, "dice_per_case": slot}, "groups": {"category": {"1a": {"dice_per_finding": slot}}},
               "counts": {"cases": 2, "findings": 2, "missing": 1, "failed": 0}, "orientation": None, "remarks": []}
    yield "masks", json.dumps(summary).encode()
    yield "undefined", json.dumps({**summary, "metrics": {"dice_per_case": {**slot, "value": None, "reason": "none"}}, "official": {}}).encode()


def row_table_seeds():
    import pyarrow
    import pyarrow.parquet
    columns = {"case": ["a", "b"], "patient": ["a", "b"], "finding": [0, 0], "category": ["1a", None], "scorer": ["strict", "official"],
               "metric": ["dice", "dice"], "status": ["scored", "missing"], "value": [0.5, None], "weight": [1.0, 0.0], "group_size": ["1", "2"]}
    for name, names in {"all": list(columns), "first": list(columns)[:8]}.items():
        packed = io.BytesIO()
        pyarrow.parquet.write_table(pyarrow.table({key: columns[key] for key in names}), packed, compression="none")
        yield name, packed.getvalue()


def hub_row_seeds():
    import pyarrow
    import pyarrow.parquet
    part = {"schema": "fiducial.hub/1", "file": "dataset.json", "form": "document", "split": "test", "splits": ["test"], "keyed": ["findings"],
            "more": "more", "left_out": ["mask_bytes"], "folders": {"mask": "segmentations"}}
    columns = {"name": ["a.nii.gz", "b.nii.gz"], "findings": [["one", None], []], "flag": [True, None], "share": [0.5, None],
               "options": [{"A": "x"}, None], "mask": [{"bytes": b"123", "path": "a.nii.gz"}, None], "mask_bytes": [3, None],
               "more": ['{"name": null, "x": [1]}', None]}
    for name, metadata in {"document": {"fiducial": json.dumps(part)}, "table": {"fiducial": '{"schema": "fiducial.hub/1", "file": "a.csv"}'}}.items():
        packed = io.BytesIO()
        table = pyarrow.table(columns).replace_schema_metadata(metadata)
        pyarrow.parquet.write_table(table, packed, compression="none", row_group_size=1)
        yield name, packed.getvalue()


def request_seeds():
    yield "get", b"GET /cases/7?a=1&b=%41 HTTP/1.1\r\nHost: a\r\nRange: bytes=2-5\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"
    yield "length", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nabcd"
    yield "chunked", (b"PUT /cases/7/files/a/b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                      b"4;x=1\r\nabcd\r\n0\r\nX: t\r\n\r\n")
    yield "both", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    yield "last_chunk", b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    yield "old", b"GET /%2e%2e/b HTTP/1.0\r\nConnection: keep-alive\r\n folded\r\n\r\n"


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF


def checked(line):
    text = json.dumps(line, separators=(",", ":"))[:-1]
    return f'{text},"crc32c":"{crc32c(text.encode()):08x}"}}\n'.encode()


def chat_seeds():
    header = checked({"journal": "fiducial.journal/1", "plan": {"model": "m"}})
    entry = {"request": "request", "item": "i", "step": "answer", "attempt": 1, "started": "2026-03-01T12:00:00.000Z", "seconds": 0.5}
    failed = checked({**entry, "status": 500, "error": "no"})
    replied = checked({**entry, "status": 200, "model": "m", "finish": "stop", "usage": {"prompt": 1}, "reply": "{\"answer\":\"B\"}"})
    yield "journal", header + failed + replied
    yield "torn", header + failed + replied[:-9]
    yield "replies", b'{"request":"request","reply":{"answer":"B"},"tokens":{"prompt":1}}\n{"request":"b","error":"no"}'
    yield "openai", b'{"choices":[{"message":{"content":"B","refusal":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}'
    yield "responses", b'{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"B"}]}]}'
    yield "anthropic", b'{"content":[{"type":"text","text":"B"}],"stop_reason":"end_turn","usage":{"input_tokens":1}}'
    yield "gemini", b'{"candidates":[{"content":{"parts":[{"text":"B"}]},"finishReason":"STOP"}]}'
    yield "error", b'{"error":{"message":"Unsupported parameter: temperature","param":"temperature","code":"unsupported_parameter"}}'
    yield "prompt", b"[system]\nA\n[user]\n{{history}}\n"
    yield "url", b"https://api.example.org:443/v1"
    yield "date", b"Sun, 06 Nov 1994 08:49:37 GMT"


def case_table_seeds():
    import pyarrow
    import pyarrow.parquet
    options = {letter: "diagnosis " + letter for letter in "ABCDE"}
    image = {"bytes": b"\xff\xd8\xff\xd9", "path": "images/case00001/abcdefgh.jpg"}
    row = {"title": "Case number 1", "CLINICAL_HISTORY": "pain", "options": options, "correct_answer": "A", "correct_answer_text": options["A"],
           "is_longitudinal": False, "timepoint_count": 1.0, "image_count": 1, "image_01_id": "abcdefgh", "image_01_path": image["path"],
           "image_01_modality": "CT", "image_01": image}
    for name, rows in {"embedded": [row, {**row, "title": "Case number 2", "image_01": None}], "text": [{**row, "options": json.dumps(options)}]}.items():
        table = pyarrow.Table.from_pylist(rows)
        packed = io.BytesIO()
        pyarrow.parquet.write_table(table, packed, compression="none")
        yield name, packed.getvalue()
        for form, open_writer in {"stream": pyarrow.ipc.new_stream, "file": pyarrow.ipc.new_file}.items():
            packed = io.BytesIO()
            with open_writer(packed, table.schema) as writer:
                writer.write_table(table)
            yield name + "_" + form, packed.getvalue()


def case_schema_seeds():
    options = {letter: "diagnosis " + letter for letter in "ABCDE"}
    working = {"title": "a", "CLINICAL_HISTORY": "h", "DISCUSSION": "d", "options": options, "correct_answer": "B",
               "img": [{"img_alt": "one", "img_alt2": "two"}]}
    released = {"title": "Case number 7", "CLINICAL_HISTORY": "h", "discussion": "d", "options": options, "correct_answer": "B",
                "image_count": 1, "image_01_id": "abcdefgh", "image_01_path": "images/case00007/abcdefgh.jpg", "image_01_caption": "c"}
    yield "working", json.dumps(working).encode()
    yield "released", json.dumps(released).encode()
    yield "table", b"case_title,clinical_history,final_diagnosis,differential_diagnosis,OptionA,OptionB,OptionC,OptionD,OptionE,correct Answer,image1_caption\na,h,x,x;;y,x,y,z,v,w,B,c\n"


def conformance_seeds():
    record = {"schema": "fiducial.conformance/1", "tool_version": "0.1.0", "equal": True, "script": {"name": "s.py", "sha256": "0" * 64}}
    scores = {"summary": {"dice": 0.5}, "cases": [{"name": "a", "findings": [{"dice": 0.5, "matches": [[1, 1, 0.5]]}]}]}
    yield "record", json.dumps(record).encode()
    yield "files", json.dumps(scores).encode() + b"\n" + json.dumps(scores).encode()


def report_reply_seeds():
    yield "findings", b'{"S1": ["12 mm nodule in the left upper lobe", "L0,I0", "Y", "N"], "S2": ["No pleural effusion", "B0", "N", "N"]}'
    yield "codes", b'{"P1": "2d"}'
    yield "standard", json.dumps({"Lungs": {"L0": "A 12 mm nodule is in the left upper lobe."}, "Impressions": {"I0": "Nodule in the left upper lobe."}}).encode()
    yield "grounding", json.dumps({"findings": [{"finding": "nodule", "anatomy": [], "present": "Y", "size": "12 mm"}], "disorders": []}).encode()


def run_container_seeds():
    def container(flags, payload, runs, box, extent=(10, 2, 1)):
        head = b"FRUN" + struct.pack("<BBH4I", 1, flags, 0, *extent, 1)
        return head + struct.pack("<3I6H", 0, len(payload), runs, *box) + payload
    yield "plain", container(0, bytes([2, 3, 5, 1]), 2, (0, 5, 0, 2, 0, 1))
    yield "entities", container(1, bytes([2, 3, 1, 0, 2, 2, 3, 1, 0xAC, 2]), 3, (0, 7, 0, 2, 0, 1))
    yield "empty", container(0, b"", 0, (0,) * 6)
    yield "slab", bytes(range(16))


def query_seeds():
    yield "cursor", b'[false,0.5,"a case",12]'
    yield "cases", b"q=two+nodules&split=test&group=category%3D2d&sort=value&order=desc&limit=1000"
    yield "rows", b"metric=dice&where=a%3Db&where=c%3Dd&after=%5Bfalse%2C0.5%2C%22a%22%2C12%5D"
    yield "slice", b"l=-600&w=1500.5&side=1024&&limit=0"
    yield "no_text", b"q=%ff&split=%00&limit=1e3"
    yield "marks_of_the_declaration", b"where*=a"


def listing_seeds():
    yield "tree", b'[{"type": "file", "path": "a/b.nii.gz", "size": 12, "lfs": {"size": 12}}, {"type": "directory", "path": "a", "size": 0}]'
    yield "siblings", b'{"id": "a", "siblings": [{"rfilename": "b.nii.gz", "size": 7}, {"rfilename": "c"}]}'
    yield "table", b"path,size\na/b.nii.gz,12\n"


def image_table_seeds():
    yield "table", b"title,image_id,modality,sub_modality,supportive,inconsistent\nCase number 1,a,CT,Axial,yes,no\nCase number 1,b,MRI,,,\n"
    yield "lines", b'{"title": "Case number 1", "image_id": "a", "modality": "CT", "supportive": "yes"}\n'
    yield "run", b'{"title": "Case number 1", "image_labels": [{"image": 1, "modality": "CT"}, {"image": 2, "modality": "XR"}]}\n'


def earlier_output_seeds():
    span = {"column": "Findings_EN", "begin": 2, "end": 8}
    fact = {"VolumeName": "v1", "finding": "nodule", "polarity": "absent", "certainty": "stated", **span}
    finding = {"VolumeName": "v1", "place": "P1", "text": "nodule", "category": "2a", "polarity": "present", "sources": [span]}
    texts = [b"VolumeName,Findings,Impressions\nv1,A nodule.,No effusion.\n", json.dumps(fact).encode() + b"\n",
             json.dumps(finding).encode() + b"\n", json.dumps({"VolumeName": "v1", "sentence": "L0", "sources": [span]}).encode() + b"\n",
             b"VolumeName,Finding,Category\nv1,nodule,1b\n", b'{"VolumeName":"v1","label":"Lung nodule","begin":2,"end":8}\n',
             b'{"VolumeName":"v1","sentence":0,"regions":["lung"]}\n',
             b'{"Volumename":"v1","family":"presence","question":"Is there a nodule?","answer":"No."}\n',
             b'{"P1": "No nodule.", "P2": 3}', b'{"schema":"fiducial.curation/1","stage":"standardise"}',
             b"report,kind,item,aspect,wrong\nv1,finding,P1,code,1\nv1,report,,missed,2\n"]
    for number, text in enumerate(texts):
        yield f"file_{number:02}", bytes([number]) + text


def main():
    targets = {
        "annotations": annotation_seeds,
        "answers": answer_seeds,
        "case_schemas": case_schema_seeds,
        "case_tables": case_table_seeds,
        "chat": chat_seeds,
        "conformance": conformance_seeds,
        "controls": control_seeds,
        "csv": csv_seeds,
        "dataset": dataset_seeds,
        "detections": detection_seeds,
        "diagnosis_row": row_seeds,
        "diagnosis_text": text_seeds,
        "dicom": dicom_seeds,
        "dicom_masks": dicom_mask_seeds,
        "earlier_outputs": earlier_output_seeds,
        "fmask": fmask_seeds,
        "gzip": gzip_seeds,
        "gzip_index": gzip_index_seeds,
        "http_request": request_seeds,
        "hub_rows": hub_row_seeds,
        "icd10": icd10_seeds,
        "image_tables": image_table_seeds,
        "items": item_seeds,
        "job": job_seeds,
        "journal": journal_seeds,
        "json": json_seeds,
        "listing": listing_seeds,
        "masks": mask_seeds,
        "metadata": metadata_seeds,
        "name_table": name_table_seeds,
        "nifti": nifti_seeds,
        "picture": picture_seeds,
        "plan": plan_seeds,
        "published_chains": chain_seeds,
        "query": query_seeds,
        "report": report_seeds,
        "report_replies": report_reply_seeds,
        "rows": row_table_seeds,
        "summary": summary_seeds,
        "tables": table_seeds,
        "transform_record": transform_record_seeds,
        "view_policy": view_policy_seeds,
        "volume": volume_seeds,
        "wire_runs": run_container_seeds,
        "wordnet": wordnet_seeds,
        "worksheet": worksheet_seeds,
        "zip": zip_seeds,
    }
    for target, seeds in targets.items():
        folder = CORPUS / target
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in seeds():
            (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
