! SPDX-License-Identifier: BSD-2-Clause
! A ring of nodes and edges in Fortran, compared with a model. PLAIT_BACKEND chooses the backend.
program ring
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: n = 1000
  type(c_ptr) :: pl, nodes, edges, end, u, flow, energy, kernel
  integer(c_int64_t), allocatable :: args(:)
  real(c_double), target :: height(n), got(n), sum_of_squares
  integer(c_int), target :: ends(2 * n)
  real(c_double) :: step(n)
  integer :: k

  interface
    function pl_errmsg(pl) bind(c)
      import; type(c_ptr), value :: pl; type(c_ptr) :: pl_errmsg
    end function
    function pl_init_sized(argc, argv, settings, size, pl) bind(c) result(err)
      import; type(c_ptr), value :: argc, argv, settings; integer(c_size_t), value :: size
      type(c_ptr) :: pl; integer(c_int) :: err
    end function
    subroutine pl_finalize(pl) bind(c)
      import; type(c_ptr) :: pl
    end subroutine
    function pl_constant(name, val) bind(c) result(err)
      import; character(kind=c_char) :: name(*); integer(c_int) :: val, err
    end function
    function pl_struct_size(type) bind(c) result(bytes)
      import; character(kind=c_char) :: type(*); integer(c_size_t) :: bytes
    end function
    function pl_decl_set(pl, n, name, set) bind(c) result(err)
      import; type(c_ptr), value :: pl; integer(c_int64_t), value :: n
      character(kind=c_char) :: name(*); type(c_ptr) :: set; integer(c_int) :: err
    end function
    function pl_decl_map(from, to, arity, indices, name, map) bind(c) result(err)
      import; type(c_ptr), value :: from, to; integer(c_int), value :: arity; integer(c_int) :: indices(*)
      character(kind=c_char) :: name(*); type(c_ptr) :: map; integer(c_int) :: err
    end function
    function pl_decl_dat(set, dim, type, values, name, dat) bind(c) result(err)
      import; type(c_ptr), value :: set, values; integer(c_int), value :: dim, type
      character(kind=c_char) :: name(*); type(c_ptr) :: dat; integer(c_int) :: err
    end function
    function pl_decl_global(pl, dim, type, values, name, global) bind(c) result(err)
      import; type(c_ptr), value :: pl, values; integer(c_int), value :: dim, type
      character(kind=c_char) :: name(*); type(c_ptr) :: global; integer(c_int) :: err
    end function
    function pl_kernel_from_source_sized(pl, name, source, options, size, kernel) bind(c) result(err)
      import; type(c_ptr), value :: pl, options; character(kind=c_char) :: name(*), source(*)
      integer(c_size_t), value :: size; type(c_ptr) :: kernel; integer(c_int) :: err
    end function
    subroutine pl_put_arg_dat(args, position, dat, index, map, access) bind(c)
      import; integer(c_int64_t) :: args(*); type(c_ptr), value :: dat, map
      integer(c_int), value :: position, index, access
    end subroutine
    subroutine pl_put_arg_gbl(args, position, global, access) bind(c)
      import; integer(c_int64_t) :: args(*); type(c_ptr), value :: global
      integer(c_int), value :: position, access
    end subroutine
    function pl_par_loop_args(kernel, set, nargs, args) bind(c) result(err)
      import; type(c_ptr), value :: kernel, set; integer(c_int), value :: nargs
      integer(c_int64_t) :: args(*); integer(c_int) :: err
    end function
    function pl_dat_fetch_as(dat, type, values) bind(c) result(err)
      import; type(c_ptr), value :: dat; integer(c_int), value :: type
      real(c_double) :: values(*); integer(c_int) :: err
    end function
    function pl_global_get_as(global, type, values) bind(c) result(err)
      import; type(c_ptr), value :: global; integer(c_int), value :: type
      real(c_double) :: values; integer(c_int) :: err
    end function
  end interface

  call check(pl_init_sized(c_null_ptr, c_null_ptr, c_null_ptr, 0_c_size_t, pl))
  height = [(real(mod(k * k, 7), c_double), k = 1, n)]
  ends = [(k - 1, mod(k, n), k = 1, n)] ! indices count from 0
  call check(pl_decl_set(pl, int(n, c_int64_t), "nodes" // c_null_char, nodes))
  call check(pl_decl_set(pl, int(n, c_int64_t), "edges" // c_null_char, edges))
  call check(pl_decl_map(edges, nodes, 2, ends, "end" // c_null_char, end))
  call check(pl_decl_dat(nodes, 1, constant("PL_DOUBLE"), c_loc(height), "height" // c_null_char, u))
  call check(pl_decl_dat(nodes, 1, constant("PL_DOUBLE"), c_null_ptr, "flow" // c_null_char, flow))
  call check(pl_decl_global(pl, 1, constant("PL_DOUBLE"), c_null_ptr, "energy" // c_null_char, energy))
  call check(pl_kernel_from_source_sized(pl, "exchange" // c_null_char, &
    "void exchange(const double *a, const double *b, double *to_a, double *to_b, double *sum) {" // &
    "  double d = b[0] - a[0];" // &
    "  to_a[0] += d; to_b[0] -= d; sum[0] += d * d; }" // c_null_char, c_null_ptr, 0_c_size_t, kernel))

  allocate (args(5 * pl_struct_size("pl_arg" // c_null_char) / 8))
  call pl_put_arg_dat(args, 0, u, 0, end, constant("PL_READ"))
  call pl_put_arg_dat(args, 1, u, 1, end, constant("PL_READ"))
  call pl_put_arg_dat(args, 2, flow, 0, end, constant("PL_INC"))
  call pl_put_arg_dat(args, 3, flow, 1, end, constant("PL_INC"))
  call pl_put_arg_gbl(args, 4, energy, constant("PL_INC"))
  call check(pl_par_loop_args(kernel, edges, 5, args))

  step = cshift(height, 1) - height
  call check(pl_dat_fetch_as(flow, constant("PL_DOUBLE"), got))
  call check(pl_global_get_as(energy, constant("PL_DOUBLE"), sum_of_squares))
  if (any(got /= step - cshift(step, -1)) .or. sum_of_squares /= sum(step**2)) error stop "ring: wrong values"
  print "(a)", "ring: as the model"
  call pl_finalize(pl)

contains

  integer(c_int) function constant(name)
    character(*), intent(in) :: name
    call check(pl_constant(name // c_null_char, constant))
  end function

  subroutine check(err)
    integer(c_int), intent(in) :: err
    character(kind=c_char), pointer :: text(:)
    integer :: length
    if (err == 0) return
    call c_f_pointer(pl_errmsg(pl), text, [1000])
    length = 1
    do while (text(length) /= c_null_char)
      length = length + 1
    end do
    print *, text(1:length - 1)
    error stop 1
  end subroutine
end program
