/* SPDX-License-Identifier: BSD-2-Clause */
/* Made by plait_ufcx from jumps.py with FFCx 0.11.0. Do not edit. */

#ifndef PLAIT_JIT
#pragma GCC system_header
#endif

#include <math.h>
#include <stdint.h>

void jumps_penalty_interior_facet(double* restrict A,
                                    const double* restrict w,
                                    const double* restrict c,
                                    const double* restrict coordinate_dofs,
                                    const int* restrict entity_local_index,
                                    const uint8_t* restrict quadrature_permutation,
                                    void* custom_data)
{
// Quadrature rules
static const double weights_4a8[2] = {0.5, 0.5};
// Precomputed values of basis functions and precomputations
// FE* dimensions: [permutation][entities][points][dofs]
static const double FE0_C0_F_Q4a8[2][3][2][3] = {{{{0.0, 0.7886751345948129, 0.2113248654051871},
  {0.0, 0.2113248654051871, 0.7886751345948129}},
  {{0.788675134594813, 0.0, 0.2113248654051872},
  {0.2113248654051871, 0.0, 0.7886751345948129}},
  {{0.788675134594813, 0.2113248654051871, 0.0},
  {0.2113248654051872, 0.7886751345948129, 0.0}}},
  {{{0.0, 0.2113248654051871, 0.7886751345948129},
  {0.0, 0.7886751345948129, 0.2113248654051871}},
  {{0.2113248654051871, 0.0, 0.7886751345948129},
  {0.788675134594813, 0.0, 0.2113248654051872}},
  {{0.2113248654051872, 0.7886751345948129, 0.0},
  {0.788675134594813, 0.2113248654051871, 0.0}}}};
static const double FE2_C0_D01_F_Q4a8[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
static const double FE2_C0_D10_F_Q4a8[1][1][1][3] = {{{{-1.0, 1.0, 0.0}}}};
static const double triangle_cell_facet_jacobian[3][2][1] = {{{-1.0},
  {1.0}},
  {{0.0},
  {1.0}},
  {{1.0},
  {0.0}}};
// ------------------------ 
// Section: Jacobian
// Inputs: coordinate_dofs, FE2_C0_D01_F_Q4a8, FE2_C0_D10_F_Q4a8
// Outputs: J0_r0_c2, J0_r0_c3, J0_r0_c0, J0_r0_c1
double J0_r0_c0 = 0.0;
double J0_r0_c1 = 0.0;
double J0_r0_c2 = 0.0;
double J0_r0_c3 = 0.0;
{
  for (int ic = 0; ic < 3; ++ic)
  {
    J0_r0_c0 += coordinate_dofs[(ic) * 3] * FE2_C0_D10_F_Q4a8[0][0][0][ic];
    J0_r0_c1 += coordinate_dofs[(ic) * 3] * FE2_C0_D01_F_Q4a8[0][0][0][ic];
    J0_r0_c2 += coordinate_dofs[(ic) * 3 + 1] * FE2_C0_D10_F_Q4a8[0][0][0][ic];
    J0_r0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE2_C0_D01_F_Q4a8[0][0][0][ic];
  }
}
// ------------------------ 
double sp_4a8_0 = J0_r0_c0 * triangle_cell_facet_jacobian[entity_local_index[0]][0][0];
double sp_4a8_1 = J0_r0_c1 * triangle_cell_facet_jacobian[entity_local_index[0]][1][0];
double sp_4a8_2 = sp_4a8_0 + sp_4a8_1;
double sp_4a8_3 = sp_4a8_2 * sp_4a8_2;
double sp_4a8_4 = triangle_cell_facet_jacobian[entity_local_index[0]][0][0] * J0_r0_c2;
double sp_4a8_5 = triangle_cell_facet_jacobian[entity_local_index[0]][1][0] * J0_r0_c3;
double sp_4a8_6 = sp_4a8_4 + sp_4a8_5;
double sp_4a8_7 = sp_4a8_6 * sp_4a8_6;
double sp_4a8_8 = sp_4a8_3 + sp_4a8_7;
double sp_4a8_9 = sqrt(sp_4a8_8);
double sp_4a8_10 = -sp_4a8_9;
for (int iq = 0; iq < 2; ++iq)
{
  // ------------------------ 
  // Section: Intermediates
  // Inputs: 
  // Outputs: fw0, fw1
  double fw0 = 0;
  double fw1 = 0;
  {
    fw0 = sp_4a8_9 * weights_4a8[iq];
    fw1 = sp_4a8_10 * weights_4a8[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw1, fw0, FE0_C0_F_Q4a8
  // Outputs: A
  {
    double temp_0[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_0[j] = fw0 * FE0_C0_F_Q4a8[quadrature_permutation[0]][entity_local_index[0]][iq][j];
    }
    double temp_1[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_1[j] = fw1 * FE0_C0_F_Q4a8[quadrature_permutation[1]][entity_local_index[1]][iq][j];
    }
    double temp_2[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_2[j] = fw1 * FE0_C0_F_Q4a8[quadrature_permutation[0]][entity_local_index[0]][iq][j];
    }
    double temp_3[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_3[j] = fw0 * FE0_C0_F_Q4a8[quadrature_permutation[1]][entity_local_index[1]][iq][j];
    }
    for (int j = 0; j < 3; ++j)
    {
      for (int i = 0; i < 3; ++i)
      {
        A[6 * (i) + (j)] += FE0_C0_F_Q4a8[quadrature_permutation[0]][entity_local_index[0]][iq][i] * temp_0[j];
        A[6 * (i) + ((j) + 3)] += FE0_C0_F_Q4a8[quadrature_permutation[0]][entity_local_index[0]][iq][i] * temp_1[j];
        A[6 * ((i) + 3) + (j)] += FE0_C0_F_Q4a8[quadrature_permutation[1]][entity_local_index[1]][iq][i] * temp_2[j];
        A[6 * ((i) + 3) + ((j) + 3)] += FE0_C0_F_Q4a8[quadrature_permutation[1]][entity_local_index[1]][iq][i] * temp_3[j];
      }
    }
  }
  // ------------------------ 
}

}

/* jumps_square_interior_facet
 * w holds w. */
void jumps_square_interior_facet(double* restrict A,
                                    const double* restrict w,
                                    const double* restrict c,
                                    const double* restrict coordinate_dofs,
                                    const int* restrict entity_local_index,
                                    const uint8_t* restrict quadrature_permutation,
                                    void* custom_data)
{
// Quadrature rules
static const double weights_4a8[2] = {0.5, 0.5};
// Precomputed values of basis functions and precomputations
// FE* dimensions: [permutation][entities][points][dofs]
static const double FE0_C0_F_Q4a8[2][3][2][3] = {{{{0.0, 0.7886751345948129, 0.2113248654051871},
  {0.0, 0.2113248654051871, 0.7886751345948129}},
  {{0.788675134594813, 0.0, 0.2113248654051872},
  {0.2113248654051871, 0.0, 0.7886751345948129}},
  {{0.788675134594813, 0.2113248654051871, 0.0},
  {0.2113248654051872, 0.7886751345948129, 0.0}}},
  {{{0.0, 0.2113248654051871, 0.7886751345948129},
  {0.0, 0.7886751345948129, 0.2113248654051871}},
  {{0.2113248654051871, 0.0, 0.7886751345948129},
  {0.788675134594813, 0.0, 0.2113248654051872}},
  {{0.2113248654051872, 0.7886751345948129, 0.0},
  {0.788675134594813, 0.2113248654051871, 0.0}}}};
static const double FE2_C0_D01_F_Q4a8[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
static const double FE2_C0_D10_F_Q4a8[1][1][1][3] = {{{{-1.0, 1.0, 0.0}}}};
static const double triangle_cell_facet_jacobian[3][2][1] = {{{-1.0},
  {1.0}},
  {{0.0},
  {1.0}},
  {{1.0},
  {0.0}}};
// ------------------------ 
// Section: Jacobian
// Inputs: coordinate_dofs, FE2_C0_D01_F_Q4a8, FE2_C0_D10_F_Q4a8
// Outputs: J0_r0_c2, J0_r0_c3, J0_r0_c0, J0_r0_c1
double J0_r0_c0 = 0.0;
double J0_r0_c1 = 0.0;
double J0_r0_c2 = 0.0;
double J0_r0_c3 = 0.0;
{
  for (int ic = 0; ic < 3; ++ic)
  {
    J0_r0_c0 += coordinate_dofs[(ic) * 3] * FE2_C0_D10_F_Q4a8[0][0][0][ic];
    J0_r0_c1 += coordinate_dofs[(ic) * 3] * FE2_C0_D01_F_Q4a8[0][0][0][ic];
    J0_r0_c2 += coordinate_dofs[(ic) * 3 + 1] * FE2_C0_D10_F_Q4a8[0][0][0][ic];
    J0_r0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE2_C0_D01_F_Q4a8[0][0][0][ic];
  }
}
// ------------------------ 
double sp_4a8_0 = J0_r0_c0 * triangle_cell_facet_jacobian[entity_local_index[0]][0][0];
double sp_4a8_1 = J0_r0_c1 * triangle_cell_facet_jacobian[entity_local_index[0]][1][0];
double sp_4a8_2 = sp_4a8_0 + sp_4a8_1;
double sp_4a8_3 = sp_4a8_2 * sp_4a8_2;
double sp_4a8_4 = triangle_cell_facet_jacobian[entity_local_index[0]][0][0] * J0_r0_c2;
double sp_4a8_5 = triangle_cell_facet_jacobian[entity_local_index[0]][1][0] * J0_r0_c3;
double sp_4a8_6 = sp_4a8_4 + sp_4a8_5;
double sp_4a8_7 = sp_4a8_6 * sp_4a8_6;
double sp_4a8_8 = sp_4a8_3 + sp_4a8_7;
double sp_4a8_9 = sqrt(sp_4a8_8);
for (int iq = 0; iq < 2; ++iq)
{
  // ------------------------ 
  // Section: Coefficient
  // Inputs: w, FE0_C0_F_Q4a8
  // Outputs: w0_r1, w0_r0
  double w0_r1 = 0.0;
  double w0_r0 = 0.0;
  {
    for (int ic = 0; ic < 3; ++ic)
    {
      w0_r1 += w[(ic) + 3] * FE0_C0_F_Q4a8[quadrature_permutation[1]][entity_local_index[1]][iq][ic];
      w0_r0 += w[ic] * FE0_C0_F_Q4a8[quadrature_permutation[0]][entity_local_index[0]][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Intermediates
  // Inputs: w0_r0, w0_r1
  // Outputs: fw0
  double fw0 = 0;
  {
    double sv_4a8_0 = -w0_r1;
    double sv_4a8_1 = sv_4a8_0 + w0_r0;
    double sv_4a8_2 = pow(sv_4a8_1, 2);
    double sv_4a8_3 = sv_4a8_2 * sp_4a8_9;
    fw0 = sv_4a8_3 * weights_4a8[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw0
  // Outputs: A
  {
    A[0] += fw0;
  }
  // ------------------------ 
}

}

/* jumps_slope_interior_facet
 * w holds w. */
void jumps_slope_interior_facet(double* restrict A,
                                    const double* restrict w,
                                    const double* restrict c,
                                    const double* restrict coordinate_dofs,
                                    const int* restrict entity_local_index,
                                    const uint8_t* restrict quadrature_permutation,
                                    void* custom_data)
{
// Quadrature rules
static const double weights_ecb[1] = {1.0};
// Precomputed values of basis functions and precomputations
// FE* dimensions: [permutation][entities][points][dofs]
static const double FE0_C0_D01_F_Qecb[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
static const double FE2_C0_D10_F_Qecb[1][1][1][3] = {{{{-1.0, 1.0, 0.0}}}};
static const double triangle_cell_facet_jacobian[3][2][1] = {{{-1.0},
  {1.0}},
  {{0.0},
  {1.0}},
  {{1.0},
  {0.0}}};
static const double triangle_reference_normals[3][2] = {{0.7071067811865475, 0.7071067811865475},
  {-1.0, -0.0},
  {0.0, -1.0}};
// ------------------------ 
// Section: Coefficient
// Inputs: FE0_C0_D01_F_Qecb, FE2_C0_D10_F_Qecb, w
// Outputs: w0_r0_d01, w0_r0_d10, w0_r1_d10, w0_r1_d01
double w0_r0_d01 = 0.0;
double w0_r0_d10 = 0.0;
double w0_r1_d01 = 0.0;
double w0_r1_d10 = 0.0;
{
  for (int ic = 0; ic < 3; ++ic)
  {
    w0_r0_d01 += w[ic] * FE0_C0_D01_F_Qecb[0][0][0][ic];
    w0_r0_d10 += w[ic] * FE2_C0_D10_F_Qecb[0][0][0][ic];
    w0_r1_d01 += w[(ic) + 3] * FE0_C0_D01_F_Qecb[0][0][0][ic];
    w0_r1_d10 += w[(ic) + 3] * FE2_C0_D10_F_Qecb[0][0][0][ic];
  }
}
// ------------------------ 
// ------------------------ 
// Section: Jacobian
// Inputs: FE0_C0_D01_F_Qecb, FE2_C0_D10_F_Qecb, coordinate_dofs
// Outputs: J0_r0_c1, J0_r0_c2, J0_r0_c3, J0_r0_c0, J0_r1_c3, J0_r1_c2, J0_r1_c1, J0_r1_c0
double J0_r0_c0 = 0.0;
double J0_r0_c3 = 0.0;
double J0_r0_c1 = 0.0;
double J0_r0_c2 = 0.0;
double J0_r1_c0 = 0.0;
double J0_r1_c3 = 0.0;
double J0_r1_c1 = 0.0;
double J0_r1_c2 = 0.0;
{
  for (int ic = 0; ic < 3; ++ic)
  {
    J0_r0_c0 += coordinate_dofs[(ic) * 3] * FE2_C0_D10_F_Qecb[0][0][0][ic];
    J0_r0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE0_C0_D01_F_Qecb[0][0][0][ic];
    J0_r0_c1 += coordinate_dofs[(ic) * 3] * FE0_C0_D01_F_Qecb[0][0][0][ic];
    J0_r0_c2 += coordinate_dofs[(ic) * 3 + 1] * FE2_C0_D10_F_Qecb[0][0][0][ic];
    J0_r1_c0 += coordinate_dofs[(ic) * 3 + 9] * FE2_C0_D10_F_Qecb[0][0][0][ic];
    J0_r1_c3 += coordinate_dofs[((ic) * 3 + 1) + 9] * FE0_C0_D01_F_Qecb[0][0][0][ic];
    J0_r1_c1 += coordinate_dofs[(ic) * 3 + 9] * FE0_C0_D01_F_Qecb[0][0][0][ic];
    J0_r1_c2 += coordinate_dofs[((ic) * 3 + 1) + 9] * FE2_C0_D10_F_Qecb[0][0][0][ic];
  }
}
// ------------------------ 
double sp_ecb_0 = J0_r0_c0 * J0_r0_c3;
double sp_ecb_1 = J0_r0_c1 * J0_r0_c2;
double sp_ecb_2 = -sp_ecb_1;
double sp_ecb_3 = sp_ecb_0 + sp_ecb_2;
double sp_ecb_4 = J0_r0_c0 / sp_ecb_3;
double sp_ecb_5 = w0_r0_d01 * sp_ecb_4;
double sp_ecb_6 = -J0_r0_c1;
double sp_ecb_7 = sp_ecb_6 / sp_ecb_3;
double sp_ecb_8 = w0_r0_d10 * sp_ecb_7;
double sp_ecb_9 = sp_ecb_5 + sp_ecb_8;
double sp_ecb_10 = J0_r1_c0 * J0_r1_c3;
double sp_ecb_11 = J0_r1_c1 * J0_r1_c2;
double sp_ecb_12 = -sp_ecb_11;
double sp_ecb_13 = sp_ecb_10 + sp_ecb_12;
double sp_ecb_14 = J0_r1_c0 / sp_ecb_13;
double sp_ecb_15 = w0_r1_d01 * sp_ecb_14;
double sp_ecb_16 = -J0_r1_c1;
double sp_ecb_17 = sp_ecb_16 / sp_ecb_13;
double sp_ecb_18 = w0_r1_d10 * sp_ecb_17;
double sp_ecb_19 = sp_ecb_15 + sp_ecb_18;
double sp_ecb_20 = -sp_ecb_19;
double sp_ecb_21 = sp_ecb_9 + sp_ecb_20;
double sp_ecb_22 = triangle_reference_normals[entity_local_index[0]][1] * sp_ecb_4;
double sp_ecb_23 = triangle_reference_normals[entity_local_index[0]][0] * sp_ecb_7;
double sp_ecb_24 = sp_ecb_22 + sp_ecb_23;
double sp_ecb_25 = sp_ecb_24 * sp_ecb_24;
double sp_ecb_26 = J0_r0_c3 / sp_ecb_3;
double sp_ecb_27 = triangle_reference_normals[entity_local_index[0]][0] * sp_ecb_26;
double sp_ecb_28 = -J0_r0_c2;
double sp_ecb_29 = sp_ecb_28 / sp_ecb_3;
double sp_ecb_30 = triangle_reference_normals[entity_local_index[0]][1] * sp_ecb_29;
double sp_ecb_31 = sp_ecb_27 + sp_ecb_30;
double sp_ecb_32 = sp_ecb_31 * sp_ecb_31;
double sp_ecb_33 = sp_ecb_25 + sp_ecb_32;
double sp_ecb_34 = sqrt(sp_ecb_33);
double sp_ecb_35 = sp_ecb_24 / sp_ecb_34;
double sp_ecb_36 = sp_ecb_21 * sp_ecb_35;
double sp_ecb_37 = w0_r0_d10 * sp_ecb_26;
double sp_ecb_38 = w0_r0_d01 * sp_ecb_29;
double sp_ecb_39 = sp_ecb_37 + sp_ecb_38;
double sp_ecb_40 = J0_r1_c3 / sp_ecb_13;
double sp_ecb_41 = w0_r1_d10 * sp_ecb_40;
double sp_ecb_42 = -J0_r1_c2;
double sp_ecb_43 = sp_ecb_42 / sp_ecb_13;
double sp_ecb_44 = w0_r1_d01 * sp_ecb_43;
double sp_ecb_45 = sp_ecb_41 + sp_ecb_44;
double sp_ecb_46 = -sp_ecb_45;
double sp_ecb_47 = sp_ecb_39 + sp_ecb_46;
double sp_ecb_48 = sp_ecb_31 / sp_ecb_34;
double sp_ecb_49 = sp_ecb_47 * sp_ecb_48;
double sp_ecb_50 = sp_ecb_36 + sp_ecb_49;
double sp_ecb_51 = J0_r0_c0 * triangle_cell_facet_jacobian[entity_local_index[0]][0][0];
double sp_ecb_52 = J0_r0_c1 * triangle_cell_facet_jacobian[entity_local_index[0]][1][0];
double sp_ecb_53 = sp_ecb_51 + sp_ecb_52;
double sp_ecb_54 = sp_ecb_53 * sp_ecb_53;
double sp_ecb_55 = triangle_cell_facet_jacobian[entity_local_index[0]][0][0] * J0_r0_c2;
double sp_ecb_56 = triangle_cell_facet_jacobian[entity_local_index[0]][1][0] * J0_r0_c3;
double sp_ecb_57 = sp_ecb_55 + sp_ecb_56;
double sp_ecb_58 = sp_ecb_57 * sp_ecb_57;
double sp_ecb_59 = sp_ecb_54 + sp_ecb_58;
double sp_ecb_60 = sqrt(sp_ecb_59);
double sp_ecb_61 = sp_ecb_50 * sp_ecb_60;
for (int iq = 0; iq < 1; ++iq)
{
  // ------------------------ 
  // Section: Intermediates
  // Inputs: 
  // Outputs: fw0
  double fw0 = 0;
  {
    fw0 = sp_ecb_61 * weights_ecb[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw0
  // Outputs: A
  {
    A[0] += fw0;
  }
  // ------------------------ 
}

}
