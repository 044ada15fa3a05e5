/* SPDX-License-Identifier: BSD-2-Clause
 * Words of skeletons (src/codegen/device/skeleton.h), so that a C compiler reads a template file alone.
 */
#include <stdint.h>

#define PL_BLOCK_SIZE 128
#define $type double
#define $neutral 0
#define $dim 4
#define $stride 4
#define $arg 3
#define $better <
#define $running sum_q
#define $local
#define $global
#define $shared
#define $barrier ;
#define $fence ;
#define $draw (*p)++
#define $blocks 8
#define $local_size 128
#define $size 128
#define $start 0
#define $extreme
#define $source
#define $from_zero
#define $loads
#define $place dat_q[pl_target]
#define $copy block$staged_$stem[pl_i]
#define $value 0
#define $bits uint64_t
#define $next now.v + v
#define $swap a + b
#define $combine(into, from) into += from
#define $payloads(skeleton) skeleton()

extern double v, *p, sum_q[], block_$stem[], result_$stem[], $seen_$stem[], global_$stem[], inc_$stem[],
  sum_$stem[], block$staged_$stem[], dat_q[];
extern int64_t winners_$stem[], holder_$stem[], keeper_$stem[], winner_$stem;
extern int source_$stem[], source_$of[], pl_from$list[], pl_to$staged[];
extern int pl_t, pl_b, pl_n, pl_nblocks, pl_from_zero, *pl_counter, pl_n$staged, pl_f$staged, pl_target,
  start$staged_$stem;
extern char *pl_shared;
