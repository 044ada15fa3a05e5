# SPDX-License-Identifier: BSD-2-Clause
# Dats as tensors of NumPy, CuPy or PyTorch, and their arrays as dats, without a copy and without a transfer.
# Usage: tensors.py LIBRARY FOLDER_OF_HEADERS BACKEND MODULE; exit status 77: skipped, with the reason.
import ctypes
import importlib
import re
import sys

N, DOUBLE, READ, RW = 1000, 9, 1, 3
library, headers, backend, module = sys.argv[1:5]


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


try:
    np = importlib.import_module(module)
except ImportError as error:
    skip(f"{module} is not installed: {error}")

pl = ctypes.CDLL(library)
api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]
pl.pl_errmsg.restype = ctypes.c_char_p
context = ctypes.c_void_p()
names = {b"dltensor": b"used_dltensor", b"dltensor_versioned": b"used_dltensor_versioned"}


def ok(err):
    if err:
        sys.exit(f"tensors.py: {pl.pl_errmsg(context).decode()}")


class Settings(ctypes.Structure):
    _fields_ = [("options", ctypes.POINTER(ctypes.c_char_p)), ("realloc", ctypes.c_void_p),
                ("user", ctypes.c_void_p), ("comm", ctypes.c_void_p)]


def transfers():
    text = open(f"{headers}/plait/stats.h").read()
    body = re.sub(r"/\*.*?\*/", "", text[text.index("typedef struct pl_stats {"):text.index("} pl_stats;")], flags=re.S)
    counters = [name.strip() for line in re.findall(r"uint64_t ([^;]*);", body) for name in line.split(",")]
    values = (ctypes.c_uint64 * 256)()
    ok(pl.pl_get_stats_sized(context, values, ctypes.c_size_t(ctypes.sizeof(values))))
    return values[counters.index("bytes_to_device")] + values[counters.index("bytes_from_device")]


class Exported:
    """A dat for from_dlpack: the tensor is open until the array is deleted."""

    def __init__(self, dat, device):
        self.dat, self.device = dat, device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, max_version=None, **ignored):
        new = max_version is not None and max_version[0] >= 1
        tensor = ctypes.c_void_p()
        ok((pl.pl_dat_to_dlpack if new else pl.pl_dat_to_dlpack_unversioned)(self.dat, RW, ctypes.byref(tensor)))
        return api.PyCapsule_New(tensor, b"dltensor_versioned" if new else b"dltensor", None)


def imported(space, array, name):
    """A dat in the memory of an array."""
    try:
        capsule = array.__dlpack__(max_version=(1, 0))
    except TypeError:
        capsule = array.__dlpack__()
    kind = next(k for k in names if api.PyCapsule_IsValid(capsule, k))
    take = pl.pl_dat_from_dlpack if kind == b"dltensor_versioned" else pl.pl_dat_from_dlpack_unversioned
    dat = ctypes.c_void_p()
    ok(take(space, ctypes.c_void_p(api.PyCapsule_GetPointer(capsule, kind)), name, ctypes.byref(dat)))
    api.PyCapsule_SetName(capsule, names[kind])
    return dat


def finish():
    """Waits for the array library's own stream."""
    if on:
        np.cuda.synchronize()
    if module == "cupy":
        np.cuda.Device().synchronize()


options = (ctypes.c_char_p * 3)(b"backend=" + backend.encode(), b"mpi=off", None)
settings = Settings(options)
if pl.pl_init_sized(None, None, ctypes.byref(settings), ctypes.c_size_t(ctypes.sizeof(settings)), ctypes.byref(context)):
    skip(pl.pl_errmsg(context).decode())
if module == "torch" and backend != "seq" and not np.cuda.is_available():
    skip("PyTorch has no device")
on = {} if module != "torch" or backend == "seq" else {"device": "cuda"}
ones = np.ones((N, 3), dtype=np.float64, **on)
finish()
points, x, zero = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
one = ctypes.c_double(1)
ok(pl.pl_decl_set(context, ctypes.c_int64(N), b"points", ctypes.byref(points)))
ok(pl.pl_decl_dat(points, 3, DOUBLE, None, b"x", ctypes.byref(x)))
ok(pl.pl_decl_dat(points, 3, DOUBLE, None, b"zero", ctypes.byref(zero)))
ok(pl.pl_dat_axpy(one, zero, x))  # the factor moves to the device here, once
before = transfers()
y = imported(points, ones, b"y")
ok(pl.pl_dat_axpy(one, y, x))  # x = 1
ok(pl.pl_dat_axpy(one, x, y))  # y = 2, in the array's memory
ok(pl.pl_sync(context))
array = np.from_dlpack(Exported(x, ones.__dlpack_device__()))
assert tuple(array.shape) == (N, 3) and bool((array == 1).all()), "the array does not show the dat"
array += 1
finish()
assert pl.pl_dat_scale(one, x) != 0, "the open tensor does not keep loops away"
del array
ok(pl.pl_dat_axpy(one, y, x))  # x = 4
ok(pl.pl_sync(context))
assert bool((ones == 2).all()), "the dat does not use the array's memory"
array = np.from_dlpack(Exported(x, ones.__dlpack_device__()))
assert bool((array == 4).all()), "the dat does not have what the array wrote"
del array
assert transfers() == before, "values moved between host and device"
pl.pl_dat_free(ctypes.byref(y))
assert bool((ones == 2).all())
pl.pl_finalize(ctypes.byref(context))
print("passed:", module, "on", backend)
