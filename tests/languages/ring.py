# SPDX-License-Identifier: BSD-2-Clause
"""A ring of nodes and edges from Python's standard library, compared with a model. PLAIT_BACKEND chooses the backend.

Usage: ring.py libplait.so
"""
import ctypes, sys
from ctypes import byref, c_double, c_int, c_int64, c_size_t, c_uint64, c_void_p
lib = ctypes.CDLL(sys.argv[1])
lib.pl_errmsg.restype = ctypes.c_char_p
lib.pl_struct_size.restype = c_size_t
lib.pl_struct_member.restype = c_void_p
pl = c_void_p()

def call(function, *args):
    if getattr(lib, function)(*args):
        raise RuntimeError(lib.pl_errmsg(pl).decode())

def declare(function, *args):
    handle = c_void_p()  # returned through the last pointer
    call(function, *args, byref(handle))
    return handle

def constant(name):
    value = c_int()
    call("pl_constant", name.encode(), byref(value))
    return value.value

def arguments(*args):
    # ("dat", x, 0, map, READ) is pl_arg_dat(x, 0, map, PL_READ)
    array = (c_uint64 * (len(args) * lib.pl_struct_size(b"pl_arg") // 8))()
    for position, (kind, *values) in enumerate(args):
        getattr(lib, "pl_put_arg_" + kind)(array, position, *values)
    return len(args), array

def fetch(dat, values, type):
    call("pl_dat_fetch_as", dat, type, values)
    return list(values)

call("pl_init_sized", None, None, None, c_size_t(0), byref(pl))
READ, INC, WRITE, DOUBLE, INT = map(constant, ("PL_READ", "PL_INC", "PL_WRITE", "PL_DOUBLE", "PL_INT"))
n, first, total = 1000, 1000 * lib.pl_rank(pl), 1000 * lib.pl_ranks(pl)  # nodes and edges of this rank; of all
height = [float(k * k % 7) for k in range(total)]
ends = [(k, (k + 1) % total) for k in range(total)]

# Edge k leads from node k to node k + 1, around the ring.
nodes = declare("pl_decl_set", pl, c_int64(n), b"nodes")
edges = declare("pl_decl_set", pl, c_int64(n), b"edges")
index = (c_int * (2 * n))(*[node for pair in ends[first:first + n] for node in pair])
end = declare("pl_decl_map", edges, nodes, 2, index, b"end")
u = declare("pl_decl_dat", nodes, 1, DOUBLE, (c_double * n)(*height[first:first + n]), b"height")
flow = declare("pl_decl_dat", nodes, 1, DOUBLE, None, b"flow")
energy = declare("pl_decl_global", pl, 1, DOUBLE, None, b"energy")
kernel = declare("pl_kernel_from_source_sized", pl, b"exchange", b"""
  void exchange(const double *a, const double *b, double *to_a, double *to_b, double *sum) {
    double d = b[0] - a[0];
    to_a[0] += d, to_b[0] -= d;
    sum[0] += d * d;
  }""", None, c_size_t(0))
call("pl_par_loop_args", kernel, edges,
     *arguments(("dat", u, 0, end, READ), ("dat", u, 1, end, READ), ("dat", flow, 0, end, INC),
                ("dat", flow, 1, end, INC), ("gbl", energy, INC)))

# The place of each node among those with height above 3: an exclusive scan.
place = declare("pl_decl_dat", nodes, 1, INT, None, b"place")
scan = declare("pl_algorithm_from_source", pl, b"places", b"int", b"0", b"a + b", b"(const double *u, int *place)",
               b"u[i] > 3", None, b"{ place[i] = prev_item; }")
call("pl_scan_args", scan, nodes, *arguments(("direct", u, READ), ("direct", place, WRITE)))

# The model.
step = [height[b] - height[a] for a, b in ends]
assert fetch(flow, (c_double * n)(), DOUBLE) == [step[k] - step[k - 1] for k in range(first, first + n)]
assert fetch(place, (c_int * n)(), INT) == [sum(h > 3 for h in height[:k]) for k in range(first, first + n)]
squares = c_double()
call("pl_global_get_as", energy, DOUBLE, byref(squares))
assert squares.value == sum(d * d for d in step)

stats = (c_uint64 * (lib.pl_struct_size(b"pl_stats") // 8))()
call("pl_get_stats_sized", pl, stats, c_size_t(ctypes.sizeof(stats)))
print("loops run:", c_uint64.from_address(lib.pl_struct_member(b"pl_stats", b"loops_run", stats)).value)
lib.pl_finalize(byref(pl))
