/* SPDX-License-Identifier: BSD-2-Clause
 * Words of templates (docs/internals/codegen/templates.md), so that a C compiler reads a template file alone.
 * templates.sh adds the names of conditions and statements.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- texts and numbers ---- */

#define $type double
#define $neutral 0
#define $better <
#define $half 0.5
#define $adds +=
#define $c 0
#define $k 1
#define $l 2
#define $v 3
#define $p 1
#define $n 1
#define $r 0
#define $s 1
#define $a 0
#define $seen_type double
#define $pair_type double
#define $slot_type double *
#define $slot_name dat_q
#define $constant
#define $function
#define $linkage
#define $native *p = v;
#define $setup
#define $declares int
#define $row_element pl_e
#define $arity 4
#define $map_entry 1
#define $target_entry 1
#define $lane_entry 1
#define $first_index 0
#define $narrow_block 64
#define $width 2
#define $entries_of_list 2
#define $idle_local 0
#define $own pl_e
#define $where pl_e
#define $squares pl_d0 * pl_d0
#define $place dat_q[4]
#define $other dat_q[5]
#define $own_value pl_x$a[0]
#define $private pl_row
#define $random_words 5
#define $other_index pl_o
#define $target pl_e
#define $argument dat_q
#define $alignment 64
#define $group_bytes 128
#define $member 3
#define $sets +=
#define $record_value pl_record[1]
#define $own_record pl_record[0]
#define $lane_record dat_q[4]
#define $lane_source dat_q[4]
#define $lane_target pl_e
#define $copy_type double
#define pl_vector pl_lanes_$type
#define $vector_count 4
#define $vector_neutral (pl_vector){0}
#define $tensor_rows 6
#define $tensor_columns 6
#define $tensor_blocks 9
#define $block_height 2
#define $block_width 2
#define $name_consts
#define $turns 3
#define $strides 3
#define $target_count 1
#define $guard_size 32
#define $poison 255
#define $dim 4
#define $stride 4
#define $arg 3
#define $lanes 8
#define $mask 7
#define $own_values 4
#define $block_size 128
#define $size 128
#define $start 0
#define $slots 2
#define $row_words 8
#define $at_once 4
#define $team 4
#define $slice 32
#define $batch 4
#define $probe 7
#define $probe_result 8
#define $piece double
#define $far -1e18
#define $running sum_q
#define $local
#define $global
#define $shared
#define $shared_declaration
#define $barrier ;
#define $fence ;
#define $draw (*p)++
#define $blocks 8
#define $block 9
#define $sections 3
#define $section 1
#define $start_value 0
#define $block_id 0
#define $local_id 0
#define $local_size 128
#define $at pl_n
#define $position pl_begin
#define $is_record pl_n != -1
#define $idle pl_target >= pl_end
#define $condition pl_o != pl_e
#define $counted pl_o > pl_e
#define $global_index pl_e
#define $bits uint64_t
#define $next now.v + v
#define $swap a + b
#define PL_BLOCK_SIZE 128
#define PL_LANES
#define PL_COUNT(n) (n)
#define PL_STREAM_END (void)0
#define PL_RECORDS(of, to) double to##0[8] = {of[0]};

#define $dat(record, c) dat_q[4 * (record) + (c)]
#define $record(record, c) dat_q[4 * (record) + (c)]
#define $copy(i, c) block_q[4 * (i) + (c)]
#define $result(c) sum_q[c]
#define $stored(c) dat_q[c]
#define $signed(c) -dat_q[c]
#define $other_lane(x, d) ((x) + (d))
#define $loaded(p, m) pl_record[(p) + (m)]
#define $from_fixed(x) (x)
#define $combine(into, from) into += from
#define $kernel(...)
#define $list_l_lanes(...) (__VA_ARGS__)
#define $list_s_slots(...) (__VA_ARGS__)
#define PL_IN_$value_size_$piece_inX$lanes(...)
#define PL_OUT_$value_size_$piece_outX$lanes(...)
#define PL_STREAM_$bytes_out(...)
#define __builtin_shufflevector(...) (pl_lanes_$type){0}

/* ---- objects of the text ---- */

extern double v, *p, sum_q[], dat_q[], block_q[], block_$stem[], dat_$stem[], result_$stem[], $seen_$stem[], global_$stem[],
  inc_$stem[], sum_$stem[], block$staged_$stem[], $name[], sum_$name[], part_$name[], own_$name[][8], lanes_$name[][8],
  value_$stem[], limit_$name, first_$stem, pl_v, pl_x0[], pl_record[], pl_cutoff[], pl_team_$type[];
extern int64_t winners_$stem[], *holder_$stem, keeper_$stem[], winner_$stem;
extern int source_$stem[], source_$of[], pl_from$list[], pl_to$staged[], pl_from[], pl_to[], pl_row[], pl_entry[],
  pl_offset[], pl_cut[], pl_blocks[], pl_list[], pl_colours[], pl_element_colour[], pl_owner[], pl_count[], pl_stale[];
extern int pl_t, pl_b, pl_n, pl_p, pl_e, pl_o, pl_j, pl_l, pl_i, pl_s, pl_begin, pl_end, pl_first, pl_rows, pl_nblocks,
  pl_from_zero, *pl_counter, pl_n$staged, pl_f$staged, pl_target, start$staged_$stem, pl_member, pl_active, pl_live,
  pl_particle[], pl_last[], pl_slice;
typedef double pl_lanes_$type __attribute__((vector_size(32))), pl_p$piece_out_$type __attribute__((vector_size(32)));
typedef struct int$row_length {
  int $part;
} int$row_length, ushort$row_length;
void pl_range(int, int, ...);
void pl_some(int, int, const int *, ...);
extern bool has_$mask_stem;
extern int map$map[], pl_base$map[], pl_narrow$map[], pl_from$map, target$map_$next_index, pl_from$n[], pl_local$n[], pl_g;
extern double dat_$stem[], lanes$number_$name[][8], pl_x$a[], pl_d0, pl_d$axis, pl_d$a, pl_r2;
extern char *pl_shared;
extern const void *const first_$name;
extern int pl_turn, pl_single;
extern struct pl_checker {
  void (*start)(struct pl_checker *, int, int, const void *, void *);
  void (*again)(struct pl_checker *, int, int, const void *, const void *);
  void (*other)(struct pl_checker *, int, const void *, const void *);
  void (*adds)(struct pl_checker *, int, int, const void *);
  void (*$hook)(struct pl_checker *, int, int, const void *);
  void (*guard)(struct pl_checker *, int, const void *, int, int);
  int element, side, owned;
} *pl_checker, *pl_active_checker;
extern struct {
  double before[1];
} guarded_$name;
void pl_$atomic_name_$type(double *, double);
