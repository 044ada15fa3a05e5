/* SPDX-License-Identifier: BSD-2-Clause */
/* Made by plait_ufcx from hyperelasticity.py with FFCx 0.11.0. Do not edit. */

#ifndef PLAIT_JIT
#pragma GCC system_header
#endif

#include <math.h>
#include <stdint.h>

/* hyperelasticity_F_cell
 * w holds u.
 * c holds la, mu, turn. */
void hyperelasticity_F_cell(double* restrict A,
                                    const double* restrict w,
                                    const double* restrict c,
                                    const double* restrict coordinate_dofs,
                                    const int* restrict entity_local_index,
                                    const uint8_t* restrict quadrature_permutation,
                                    void* custom_data)
{
// Quadrature rules
static const double weights_175[5] = {-0.1333333333333333, 0.075, 0.075, 0.075, 0.075};
// Precomputed values of basis functions and precomputations
// FE* dimensions: [permutation][entities][points][dofs]
static const double FE1_C0_Q175[1][1][5][4] = {{{{0.25, 0.25, 0.25, 0.25},
  {0.1666666666666667, 0.4999999999999999, 0.1666666666666667, 0.1666666666666666},
  {0.1666666666666667, 0.1666666666666667, 0.5, 0.1666666666666666},
  {0.1666666666666667, 0.1666666666666667, 0.1666666666666667, 0.5},
  {0.5, 0.1666666666666666, 0.1666666666666667, 0.1666666666666666}}}};
static const double FE1_C1_D010_Q175[1][1][1][4] = {{{{-1.0, 0.0, 1.0, 0.0}}}};
static const double FE1_C1_D100_Q175[1][1][1][4] = {{{{-1.0, 1.0, 0.0, 0.0}}}};
static const double FE1_C2_D001_Q175[1][1][1][4] = {{{{-1.0, 0.0, 0.0, 1.0}}}};
// ------------------------ 
// Section: Jacobian
// Inputs: FE1_C1_D100_Q175, coordinate_dofs, FE1_C1_D010_Q175, FE1_C2_D001_Q175
// Outputs: J0_c3, J0_c0, J0_c8, J0_c7, J0_c4, J0_c6, J0_c2, J0_c1, J0_c5
double J0_c4 = 0.0;
double J0_c8 = 0.0;
double J0_c5 = 0.0;
double J0_c7 = 0.0;
double J0_c0 = 0.0;
double J0_c3 = 0.0;
double J0_c6 = 0.0;
double J0_c1 = 0.0;
double J0_c2 = 0.0;
{
  for (int ic = 0; ic < 4; ++ic)
  {
    J0_c4 += coordinate_dofs[(ic) * 3 + 1] * FE1_C1_D010_Q175[0][0][0][ic];
    J0_c8 += coordinate_dofs[(ic) * 3 + 2] * FE1_C2_D001_Q175[0][0][0][ic];
    J0_c5 += coordinate_dofs[(ic) * 3 + 1] * FE1_C2_D001_Q175[0][0][0][ic];
    J0_c7 += coordinate_dofs[(ic) * 3 + 2] * FE1_C1_D010_Q175[0][0][0][ic];
    J0_c0 += coordinate_dofs[(ic) * 3] * FE1_C1_D100_Q175[0][0][0][ic];
    J0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE1_C1_D100_Q175[0][0][0][ic];
    J0_c6 += coordinate_dofs[(ic) * 3 + 2] * FE1_C1_D100_Q175[0][0][0][ic];
    J0_c1 += coordinate_dofs[(ic) * 3] * FE1_C1_D010_Q175[0][0][0][ic];
    J0_c2 += coordinate_dofs[(ic) * 3] * FE1_C2_D001_Q175[0][0][0][ic];
  }
}
// ------------------------ 
// ------------------------ 
// Section: Coefficient
// Inputs: FE1_C1_D100_Q175, FE1_C1_D010_Q175, w, FE1_C2_D001_Q175
// Outputs: w0_d100_c0, w0_d010_c0, w0_d001_c0, w0_d001_c2, w0_d100_c1, w0_d010_c2, w0_d010_c1, w0_d100_c2, w0_d001_c1
double w0_d100_c1 = 0.0;
double w0_d010_c1 = 0.0;
double w0_d001_c1 = 0.0;
double w0_d100_c0 = 0.0;
double w0_d010_c0 = 0.0;
double w0_d001_c0 = 0.0;
double w0_d100_c2 = 0.0;
double w0_d010_c2 = 0.0;
double w0_d001_c2 = 0.0;
{
  for (int ic = 0; ic < 4; ++ic)
  {
    w0_d100_c1 += w[(ic) * 3 + 1] * FE1_C1_D100_Q175[0][0][0][ic];
    w0_d010_c1 += w[(ic) * 3 + 1] * FE1_C1_D010_Q175[0][0][0][ic];
    w0_d001_c1 += w[(ic) * 3 + 1] * FE1_C2_D001_Q175[0][0][0][ic];
    w0_d100_c0 += w[(ic) * 3] * FE1_C1_D100_Q175[0][0][0][ic];
    w0_d010_c0 += w[(ic) * 3] * FE1_C1_D010_Q175[0][0][0][ic];
    w0_d001_c0 += w[(ic) * 3] * FE1_C2_D001_Q175[0][0][0][ic];
    w0_d100_c2 += w[(ic) * 3 + 2] * FE1_C1_D100_Q175[0][0][0][ic];
    w0_d010_c2 += w[(ic) * 3 + 2] * FE1_C1_D010_Q175[0][0][0][ic];
    w0_d001_c2 += w[(ic) * 3 + 2] * FE1_C2_D001_Q175[0][0][0][ic];
  }
}
// ------------------------ 
double sp_175_0 = J0_c4 * J0_c8;
double sp_175_1 = J0_c5 * J0_c7;
double sp_175_2 = -sp_175_1;
double sp_175_3 = sp_175_0 + sp_175_2;
double sp_175_4 = J0_c0 * sp_175_3;
double sp_175_5 = J0_c3 * J0_c8;
double sp_175_6 = J0_c5 * J0_c6;
double sp_175_7 = -sp_175_6;
double sp_175_8 = sp_175_5 + sp_175_7;
double sp_175_9 = -J0_c1;
double sp_175_10 = sp_175_8 * sp_175_9;
double sp_175_11 = sp_175_4 + sp_175_10;
double sp_175_12 = J0_c3 * J0_c7;
double sp_175_13 = J0_c4 * J0_c6;
double sp_175_14 = -sp_175_13;
double sp_175_15 = sp_175_12 + sp_175_14;
double sp_175_16 = J0_c2 * sp_175_15;
double sp_175_17 = sp_175_11 + sp_175_16;
double sp_175_18 = sp_175_3 / sp_175_17;
double sp_175_19 = -J0_c8;
double sp_175_20 = J0_c3 * sp_175_19;
double sp_175_21 = sp_175_6 + sp_175_20;
double sp_175_22 = sp_175_21 / sp_175_17;
double sp_175_23 = sp_175_15 / sp_175_17;
double sp_175_24 = w0_d100_c1 * sp_175_18;
double sp_175_25 = w0_d010_c1 * sp_175_22;
double sp_175_26 = sp_175_24 + sp_175_25;
double sp_175_27 = w0_d001_c1 * sp_175_23;
double sp_175_28 = sp_175_26 + sp_175_27;
double sp_175_29 = c[1] * sp_175_28;
double sp_175_30 = -c[1];
double sp_175_31 = w0_d100_c0 * sp_175_18;
double sp_175_32 = w0_d010_c0 * sp_175_22;
double sp_175_33 = sp_175_31 + sp_175_32;
double sp_175_34 = w0_d001_c0 * sp_175_23;
double sp_175_35 = sp_175_33 + sp_175_34;
double sp_175_36 = 1 + sp_175_35;
double sp_175_37 = J0_c1 * J0_c5;
double sp_175_38 = J0_c2 * J0_c4;
double sp_175_39 = -sp_175_38;
double sp_175_40 = sp_175_37 + sp_175_39;
double sp_175_41 = sp_175_40 / sp_175_17;
double sp_175_42 = w0_d100_c2 * sp_175_41;
double sp_175_43 = J0_c2 * J0_c3;
double sp_175_44 = J0_c0 * J0_c5;
double sp_175_45 = -sp_175_44;
double sp_175_46 = sp_175_43 + sp_175_45;
double sp_175_47 = sp_175_46 / sp_175_17;
double sp_175_48 = w0_d010_c2 * sp_175_47;
double sp_175_49 = sp_175_42 + sp_175_48;
double sp_175_50 = J0_c0 * J0_c4;
double sp_175_51 = J0_c1 * J0_c3;
double sp_175_52 = -sp_175_51;
double sp_175_53 = sp_175_50 + sp_175_52;
double sp_175_54 = sp_175_53 / sp_175_17;
double sp_175_55 = w0_d001_c2 * sp_175_54;
double sp_175_56 = sp_175_49 + sp_175_55;
double sp_175_57 = 1 + sp_175_56;
double sp_175_58 = J0_c2 * J0_c7;
double sp_175_59 = J0_c8 * sp_175_9;
double sp_175_60 = sp_175_58 + sp_175_59;
double sp_175_61 = sp_175_60 / sp_175_17;
double sp_175_62 = w0_d100_c1 * sp_175_61;
double sp_175_63 = J0_c0 * J0_c8;
double sp_175_64 = -J0_c2;
double sp_175_65 = J0_c6 * sp_175_64;
double sp_175_66 = sp_175_63 + sp_175_65;
double sp_175_67 = sp_175_66 / sp_175_17;
double sp_175_68 = w0_d010_c1 * sp_175_67;
double sp_175_69 = sp_175_62 + sp_175_68;
double sp_175_70 = J0_c1 * J0_c6;
double sp_175_71 = J0_c0 * J0_c7;
double sp_175_72 = -sp_175_71;
double sp_175_73 = sp_175_70 + sp_175_72;
double sp_175_74 = sp_175_73 / sp_175_17;
double sp_175_75 = w0_d001_c1 * sp_175_74;
double sp_175_76 = sp_175_69 + sp_175_75;
double sp_175_77 = 1 + sp_175_76;
double sp_175_78 = sp_175_57 * sp_175_77;
double sp_175_79 = w0_d100_c1 * sp_175_41;
double sp_175_80 = w0_d010_c1 * sp_175_47;
double sp_175_81 = sp_175_79 + sp_175_80;
double sp_175_82 = w0_d001_c1 * sp_175_54;
double sp_175_83 = sp_175_81 + sp_175_82;
double sp_175_84 = w0_d100_c2 * sp_175_61;
double sp_175_85 = w0_d010_c2 * sp_175_67;
double sp_175_86 = sp_175_84 + sp_175_85;
double sp_175_87 = w0_d001_c2 * sp_175_74;
double sp_175_88 = sp_175_86 + sp_175_87;
double sp_175_89 = sp_175_83 * sp_175_88;
double sp_175_90 = -sp_175_89;
double sp_175_91 = sp_175_78 + sp_175_90;
double sp_175_92 = sp_175_36 * sp_175_91;
double sp_175_93 = sp_175_57 * sp_175_28;
double sp_175_94 = w0_d100_c2 * sp_175_18;
double sp_175_95 = w0_d010_c2 * sp_175_22;
double sp_175_96 = sp_175_94 + sp_175_95;
double sp_175_97 = w0_d001_c2 * sp_175_23;
double sp_175_98 = sp_175_96 + sp_175_97;
double sp_175_99 = sp_175_83 * sp_175_98;
double sp_175_100 = -sp_175_99;
double sp_175_101 = sp_175_93 + sp_175_100;
double sp_175_102 = w0_d100_c0 * sp_175_61;
double sp_175_103 = w0_d010_c0 * sp_175_67;
double sp_175_104 = sp_175_102 + sp_175_103;
double sp_175_105 = w0_d001_c0 * sp_175_74;
double sp_175_106 = sp_175_104 + sp_175_105;
double sp_175_107 = -sp_175_106;
double sp_175_108 = sp_175_101 * sp_175_107;
double sp_175_109 = sp_175_92 + sp_175_108;
double sp_175_110 = sp_175_28 * sp_175_88;
double sp_175_111 = sp_175_77 * sp_175_98;
double sp_175_112 = -sp_175_111;
double sp_175_113 = sp_175_110 + sp_175_112;
double sp_175_114 = w0_d100_c0 * sp_175_41;
double sp_175_115 = w0_d010_c0 * sp_175_47;
double sp_175_116 = sp_175_114 + sp_175_115;
double sp_175_117 = w0_d001_c0 * sp_175_54;
double sp_175_118 = sp_175_116 + sp_175_117;
double sp_175_119 = sp_175_113 * sp_175_118;
double sp_175_120 = sp_175_109 + sp_175_119;
double sp_175_121 = log(sp_175_120);
double sp_175_122 = c[0] * sp_175_121;
double sp_175_123 = sp_175_30 + sp_175_122;
double sp_175_124 = sp_175_118 * sp_175_88;
double sp_175_125 = sp_175_57 * sp_175_107;
double sp_175_126 = sp_175_124 + sp_175_125;
double sp_175_127 = sp_175_126 / sp_175_120;
double sp_175_128 = sp_175_123 * sp_175_127;
double sp_175_129 = sp_175_29 + sp_175_128;
double sp_175_130 = sp_175_129 * sp_175_18;
double sp_175_131 = sp_175_129 * sp_175_22;
double sp_175_132 = sp_175_129 * sp_175_23;
double sp_175_133 = c[1] * sp_175_36;
double sp_175_134 = sp_175_91 / sp_175_120;
double sp_175_135 = sp_175_123 * sp_175_134;
double sp_175_136 = sp_175_133 + sp_175_135;
double sp_175_137 = sp_175_136 * sp_175_18;
double sp_175_138 = sp_175_136 * sp_175_22;
double sp_175_139 = sp_175_136 * sp_175_23;
double sp_175_140 = c[1] * sp_175_98;
double sp_175_141 = sp_175_83 * sp_175_106;
double sp_175_142 = sp_175_77 * sp_175_118;
double sp_175_143 = -sp_175_142;
double sp_175_144 = sp_175_141 + sp_175_143;
double sp_175_145 = sp_175_144 / sp_175_120;
double sp_175_146 = sp_175_123 * sp_175_145;
double sp_175_147 = sp_175_140 + sp_175_146;
double sp_175_148 = sp_175_147 * sp_175_18;
double sp_175_149 = sp_175_147 * sp_175_22;
double sp_175_150 = sp_175_147 * sp_175_23;
double sp_175_151 = c[1] * sp_175_106;
double sp_175_152 = -sp_175_57;
double sp_175_153 = sp_175_28 * sp_175_152;
double sp_175_154 = sp_175_99 + sp_175_153;
double sp_175_155 = sp_175_154 / sp_175_120;
double sp_175_156 = sp_175_123 * sp_175_155;
double sp_175_157 = sp_175_151 + sp_175_156;
double sp_175_158 = sp_175_157 * sp_175_61;
double sp_175_159 = sp_175_157 * sp_175_67;
double sp_175_160 = sp_175_157 * sp_175_74;
double sp_175_161 = c[1] * sp_175_77;
double sp_175_162 = sp_175_57 * sp_175_36;
double sp_175_163 = -sp_175_118;
double sp_175_164 = sp_175_98 * sp_175_163;
double sp_175_165 = sp_175_162 + sp_175_164;
double sp_175_166 = sp_175_165 / sp_175_120;
double sp_175_167 = sp_175_123 * sp_175_166;
double sp_175_168 = sp_175_161 + sp_175_167;
double sp_175_169 = sp_175_168 * sp_175_61;
double sp_175_170 = sp_175_168 * sp_175_67;
double sp_175_171 = sp_175_168 * sp_175_74;
double sp_175_172 = c[1] * sp_175_88;
double sp_175_173 = sp_175_118 * sp_175_28;
double sp_175_174 = sp_175_36 * sp_175_83;
double sp_175_175 = -sp_175_174;
double sp_175_176 = sp_175_173 + sp_175_175;
double sp_175_177 = sp_175_176 / sp_175_120;
double sp_175_178 = sp_175_123 * sp_175_177;
double sp_175_179 = sp_175_172 + sp_175_178;
double sp_175_180 = sp_175_179 * sp_175_61;
double sp_175_181 = sp_175_179 * sp_175_67;
double sp_175_182 = sp_175_179 * sp_175_74;
double sp_175_183 = sp_175_169 + sp_175_130;
double sp_175_184 = sp_175_170 + sp_175_131;
double sp_175_185 = sp_175_132 + sp_175_171;
double sp_175_186 = sp_175_158 + sp_175_137;
double sp_175_187 = sp_175_159 + sp_175_138;
double sp_175_188 = sp_175_139 + sp_175_160;
double sp_175_189 = sp_175_180 + sp_175_148;
double sp_175_190 = sp_175_181 + sp_175_149;
double sp_175_191 = sp_175_150 + sp_175_182;
double sp_175_192 = c[1] * sp_175_118;
double sp_175_193 = sp_175_113 / sp_175_120;
double sp_175_194 = sp_175_123 * sp_175_193;
double sp_175_195 = sp_175_192 + sp_175_194;
double sp_175_196 = sp_175_195 * sp_175_41;
double sp_175_197 = sp_175_195 * sp_175_47;
double sp_175_198 = sp_175_195 * sp_175_54;
double sp_175_199 = c[1] * sp_175_83;
double sp_175_200 = sp_175_98 * sp_175_106;
double sp_175_201 = sp_175_36 * sp_175_88;
double sp_175_202 = -sp_175_201;
double sp_175_203 = sp_175_200 + sp_175_202;
double sp_175_204 = sp_175_203 / sp_175_120;
double sp_175_205 = sp_175_123 * sp_175_204;
double sp_175_206 = sp_175_199 + sp_175_205;
double sp_175_207 = sp_175_206 * sp_175_41;
double sp_175_208 = sp_175_206 * sp_175_47;
double sp_175_209 = sp_175_206 * sp_175_54;
double sp_175_210 = c[1] * sp_175_57;
double sp_175_211 = sp_175_36 * sp_175_77;
double sp_175_212 = sp_175_28 * sp_175_106;
double sp_175_213 = -sp_175_212;
double sp_175_214 = sp_175_211 + sp_175_213;
double sp_175_215 = sp_175_214 / sp_175_120;
double sp_175_216 = sp_175_123 * sp_175_215;
double sp_175_217 = sp_175_210 + sp_175_216;
double sp_175_218 = sp_175_217 * sp_175_41;
double sp_175_219 = sp_175_217 * sp_175_47;
double sp_175_220 = sp_175_217 * sp_175_54;
double sp_175_221 = sp_175_183 + sp_175_207;
double sp_175_222 = sp_175_184 + sp_175_208;
double sp_175_223 = sp_175_185 + sp_175_209;
double sp_175_224 = sp_175_186 + sp_175_196;
double sp_175_225 = sp_175_187 + sp_175_197;
double sp_175_226 = sp_175_188 + sp_175_198;
double sp_175_227 = sp_175_189 + sp_175_218;
double sp_175_228 = sp_175_190 + sp_175_219;
double sp_175_229 = sp_175_191 + sp_175_220;
double sp_175_230 = fabs(sp_175_17);
for (int iq = 0; iq < 5; ++iq)
{
  // ------------------------ 
  // Section: SpatialCoordinate
  // Inputs: coordinate_dofs, FE1_C0_Q175
  // Outputs: x_c0
  double x_c0 = 0.0;
  {
    for (int ic = 0; ic < 4; ++ic)
    {
      x_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_Q175[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: SpatialCoordinate
  // Inputs: coordinate_dofs, FE1_C0_Q175
  // Outputs: x_c2
  double x_c2 = 0.0;
  {
    for (int ic = 0; ic < 4; ++ic)
    {
      x_c2 += coordinate_dofs[(ic) * 3 + 2] * FE1_C0_Q175[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: SpatialCoordinate
  // Inputs: coordinate_dofs, FE1_C0_Q175
  // Outputs: x_c1
  double x_c1 = 0.0;
  {
    for (int ic = 0; ic < 4; ++ic)
    {
      x_c1 += coordinate_dofs[(ic) * 3 + 1] * FE1_C0_Q175[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Intermediates
  // Inputs: x_c0, x_c2, x_c1
  // Outputs: fw0, fw1, fw2, fw3, fw4, fw5, fw6, fw7, fw8
  double fw0 = 0;
  double fw1 = 0;
  double fw2 = 0;
  double fw3 = 0;
  double fw4 = 0;
  double fw5 = 0;
  double fw6 = 0;
  double fw7 = 0;
  double fw8 = 0;
  {
    double sv_175_0 = c[2] * x_c0;
    double sv_175_1 = cos(sv_175_0);
    double sv_175_2 = -1 + sv_175_1;
    double sv_175_3 = 1 + sv_175_2;
    double sv_175_4 = c[1] * sv_175_3;
    double sv_175_5 = sv_175_3 * sv_175_3;
    double sv_175_6 = sin(sv_175_0);
    double sv_175_7 = -sv_175_6;
    double sv_175_8 = sv_175_7 * sv_175_6;
    double sv_175_9 = -sv_175_8;
    double sv_175_10 = sv_175_5 + sv_175_9;
    double sv_175_11 = log(sv_175_10);
    double sv_175_12 = c[0] * sv_175_11;
    double sv_175_13 = sp_175_30 + sv_175_12;
    double sv_175_14 = sv_175_3 / sv_175_10;
    double sv_175_15 = sv_175_13 * sv_175_14;
    double sv_175_16 = sv_175_4 + sv_175_15;
    double sv_175_17 = sv_175_16 * sp_175_61;
    double sv_175_18 = sv_175_16 * sp_175_67;
    double sv_175_19 = sv_175_16 * sp_175_74;
    double sv_175_20 = c[2] * sv_175_1;
    double sv_175_21 = x_c2 * sv_175_20;
    double sv_175_22 = -sv_175_21;
    double sv_175_23 = c[2] * sv_175_7;
    double sv_175_24 = x_c1 * sv_175_23;
    double sv_175_25 = sv_175_22 + sv_175_24;
    double sv_175_26 = -sv_175_3;
    double sv_175_27 = sv_175_25 * sv_175_26;
    double sv_175_28 = x_c2 * sv_175_23;
    double sv_175_29 = x_c1 * sv_175_20;
    double sv_175_30 = sv_175_28 + sv_175_29;
    double sv_175_31 = sv_175_30 * sv_175_7;
    double sv_175_32 = sv_175_27 + sv_175_31;
    double sv_175_33 = sv_175_32 / sv_175_10;
    double sv_175_34 = sv_175_13 * sv_175_33;
    double sv_175_35 = sv_175_34 * sp_175_61;
    double sv_175_36 = sv_175_34 * sp_175_67;
    double sv_175_37 = sv_175_34 * sp_175_74;
    double sv_175_38 = -sv_175_7;
    double sv_175_39 = sv_175_38 / sv_175_10;
    double sv_175_40 = sv_175_13 * sv_175_39;
    double sv_175_41 = c[1] * sv_175_6;
    double sv_175_42 = sv_175_40 + sv_175_41;
    double sv_175_43 = sv_175_42 * sp_175_61;
    double sv_175_44 = sv_175_42 * sp_175_67;
    double sv_175_45 = sv_175_42 * sp_175_74;
    double sv_175_46 = sv_175_10 / sv_175_10;
    double sv_175_47 = sv_175_13 * sv_175_46;
    double sv_175_48 = c[1] + sv_175_47;
    double sv_175_49 = sv_175_48 * sp_175_18;
    double sv_175_50 = sv_175_48 * sp_175_22;
    double sv_175_51 = sv_175_48 * sp_175_23;
    double sv_175_52 = c[1] * sv_175_25;
    double sv_175_53 = sv_175_52 * sp_175_18;
    double sv_175_54 = sv_175_52 * sp_175_22;
    double sv_175_55 = sv_175_52 * sp_175_23;
    double sv_175_56 = c[1] * sv_175_30;
    double sv_175_57 = sv_175_56 * sp_175_18;
    double sv_175_58 = sv_175_56 * sp_175_22;
    double sv_175_59 = sv_175_56 * sp_175_23;
    double sv_175_60 = sv_175_17 + sv_175_53;
    double sv_175_61 = sv_175_18 + sv_175_54;
    double sv_175_62 = sv_175_55 + sv_175_19;
    double sv_175_63 = sv_175_35 + sv_175_49;
    double sv_175_64 = sv_175_36 + sv_175_50;
    double sv_175_65 = sv_175_51 + sv_175_37;
    double sv_175_66 = sv_175_43 + sv_175_57;
    double sv_175_67 = sv_175_44 + sv_175_58;
    double sv_175_68 = sv_175_59 + sv_175_45;
    double sv_175_69 = c[1] * sv_175_7;
    double sv_175_70 = sv_175_7 / sv_175_10;
    double sv_175_71 = sv_175_13 * sv_175_70;
    double sv_175_72 = sv_175_69 + sv_175_71;
    double sv_175_73 = sv_175_72 * sp_175_41;
    double sv_175_74 = sv_175_72 * sp_175_47;
    double sv_175_75 = sv_175_72 * sp_175_54;
    double sv_175_76 = sv_175_3 * sv_175_30;
    double sv_175_77 = -sv_175_76;
    double sv_175_78 = sv_175_25 * sv_175_6;
    double sv_175_79 = sv_175_77 + sv_175_78;
    double sv_175_80 = sv_175_79 / sv_175_10;
    double sv_175_81 = sv_175_13 * sv_175_80;
    double sv_175_82 = sv_175_81 * sp_175_41;
    double sv_175_83 = sv_175_81 * sp_175_47;
    double sv_175_84 = sv_175_81 * sp_175_54;
    double sv_175_85 = sv_175_16 * sp_175_41;
    double sv_175_86 = sv_175_16 * sp_175_47;
    double sv_175_87 = sv_175_16 * sp_175_54;
    double sv_175_88 = sv_175_60 + sv_175_73;
    double sv_175_89 = sv_175_61 + sv_175_74;
    double sv_175_90 = sv_175_62 + sv_175_75;
    double sv_175_91 = sv_175_63 + sv_175_82;
    double sv_175_92 = sv_175_64 + sv_175_83;
    double sv_175_93 = sv_175_65 + sv_175_84;
    double sv_175_94 = sv_175_66 + sv_175_85;
    double sv_175_95 = sv_175_67 + sv_175_86;
    double sv_175_96 = sv_175_68 + sv_175_87;
    double sv_175_97 = -sv_175_88;
    double sv_175_98 = -sv_175_89;
    double sv_175_99 = -sv_175_90;
    double sv_175_100 = -sv_175_91;
    double sv_175_101 = -sv_175_92;
    double sv_175_102 = -sv_175_93;
    double sv_175_103 = -sv_175_94;
    double sv_175_104 = -sv_175_95;
    double sv_175_105 = -sv_175_96;
    double sv_175_106 = sp_175_221 + sv_175_97;
    double sv_175_107 = sp_175_222 + sv_175_98;
    double sv_175_108 = sp_175_223 + sv_175_99;
    double sv_175_109 = sp_175_224 + sv_175_100;
    double sv_175_110 = sp_175_225 + sv_175_101;
    double sv_175_111 = sp_175_226 + sv_175_102;
    double sv_175_112 = sp_175_227 + sv_175_103;
    double sv_175_113 = sp_175_228 + sv_175_104;
    double sv_175_114 = sp_175_229 + sv_175_105;
    double sv_175_115 = sv_175_106 * sp_175_230;
    double sv_175_116 = sv_175_107 * sp_175_230;
    double sv_175_117 = sv_175_108 * sp_175_230;
    double sv_175_118 = sv_175_109 * sp_175_230;
    double sv_175_119 = sv_175_110 * sp_175_230;
    double sv_175_120 = sv_175_111 * sp_175_230;
    double sv_175_121 = sv_175_112 * sp_175_230;
    double sv_175_122 = sv_175_113 * sp_175_230;
    double sv_175_123 = sv_175_114 * sp_175_230;
    fw0 = sv_175_118 * weights_175[iq];
    fw1 = sv_175_119 * weights_175[iq];
    fw2 = sv_175_120 * weights_175[iq];
    fw3 = sv_175_115 * weights_175[iq];
    fw4 = sv_175_116 * weights_175[iq];
    fw5 = sv_175_117 * weights_175[iq];
    fw6 = sv_175_121 * weights_175[iq];
    fw7 = sv_175_122 * weights_175[iq];
    fw8 = sv_175_123 * weights_175[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw6, fw4, fw2, fw7, FE1_C2_D001_Q175, fw8, FE1_C1_D100_Q175, fw0, fw5, fw1, FE1_C1_D010_Q175, fw3
  // Outputs: A
  {
    for (int i = 0; i < 4; ++i)
    {
      A[3 * (i)] += fw0 * FE1_C1_D100_Q175[0][0][0][i];
      A[3 * (i)] += fw1 * FE1_C1_D010_Q175[0][0][0][i];
      A[3 * (i)] += fw2 * FE1_C2_D001_Q175[0][0][0][i];
      A[(3 * (i) + 1)] += fw3 * FE1_C1_D100_Q175[0][0][0][i];
      A[(3 * (i) + 1)] += fw4 * FE1_C1_D010_Q175[0][0][0][i];
      A[(3 * (i) + 1)] += fw5 * FE1_C2_D001_Q175[0][0][0][i];
      A[(3 * (i) + 2)] += fw6 * FE1_C1_D100_Q175[0][0][0][i];
      A[(3 * (i) + 2)] += fw7 * FE1_C1_D010_Q175[0][0][0][i];
      A[(3 * (i) + 2)] += fw8 * FE1_C2_D001_Q175[0][0][0][i];
    }
  }
  // ------------------------ 
}

}

/* hyperelasticity_J_cell
 * w holds u.
 * c holds la, mu. */
void hyperelasticity_J_cell(double* restrict A,
                                    const double* restrict w,
                                    const double* restrict c,
                                    const double* restrict coordinate_dofs,
                                    const int* restrict entity_local_index,
                                    const uint8_t* restrict quadrature_permutation,
                                    void* custom_data)
{
// Quadrature rules
static const double weights_421[1] = {0.1666666666666667};
// Precomputed values of basis functions and precomputations
// FE* dimensions: [permutation][entities][points][dofs]
static const double FE1_C0_D100_Q421[1][1][1][4] = {{{{-1.0, 1.0, 0.0, 0.0}}}};
static const double FE1_C1_D010_Q421[1][1][1][4] = {{{{-1.0, 0.0, 1.0, 0.0}}}};
static const double FE1_C2_D001_Q421[1][1][1][4] = {{{{-1.0, 0.0, 0.0, 1.0}}}};
// ------------------------ 
// Section: Coefficient
// Inputs: FE1_C0_D100_Q421, w, FE1_C1_D010_Q421, FE1_C2_D001_Q421
// Outputs: w0_d100_c0, w0_d010_c0, w0_d001_c0, w0_d001_c2, w0_d100_c1, w0_d010_c2, w0_d010_c1, w0_d100_c2, w0_d001_c1
double w0_d100_c0 = 0.0;
double w0_d010_c0 = 0.0;
double w0_d001_c0 = 0.0;
double w0_d100_c1 = 0.0;
double w0_d010_c1 = 0.0;
double w0_d001_c1 = 0.0;
double w0_d100_c2 = 0.0;
double w0_d010_c2 = 0.0;
double w0_d001_c2 = 0.0;
{
  for (int ic = 0; ic < 4; ++ic)
  {
    w0_d100_c0 += w[(ic) * 3] * FE1_C0_D100_Q421[0][0][0][ic];
    w0_d010_c0 += w[(ic) * 3] * FE1_C1_D010_Q421[0][0][0][ic];
    w0_d001_c0 += w[(ic) * 3] * FE1_C2_D001_Q421[0][0][0][ic];
    w0_d100_c1 += w[(ic) * 3 + 1] * FE1_C0_D100_Q421[0][0][0][ic];
    w0_d010_c1 += w[(ic) * 3 + 1] * FE1_C1_D010_Q421[0][0][0][ic];
    w0_d001_c1 += w[(ic) * 3 + 1] * FE1_C2_D001_Q421[0][0][0][ic];
    w0_d100_c2 += w[(ic) * 3 + 2] * FE1_C0_D100_Q421[0][0][0][ic];
    w0_d010_c2 += w[(ic) * 3 + 2] * FE1_C1_D010_Q421[0][0][0][ic];
    w0_d001_c2 += w[(ic) * 3 + 2] * FE1_C2_D001_Q421[0][0][0][ic];
  }
}
// ------------------------ 
// ------------------------ 
// Section: Jacobian
// Inputs: FE1_C0_D100_Q421, coordinate_dofs, FE1_C1_D010_Q421, FE1_C2_D001_Q421
// Outputs: J0_c3, J0_c0, J0_c8, J0_c7, J0_c4, J0_c6, J0_c2, J0_c1, J0_c5
double J0_c4 = 0.0;
double J0_c8 = 0.0;
double J0_c5 = 0.0;
double J0_c7 = 0.0;
double J0_c0 = 0.0;
double J0_c3 = 0.0;
double J0_c6 = 0.0;
double J0_c1 = 0.0;
double J0_c2 = 0.0;
{
  for (int ic = 0; ic < 4; ++ic)
  {
    J0_c4 += coordinate_dofs[(ic) * 3 + 1] * FE1_C1_D010_Q421[0][0][0][ic];
    J0_c8 += coordinate_dofs[(ic) * 3 + 2] * FE1_C2_D001_Q421[0][0][0][ic];
    J0_c5 += coordinate_dofs[(ic) * 3 + 1] * FE1_C2_D001_Q421[0][0][0][ic];
    J0_c7 += coordinate_dofs[(ic) * 3 + 2] * FE1_C1_D010_Q421[0][0][0][ic];
    J0_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_D100_Q421[0][0][0][ic];
    J0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE1_C0_D100_Q421[0][0][0][ic];
    J0_c6 += coordinate_dofs[(ic) * 3 + 2] * FE1_C0_D100_Q421[0][0][0][ic];
    J0_c1 += coordinate_dofs[(ic) * 3] * FE1_C1_D010_Q421[0][0][0][ic];
    J0_c2 += coordinate_dofs[(ic) * 3] * FE1_C2_D001_Q421[0][0][0][ic];
  }
}
// ------------------------ 
double sp_421_0 = J0_c4 * J0_c8;
double sp_421_1 = J0_c5 * J0_c7;
double sp_421_2 = -sp_421_1;
double sp_421_3 = sp_421_0 + sp_421_2;
double sp_421_4 = J0_c0 * sp_421_3;
double sp_421_5 = J0_c3 * J0_c8;
double sp_421_6 = J0_c5 * J0_c6;
double sp_421_7 = -sp_421_6;
double sp_421_8 = sp_421_5 + sp_421_7;
double sp_421_9 = -J0_c1;
double sp_421_10 = sp_421_8 * sp_421_9;
double sp_421_11 = sp_421_4 + sp_421_10;
double sp_421_12 = J0_c3 * J0_c7;
double sp_421_13 = J0_c4 * J0_c6;
double sp_421_14 = -sp_421_13;
double sp_421_15 = sp_421_12 + sp_421_14;
double sp_421_16 = J0_c2 * sp_421_15;
double sp_421_17 = sp_421_11 + sp_421_16;
double sp_421_18 = sp_421_3 / sp_421_17;
double sp_421_19 = w0_d100_c0 * sp_421_18;
double sp_421_20 = -J0_c8;
double sp_421_21 = J0_c3 * sp_421_20;
double sp_421_22 = sp_421_6 + sp_421_21;
double sp_421_23 = sp_421_22 / sp_421_17;
double sp_421_24 = w0_d010_c0 * sp_421_23;
double sp_421_25 = sp_421_19 + sp_421_24;
double sp_421_26 = sp_421_15 / sp_421_17;
double sp_421_27 = w0_d001_c0 * sp_421_26;
double sp_421_28 = sp_421_25 + sp_421_27;
double sp_421_29 = 1 + sp_421_28;
double sp_421_30 = J0_c2 * J0_c7;
double sp_421_31 = J0_c8 * sp_421_9;
double sp_421_32 = sp_421_30 + sp_421_31;
double sp_421_33 = sp_421_32 / sp_421_17;
double sp_421_34 = w0_d100_c1 * sp_421_33;
double sp_421_35 = J0_c0 * J0_c8;
double sp_421_36 = -J0_c2;
double sp_421_37 = J0_c6 * sp_421_36;
double sp_421_38 = sp_421_35 + sp_421_37;
double sp_421_39 = sp_421_38 / sp_421_17;
double sp_421_40 = w0_d010_c1 * sp_421_39;
double sp_421_41 = sp_421_34 + sp_421_40;
double sp_421_42 = J0_c1 * J0_c6;
double sp_421_43 = J0_c0 * J0_c7;
double sp_421_44 = -sp_421_43;
double sp_421_45 = sp_421_42 + sp_421_44;
double sp_421_46 = sp_421_45 / sp_421_17;
double sp_421_47 = w0_d001_c1 * sp_421_46;
double sp_421_48 = sp_421_41 + sp_421_47;
double sp_421_49 = 1 + sp_421_48;
double sp_421_50 = J0_c1 * J0_c5;
double sp_421_51 = J0_c2 * J0_c4;
double sp_421_52 = -sp_421_51;
double sp_421_53 = sp_421_50 + sp_421_52;
double sp_421_54 = sp_421_53 / sp_421_17;
double sp_421_55 = J0_c2 * J0_c3;
double sp_421_56 = J0_c0 * J0_c5;
double sp_421_57 = -sp_421_56;
double sp_421_58 = sp_421_55 + sp_421_57;
double sp_421_59 = sp_421_58 / sp_421_17;
double sp_421_60 = J0_c0 * J0_c4;
double sp_421_61 = J0_c1 * J0_c3;
double sp_421_62 = -sp_421_61;
double sp_421_63 = sp_421_60 + sp_421_62;
double sp_421_64 = sp_421_63 / sp_421_17;
double sp_421_65 = sp_421_49 * sp_421_54;
double sp_421_66 = sp_421_49 * sp_421_59;
double sp_421_67 = sp_421_49 * sp_421_64;
double sp_421_68 = w0_d100_c2 * sp_421_54;
double sp_421_69 = w0_d010_c2 * sp_421_59;
double sp_421_70 = sp_421_68 + sp_421_69;
double sp_421_71 = w0_d001_c2 * sp_421_64;
double sp_421_72 = sp_421_70 + sp_421_71;
double sp_421_73 = 1 + sp_421_72;
double sp_421_74 = sp_421_73 * sp_421_33;
double sp_421_75 = sp_421_73 * sp_421_39;
double sp_421_76 = sp_421_73 * sp_421_46;
double sp_421_77 = w0_d100_c1 * sp_421_54;
double sp_421_78 = w0_d010_c1 * sp_421_59;
double sp_421_79 = sp_421_77 + sp_421_78;
double sp_421_80 = w0_d001_c1 * sp_421_64;
double sp_421_81 = sp_421_79 + sp_421_80;
double sp_421_82 = sp_421_81 * sp_421_33;
double sp_421_83 = sp_421_81 * sp_421_39;
double sp_421_84 = sp_421_81 * sp_421_46;
double sp_421_85 = w0_d100_c2 * sp_421_33;
double sp_421_86 = w0_d010_c2 * sp_421_39;
double sp_421_87 = sp_421_85 + sp_421_86;
double sp_421_88 = w0_d001_c2 * sp_421_46;
double sp_421_89 = sp_421_87 + sp_421_88;
double sp_421_90 = sp_421_89 * sp_421_54;
double sp_421_91 = sp_421_89 * sp_421_59;
double sp_421_92 = sp_421_89 * sp_421_64;
double sp_421_93 = -sp_421_82;
double sp_421_94 = -sp_421_83;
double sp_421_95 = -sp_421_84;
double sp_421_96 = -sp_421_90;
double sp_421_97 = -sp_421_91;
double sp_421_98 = -sp_421_92;
double sp_421_99 = sp_421_93 + sp_421_65;
double sp_421_100 = sp_421_94 + sp_421_66;
double sp_421_101 = sp_421_95 + sp_421_67;
double sp_421_102 = sp_421_96 + sp_421_74;
double sp_421_103 = sp_421_97 + sp_421_75;
double sp_421_104 = sp_421_98 + sp_421_76;
double sp_421_105 = sp_421_29 * sp_421_99;
double sp_421_106 = sp_421_29 * sp_421_100;
double sp_421_107 = sp_421_29 * sp_421_101;
double sp_421_108 = sp_421_29 * sp_421_102;
double sp_421_109 = sp_421_29 * sp_421_103;
double sp_421_110 = sp_421_29 * sp_421_104;
double sp_421_111 = sp_421_73 * sp_421_49;
double sp_421_112 = sp_421_81 * sp_421_89;
double sp_421_113 = -sp_421_112;
double sp_421_114 = sp_421_111 + sp_421_113;
double sp_421_115 = sp_421_114 * sp_421_18;
double sp_421_116 = sp_421_114 * sp_421_23;
double sp_421_117 = sp_421_114 * sp_421_26;
double sp_421_118 = w0_d100_c1 * sp_421_18;
double sp_421_119 = w0_d010_c1 * sp_421_23;
double sp_421_120 = sp_421_118 + sp_421_119;
double sp_421_121 = w0_d001_c1 * sp_421_26;
double sp_421_122 = sp_421_120 + sp_421_121;
double sp_421_123 = sp_421_73 * sp_421_122;
double sp_421_124 = w0_d100_c2 * sp_421_18;
double sp_421_125 = w0_d010_c2 * sp_421_23;
double sp_421_126 = sp_421_124 + sp_421_125;
double sp_421_127 = w0_d001_c2 * sp_421_26;
double sp_421_128 = sp_421_126 + sp_421_127;
double sp_421_129 = sp_421_81 * sp_421_128;
double sp_421_130 = -sp_421_129;
double sp_421_131 = sp_421_123 + sp_421_130;
double sp_421_132 = -sp_421_33;
double sp_421_133 = -sp_421_39;
double sp_421_134 = -sp_421_46;
double sp_421_135 = sp_421_131 * sp_421_132;
double sp_421_136 = sp_421_131 * sp_421_133;
double sp_421_137 = sp_421_131 * sp_421_134;
double sp_421_138 = sp_421_73 * sp_421_18;
double sp_421_139 = sp_421_73 * sp_421_23;
double sp_421_140 = sp_421_73 * sp_421_26;
double sp_421_141 = sp_421_122 * sp_421_54;
double sp_421_142 = sp_421_122 * sp_421_59;
double sp_421_143 = sp_421_122 * sp_421_64;
double sp_421_144 = sp_421_81 * sp_421_18;
double sp_421_145 = sp_421_81 * sp_421_23;
double sp_421_146 = sp_421_81 * sp_421_26;
double sp_421_147 = sp_421_128 * sp_421_54;
double sp_421_148 = sp_421_128 * sp_421_59;
double sp_421_149 = sp_421_128 * sp_421_64;
double sp_421_150 = -sp_421_144;
double sp_421_151 = -sp_421_145;
double sp_421_152 = -sp_421_146;
double sp_421_153 = -sp_421_147;
double sp_421_154 = -sp_421_148;
double sp_421_155 = -sp_421_149;
double sp_421_156 = sp_421_150 + sp_421_141;
double sp_421_157 = sp_421_151 + sp_421_142;
double sp_421_158 = sp_421_152 + sp_421_143;
double sp_421_159 = sp_421_153 + sp_421_138;
double sp_421_160 = sp_421_154 + sp_421_139;
double sp_421_161 = sp_421_155 + sp_421_140;
double sp_421_162 = w0_d100_c0 * sp_421_33;
double sp_421_163 = w0_d010_c0 * sp_421_39;
double sp_421_164 = sp_421_162 + sp_421_163;
double sp_421_165 = w0_d001_c0 * sp_421_46;
double sp_421_166 = sp_421_164 + sp_421_165;
double sp_421_167 = -sp_421_166;
double sp_421_168 = sp_421_156 * sp_421_167;
double sp_421_169 = sp_421_157 * sp_421_167;
double sp_421_170 = sp_421_158 * sp_421_167;
double sp_421_171 = sp_421_159 * sp_421_167;
double sp_421_172 = sp_421_160 * sp_421_167;
double sp_421_173 = sp_421_161 * sp_421_167;
double sp_421_174 = sp_421_105 + sp_421_168;
double sp_421_175 = sp_421_106 + sp_421_169;
double sp_421_176 = sp_421_107 + sp_421_170;
double sp_421_177 = sp_421_108 + sp_421_171;
double sp_421_178 = sp_421_109 + sp_421_172;
double sp_421_179 = sp_421_110 + sp_421_173;
double sp_421_180 = sp_421_135 + sp_421_115;
double sp_421_181 = sp_421_136 + sp_421_116;
double sp_421_182 = sp_421_137 + sp_421_117;
double sp_421_183 = sp_421_122 * sp_421_89;
double sp_421_184 = sp_421_49 * sp_421_128;
double sp_421_185 = -sp_421_184;
double sp_421_186 = sp_421_183 + sp_421_185;
double sp_421_187 = sp_421_186 * sp_421_54;
double sp_421_188 = sp_421_186 * sp_421_59;
double sp_421_189 = sp_421_186 * sp_421_64;
double sp_421_190 = sp_421_122 * sp_421_33;
double sp_421_191 = sp_421_122 * sp_421_39;
double sp_421_192 = sp_421_122 * sp_421_46;
double sp_421_193 = sp_421_89 * sp_421_18;
double sp_421_194 = sp_421_89 * sp_421_23;
double sp_421_195 = sp_421_89 * sp_421_26;
double sp_421_196 = sp_421_49 * sp_421_18;
double sp_421_197 = sp_421_49 * sp_421_23;
double sp_421_198 = sp_421_49 * sp_421_26;
double sp_421_199 = sp_421_128 * sp_421_33;
double sp_421_200 = sp_421_128 * sp_421_39;
double sp_421_201 = sp_421_128 * sp_421_46;
double sp_421_202 = -sp_421_196;
double sp_421_203 = -sp_421_197;
double sp_421_204 = -sp_421_198;
double sp_421_205 = -sp_421_199;
double sp_421_206 = -sp_421_200;
double sp_421_207 = -sp_421_201;
double sp_421_208 = sp_421_202 + sp_421_190;
double sp_421_209 = sp_421_203 + sp_421_191;
double sp_421_210 = sp_421_204 + sp_421_192;
double sp_421_211 = sp_421_205 + sp_421_193;
double sp_421_212 = sp_421_206 + sp_421_194;
double sp_421_213 = sp_421_207 + sp_421_195;
double sp_421_214 = w0_d100_c0 * sp_421_54;
double sp_421_215 = w0_d010_c0 * sp_421_59;
double sp_421_216 = sp_421_214 + sp_421_215;
double sp_421_217 = w0_d001_c0 * sp_421_64;
double sp_421_218 = sp_421_216 + sp_421_217;
double sp_421_219 = sp_421_208 * sp_421_218;
double sp_421_220 = sp_421_209 * sp_421_218;
double sp_421_221 = sp_421_218 * sp_421_210;
double sp_421_222 = sp_421_218 * sp_421_211;
double sp_421_223 = sp_421_218 * sp_421_212;
double sp_421_224 = sp_421_218 * sp_421_213;
double sp_421_225 = sp_421_174 + sp_421_219;
double sp_421_226 = sp_421_175 + sp_421_220;
double sp_421_227 = sp_421_176 + sp_421_221;
double sp_421_228 = sp_421_177 + sp_421_222;
double sp_421_229 = sp_421_178 + sp_421_223;
double sp_421_230 = sp_421_179 + sp_421_224;
double sp_421_231 = sp_421_180 + sp_421_187;
double sp_421_232 = sp_421_181 + sp_421_188;
double sp_421_233 = sp_421_182 + sp_421_189;
double sp_421_234 = sp_421_29 * sp_421_114;
double sp_421_235 = sp_421_131 * sp_421_167;
double sp_421_236 = sp_421_234 + sp_421_235;
double sp_421_237 = sp_421_186 * sp_421_218;
double sp_421_238 = sp_421_236 + sp_421_237;
double sp_421_239 = sp_421_225 / sp_421_238;
double sp_421_240 = sp_421_226 / sp_421_238;
double sp_421_241 = sp_421_227 / sp_421_238;
double sp_421_242 = sp_421_228 / sp_421_238;
double sp_421_243 = sp_421_229 / sp_421_238;
double sp_421_244 = sp_421_230 / sp_421_238;
double sp_421_245 = sp_421_231 / sp_421_238;
double sp_421_246 = sp_421_232 / sp_421_238;
double sp_421_247 = sp_421_233 / sp_421_238;
double sp_421_248 = c[0] * sp_421_239;
double sp_421_249 = c[0] * sp_421_240;
double sp_421_250 = c[0] * sp_421_241;
double sp_421_251 = c[0] * sp_421_242;
double sp_421_252 = c[0] * sp_421_243;
double sp_421_253 = c[0] * sp_421_244;
double sp_421_254 = c[0] * sp_421_245;
double sp_421_255 = c[0] * sp_421_246;
double sp_421_256 = c[0] * sp_421_247;
double sp_421_257 = sp_421_114 / sp_421_238;
double sp_421_258 = sp_421_248 * sp_421_257;
double sp_421_259 = sp_421_249 * sp_421_257;
double sp_421_260 = sp_421_250 * sp_421_257;
double sp_421_261 = sp_421_251 * sp_421_257;
double sp_421_262 = sp_421_252 * sp_421_257;
double sp_421_263 = sp_421_253 * sp_421_257;
double sp_421_264 = sp_421_254 * sp_421_257;
double sp_421_265 = sp_421_255 * sp_421_257;
double sp_421_266 = sp_421_256 * sp_421_257;
double sp_421_267 = -c[1];
double sp_421_268 = log(sp_421_238);
double sp_421_269 = c[0] * sp_421_268;
double sp_421_270 = sp_421_267 + sp_421_269;
double sp_421_271 = sp_421_225 * sp_421_257;
double sp_421_272 = sp_421_226 * sp_421_257;
double sp_421_273 = sp_421_227 * sp_421_257;
double sp_421_274 = sp_421_228 * sp_421_257;
double sp_421_275 = sp_421_229 * sp_421_257;
double sp_421_276 = sp_421_230 * sp_421_257;
double sp_421_277 = sp_421_231 * sp_421_257;
double sp_421_278 = sp_421_232 * sp_421_257;
double sp_421_279 = sp_421_233 * sp_421_257;
double sp_421_280 = -sp_421_271;
double sp_421_281 = -sp_421_272;
double sp_421_282 = -sp_421_273;
double sp_421_283 = -sp_421_274;
double sp_421_284 = -sp_421_275;
double sp_421_285 = -sp_421_276;
double sp_421_286 = -sp_421_277;
double sp_421_287 = -sp_421_278;
double sp_421_288 = -sp_421_279;
double sp_421_289 = sp_421_99 + sp_421_280;
double sp_421_290 = sp_421_100 + sp_421_281;
double sp_421_291 = sp_421_101 + sp_421_282;
double sp_421_292 = sp_421_102 + sp_421_283;
double sp_421_293 = sp_421_103 + sp_421_284;
double sp_421_294 = sp_421_104 + sp_421_285;
double sp_421_295 = sp_421_289 / sp_421_238;
double sp_421_296 = sp_421_290 / sp_421_238;
double sp_421_297 = sp_421_291 / sp_421_238;
double sp_421_298 = sp_421_292 / sp_421_238;
double sp_421_299 = sp_421_293 / sp_421_238;
double sp_421_300 = sp_421_294 / sp_421_238;
double sp_421_301 = sp_421_286 / sp_421_238;
double sp_421_302 = sp_421_287 / sp_421_238;
double sp_421_303 = sp_421_288 / sp_421_238;
double sp_421_304 = sp_421_270 * sp_421_295;
double sp_421_305 = sp_421_270 * sp_421_296;
double sp_421_306 = sp_421_270 * sp_421_297;
double sp_421_307 = sp_421_270 * sp_421_298;
double sp_421_308 = sp_421_270 * sp_421_299;
double sp_421_309 = sp_421_270 * sp_421_300;
double sp_421_310 = sp_421_270 * sp_421_301;
double sp_421_311 = sp_421_270 * sp_421_302;
double sp_421_312 = sp_421_270 * sp_421_303;
double sp_421_313 = sp_421_258 + sp_421_304;
double sp_421_314 = sp_421_259 + sp_421_305;
double sp_421_315 = sp_421_260 + sp_421_306;
double sp_421_316 = sp_421_261 + sp_421_307;
double sp_421_317 = sp_421_262 + sp_421_308;
double sp_421_318 = sp_421_263 + sp_421_309;
double sp_421_319 = sp_421_264 + sp_421_310;
double sp_421_320 = sp_421_265 + sp_421_311;
double sp_421_321 = sp_421_266 + sp_421_312;
double sp_421_322 = c[1] * sp_421_18;
double sp_421_323 = c[1] * sp_421_23;
double sp_421_324 = c[1] * sp_421_26;
double sp_421_325 = sp_421_319 + sp_421_322;
double sp_421_326 = sp_421_320 + sp_421_323;
double sp_421_327 = sp_421_321 + sp_421_324;
double sp_421_328 = sp_421_313 * sp_421_18;
double sp_421_329 = sp_421_313 * sp_421_23;
double sp_421_330 = sp_421_313 * sp_421_26;
double sp_421_331 = sp_421_314 * sp_421_18;
double sp_421_332 = sp_421_314 * sp_421_23;
double sp_421_333 = sp_421_314 * sp_421_26;
double sp_421_334 = sp_421_315 * sp_421_18;
double sp_421_335 = sp_421_315 * sp_421_23;
double sp_421_336 = sp_421_315 * sp_421_26;
double sp_421_337 = sp_421_316 * sp_421_18;
double sp_421_338 = sp_421_316 * sp_421_23;
double sp_421_339 = sp_421_316 * sp_421_26;
double sp_421_340 = sp_421_317 * sp_421_18;
double sp_421_341 = sp_421_317 * sp_421_23;
double sp_421_342 = sp_421_317 * sp_421_26;
double sp_421_343 = sp_421_318 * sp_421_18;
double sp_421_344 = sp_421_318 * sp_421_23;
double sp_421_345 = sp_421_318 * sp_421_26;
double sp_421_346 = sp_421_325 * sp_421_18;
double sp_421_347 = sp_421_325 * sp_421_23;
double sp_421_348 = sp_421_325 * sp_421_26;
double sp_421_349 = sp_421_326 * sp_421_18;
double sp_421_350 = sp_421_326 * sp_421_23;
double sp_421_351 = sp_421_326 * sp_421_26;
double sp_421_352 = sp_421_327 * sp_421_18;
double sp_421_353 = sp_421_327 * sp_421_23;
double sp_421_354 = sp_421_327 * sp_421_26;
double sp_421_355 = sp_421_218 * sp_421_89;
double sp_421_356 = sp_421_73 * sp_421_167;
double sp_421_357 = sp_421_355 + sp_421_356;
double sp_421_358 = sp_421_357 / sp_421_238;
double sp_421_359 = sp_421_248 * sp_421_358;
double sp_421_360 = sp_421_249 * sp_421_358;
double sp_421_361 = sp_421_250 * sp_421_358;
double sp_421_362 = sp_421_251 * sp_421_358;
double sp_421_363 = sp_421_252 * sp_421_358;
double sp_421_364 = sp_421_253 * sp_421_358;
double sp_421_365 = sp_421_254 * sp_421_358;
double sp_421_366 = sp_421_255 * sp_421_358;
double sp_421_367 = sp_421_256 * sp_421_358;
double sp_421_368 = sp_421_218 * sp_421_33;
double sp_421_369 = sp_421_218 * sp_421_39;
double sp_421_370 = sp_421_218 * sp_421_46;
double sp_421_371 = sp_421_73 * sp_421_132;
double sp_421_372 = sp_421_73 * sp_421_133;
double sp_421_373 = sp_421_73 * sp_421_134;
double sp_421_374 = sp_421_167 * sp_421_54;
double sp_421_375 = sp_421_167 * sp_421_59;
double sp_421_376 = sp_421_167 * sp_421_64;
double sp_421_377 = sp_421_368 + sp_421_374;
double sp_421_378 = sp_421_369 + sp_421_375;
double sp_421_379 = sp_421_376 + sp_421_370;
double sp_421_380 = sp_421_371 + sp_421_90;
double sp_421_381 = sp_421_372 + sp_421_91;
double sp_421_382 = sp_421_373 + sp_421_92;
double sp_421_383 = sp_421_225 * sp_421_358;
double sp_421_384 = sp_421_226 * sp_421_358;
double sp_421_385 = sp_421_227 * sp_421_358;
double sp_421_386 = sp_421_228 * sp_421_358;
double sp_421_387 = sp_421_229 * sp_421_358;
double sp_421_388 = sp_421_230 * sp_421_358;
double sp_421_389 = sp_421_231 * sp_421_358;
double sp_421_390 = sp_421_232 * sp_421_358;
double sp_421_391 = sp_421_233 * sp_421_358;
double sp_421_392 = -sp_421_383;
double sp_421_393 = -sp_421_384;
double sp_421_394 = -sp_421_385;
double sp_421_395 = -sp_421_386;
double sp_421_396 = -sp_421_387;
double sp_421_397 = -sp_421_388;
double sp_421_398 = -sp_421_389;
double sp_421_399 = -sp_421_390;
double sp_421_400 = -sp_421_391;
double sp_421_401 = sp_421_377 + sp_421_392;
double sp_421_402 = sp_421_378 + sp_421_393;
double sp_421_403 = sp_421_379 + sp_421_394;
double sp_421_404 = sp_421_380 + sp_421_398;
double sp_421_405 = sp_421_381 + sp_421_399;
double sp_421_406 = sp_421_382 + sp_421_400;
double sp_421_407 = sp_421_401 / sp_421_238;
double sp_421_408 = sp_421_402 / sp_421_238;
double sp_421_409 = sp_421_403 / sp_421_238;
double sp_421_410 = sp_421_395 / sp_421_238;
double sp_421_411 = sp_421_396 / sp_421_238;
double sp_421_412 = sp_421_397 / sp_421_238;
double sp_421_413 = sp_421_404 / sp_421_238;
double sp_421_414 = sp_421_405 / sp_421_238;
double sp_421_415 = sp_421_406 / sp_421_238;
double sp_421_416 = sp_421_270 * sp_421_407;
double sp_421_417 = sp_421_270 * sp_421_408;
double sp_421_418 = sp_421_270 * sp_421_409;
double sp_421_419 = sp_421_270 * sp_421_410;
double sp_421_420 = sp_421_270 * sp_421_411;
double sp_421_421 = sp_421_270 * sp_421_412;
double sp_421_422 = sp_421_270 * sp_421_413;
double sp_421_423 = sp_421_270 * sp_421_414;
double sp_421_424 = sp_421_270 * sp_421_415;
double sp_421_425 = sp_421_359 + sp_421_416;
double sp_421_426 = sp_421_360 + sp_421_417;
double sp_421_427 = sp_421_361 + sp_421_418;
double sp_421_428 = sp_421_362 + sp_421_419;
double sp_421_429 = sp_421_363 + sp_421_420;
double sp_421_430 = sp_421_364 + sp_421_421;
double sp_421_431 = sp_421_365 + sp_421_422;
double sp_421_432 = sp_421_366 + sp_421_423;
double sp_421_433 = sp_421_367 + sp_421_424;
double sp_421_434 = sp_421_428 + sp_421_322;
double sp_421_435 = sp_421_429 + sp_421_323;
double sp_421_436 = sp_421_430 + sp_421_324;
double sp_421_437 = sp_421_425 * sp_421_18;
double sp_421_438 = sp_421_425 * sp_421_23;
double sp_421_439 = sp_421_425 * sp_421_26;
double sp_421_440 = sp_421_426 * sp_421_18;
double sp_421_441 = sp_421_426 * sp_421_23;
double sp_421_442 = sp_421_426 * sp_421_26;
double sp_421_443 = sp_421_427 * sp_421_18;
double sp_421_444 = sp_421_427 * sp_421_23;
double sp_421_445 = sp_421_427 * sp_421_26;
double sp_421_446 = sp_421_434 * sp_421_18;
double sp_421_447 = sp_421_434 * sp_421_23;
double sp_421_448 = sp_421_434 * sp_421_26;
double sp_421_449 = sp_421_435 * sp_421_18;
double sp_421_450 = sp_421_435 * sp_421_23;
double sp_421_451 = sp_421_435 * sp_421_26;
double sp_421_452 = sp_421_436 * sp_421_18;
double sp_421_453 = sp_421_436 * sp_421_23;
double sp_421_454 = sp_421_436 * sp_421_26;
double sp_421_455 = sp_421_431 * sp_421_18;
double sp_421_456 = sp_421_431 * sp_421_23;
double sp_421_457 = sp_421_431 * sp_421_26;
double sp_421_458 = sp_421_432 * sp_421_18;
double sp_421_459 = sp_421_432 * sp_421_23;
double sp_421_460 = sp_421_432 * sp_421_26;
double sp_421_461 = sp_421_433 * sp_421_18;
double sp_421_462 = sp_421_433 * sp_421_23;
double sp_421_463 = sp_421_433 * sp_421_26;
double sp_421_464 = sp_421_81 * sp_421_166;
double sp_421_465 = sp_421_49 * sp_421_218;
double sp_421_466 = -sp_421_465;
double sp_421_467 = sp_421_464 + sp_421_466;
double sp_421_468 = sp_421_467 / sp_421_238;
double sp_421_469 = sp_421_248 * sp_421_468;
double sp_421_470 = sp_421_249 * sp_421_468;
double sp_421_471 = sp_421_250 * sp_421_468;
double sp_421_472 = sp_421_251 * sp_421_468;
double sp_421_473 = sp_421_252 * sp_421_468;
double sp_421_474 = sp_421_253 * sp_421_468;
double sp_421_475 = sp_421_254 * sp_421_468;
double sp_421_476 = sp_421_255 * sp_421_468;
double sp_421_477 = sp_421_256 * sp_421_468;
double sp_421_478 = sp_421_166 * sp_421_54;
double sp_421_479 = sp_421_166 * sp_421_59;
double sp_421_480 = sp_421_166 * sp_421_64;
double sp_421_481 = -sp_421_368;
double sp_421_482 = -sp_421_369;
double sp_421_483 = -sp_421_370;
double sp_421_484 = -sp_421_65;
double sp_421_485 = -sp_421_66;
double sp_421_486 = -sp_421_67;
double sp_421_487 = sp_421_481 + sp_421_478;
double sp_421_488 = sp_421_482 + sp_421_479;
double sp_421_489 = sp_421_483 + sp_421_480;
double sp_421_490 = sp_421_484 + sp_421_82;
double sp_421_491 = sp_421_485 + sp_421_83;
double sp_421_492 = sp_421_486 + sp_421_84;
double sp_421_493 = sp_421_225 * sp_421_468;
double sp_421_494 = sp_421_226 * sp_421_468;
double sp_421_495 = sp_421_227 * sp_421_468;
double sp_421_496 = sp_421_228 * sp_421_468;
double sp_421_497 = sp_421_229 * sp_421_468;
double sp_421_498 = sp_421_230 * sp_421_468;
double sp_421_499 = sp_421_231 * sp_421_468;
double sp_421_500 = sp_421_232 * sp_421_468;
double sp_421_501 = sp_421_233 * sp_421_468;
double sp_421_502 = -sp_421_493;
double sp_421_503 = -sp_421_494;
double sp_421_504 = -sp_421_495;
double sp_421_505 = -sp_421_496;
double sp_421_506 = -sp_421_497;
double sp_421_507 = -sp_421_498;
double sp_421_508 = -sp_421_499;
double sp_421_509 = -sp_421_500;
double sp_421_510 = -sp_421_501;
double sp_421_511 = sp_421_487 + sp_421_505;
double sp_421_512 = sp_421_488 + sp_421_506;
double sp_421_513 = sp_421_489 + sp_421_507;
double sp_421_514 = sp_421_490 + sp_421_508;
double sp_421_515 = sp_421_491 + sp_421_509;
double sp_421_516 = sp_421_492 + sp_421_510;
double sp_421_517 = sp_421_502 / sp_421_238;
double sp_421_518 = sp_421_503 / sp_421_238;
double sp_421_519 = sp_421_504 / sp_421_238;
double sp_421_520 = sp_421_511 / sp_421_238;
double sp_421_521 = sp_421_512 / sp_421_238;
double sp_421_522 = sp_421_513 / sp_421_238;
double sp_421_523 = sp_421_514 / sp_421_238;
double sp_421_524 = sp_421_515 / sp_421_238;
double sp_421_525 = sp_421_516 / sp_421_238;
double sp_421_526 = sp_421_270 * sp_421_517;
double sp_421_527 = sp_421_270 * sp_421_518;
double sp_421_528 = sp_421_270 * sp_421_519;
double sp_421_529 = sp_421_270 * sp_421_520;
double sp_421_530 = sp_421_270 * sp_421_521;
double sp_421_531 = sp_421_270 * sp_421_522;
double sp_421_532 = sp_421_270 * sp_421_523;
double sp_421_533 = sp_421_270 * sp_421_524;
double sp_421_534 = sp_421_270 * sp_421_525;
double sp_421_535 = sp_421_469 + sp_421_526;
double sp_421_536 = sp_421_470 + sp_421_527;
double sp_421_537 = sp_421_471 + sp_421_528;
double sp_421_538 = sp_421_472 + sp_421_529;
double sp_421_539 = sp_421_473 + sp_421_530;
double sp_421_540 = sp_421_474 + sp_421_531;
double sp_421_541 = sp_421_475 + sp_421_532;
double sp_421_542 = sp_421_476 + sp_421_533;
double sp_421_543 = sp_421_477 + sp_421_534;
double sp_421_544 = sp_421_535 + sp_421_322;
double sp_421_545 = sp_421_536 + sp_421_323;
double sp_421_546 = sp_421_537 + sp_421_324;
double sp_421_547 = sp_421_544 * sp_421_18;
double sp_421_548 = sp_421_544 * sp_421_23;
double sp_421_549 = sp_421_544 * sp_421_26;
double sp_421_550 = sp_421_545 * sp_421_18;
double sp_421_551 = sp_421_545 * sp_421_23;
double sp_421_552 = sp_421_545 * sp_421_26;
double sp_421_553 = sp_421_546 * sp_421_18;
double sp_421_554 = sp_421_546 * sp_421_23;
double sp_421_555 = sp_421_546 * sp_421_26;
double sp_421_556 = sp_421_538 * sp_421_18;
double sp_421_557 = sp_421_538 * sp_421_23;
double sp_421_558 = sp_421_538 * sp_421_26;
double sp_421_559 = sp_421_539 * sp_421_18;
double sp_421_560 = sp_421_539 * sp_421_23;
double sp_421_561 = sp_421_539 * sp_421_26;
double sp_421_562 = sp_421_540 * sp_421_18;
double sp_421_563 = sp_421_540 * sp_421_23;
double sp_421_564 = sp_421_540 * sp_421_26;
double sp_421_565 = sp_421_541 * sp_421_18;
double sp_421_566 = sp_421_541 * sp_421_23;
double sp_421_567 = sp_421_541 * sp_421_26;
double sp_421_568 = sp_421_542 * sp_421_18;
double sp_421_569 = sp_421_542 * sp_421_23;
double sp_421_570 = sp_421_542 * sp_421_26;
double sp_421_571 = sp_421_543 * sp_421_18;
double sp_421_572 = sp_421_543 * sp_421_23;
double sp_421_573 = sp_421_543 * sp_421_26;
double sp_421_574 = -sp_421_73;
double sp_421_575 = sp_421_122 * sp_421_574;
double sp_421_576 = sp_421_129 + sp_421_575;
double sp_421_577 = sp_421_576 / sp_421_238;
double sp_421_578 = sp_421_248 * sp_421_577;
double sp_421_579 = sp_421_249 * sp_421_577;
double sp_421_580 = sp_421_250 * sp_421_577;
double sp_421_581 = sp_421_251 * sp_421_577;
double sp_421_582 = sp_421_252 * sp_421_577;
double sp_421_583 = sp_421_253 * sp_421_577;
double sp_421_584 = sp_421_254 * sp_421_577;
double sp_421_585 = sp_421_255 * sp_421_577;
double sp_421_586 = sp_421_256 * sp_421_577;
double sp_421_587 = sp_421_574 * sp_421_18;
double sp_421_588 = sp_421_574 * sp_421_23;
double sp_421_589 = sp_421_574 * sp_421_26;
double sp_421_590 = -sp_421_54;
double sp_421_591 = -sp_421_59;
double sp_421_592 = -sp_421_64;
double sp_421_593 = sp_421_122 * sp_421_590;
double sp_421_594 = sp_421_122 * sp_421_591;
double sp_421_595 = sp_421_122 * sp_421_592;
double sp_421_596 = sp_421_593 + sp_421_144;
double sp_421_597 = sp_421_594 + sp_421_145;
double sp_421_598 = sp_421_595 + sp_421_146;
double sp_421_599 = sp_421_147 + sp_421_587;
double sp_421_600 = sp_421_148 + sp_421_588;
double sp_421_601 = sp_421_149 + sp_421_589;
double sp_421_602 = sp_421_225 * sp_421_577;
double sp_421_603 = sp_421_226 * sp_421_577;
double sp_421_604 = sp_421_227 * sp_421_577;
double sp_421_605 = sp_421_228 * sp_421_577;
double sp_421_606 = sp_421_229 * sp_421_577;
double sp_421_607 = sp_421_230 * sp_421_577;
double sp_421_608 = sp_421_231 * sp_421_577;
double sp_421_609 = sp_421_232 * sp_421_577;
double sp_421_610 = sp_421_233 * sp_421_577;
double sp_421_611 = -sp_421_602;
double sp_421_612 = -sp_421_603;
double sp_421_613 = -sp_421_604;
double sp_421_614 = -sp_421_605;
double sp_421_615 = -sp_421_606;
double sp_421_616 = -sp_421_607;
double sp_421_617 = -sp_421_608;
double sp_421_618 = -sp_421_609;
double sp_421_619 = -sp_421_610;
double sp_421_620 = sp_421_596 + sp_421_611;
double sp_421_621 = sp_421_597 + sp_421_612;
double sp_421_622 = sp_421_598 + sp_421_613;
double sp_421_623 = sp_421_599 + sp_421_614;
double sp_421_624 = sp_421_600 + sp_421_615;
double sp_421_625 = sp_421_601 + sp_421_616;
double sp_421_626 = sp_421_620 / sp_421_238;
double sp_421_627 = sp_421_621 / sp_421_238;
double sp_421_628 = sp_421_622 / sp_421_238;
double sp_421_629 = sp_421_623 / sp_421_238;
double sp_421_630 = sp_421_624 / sp_421_238;
double sp_421_631 = sp_421_625 / sp_421_238;
double sp_421_632 = sp_421_617 / sp_421_238;
double sp_421_633 = sp_421_618 / sp_421_238;
double sp_421_634 = sp_421_619 / sp_421_238;
double sp_421_635 = sp_421_270 * sp_421_626;
double sp_421_636 = sp_421_270 * sp_421_627;
double sp_421_637 = sp_421_270 * sp_421_628;
double sp_421_638 = sp_421_270 * sp_421_629;
double sp_421_639 = sp_421_270 * sp_421_630;
double sp_421_640 = sp_421_270 * sp_421_631;
double sp_421_641 = sp_421_270 * sp_421_632;
double sp_421_642 = sp_421_270 * sp_421_633;
double sp_421_643 = sp_421_270 * sp_421_634;
double sp_421_644 = sp_421_578 + sp_421_635;
double sp_421_645 = sp_421_579 + sp_421_636;
double sp_421_646 = sp_421_580 + sp_421_637;
double sp_421_647 = sp_421_581 + sp_421_638;
double sp_421_648 = sp_421_582 + sp_421_639;
double sp_421_649 = sp_421_583 + sp_421_640;
double sp_421_650 = sp_421_584 + sp_421_641;
double sp_421_651 = sp_421_585 + sp_421_642;
double sp_421_652 = sp_421_586 + sp_421_643;
double sp_421_653 = c[1] * sp_421_33;
double sp_421_654 = c[1] * sp_421_39;
double sp_421_655 = c[1] * sp_421_46;
double sp_421_656 = sp_421_650 + sp_421_653;
double sp_421_657 = sp_421_651 + sp_421_654;
double sp_421_658 = sp_421_652 + sp_421_655;
double sp_421_659 = sp_421_644 * sp_421_33;
double sp_421_660 = sp_421_644 * sp_421_39;
double sp_421_661 = sp_421_644 * sp_421_46;
double sp_421_662 = sp_421_645 * sp_421_33;
double sp_421_663 = sp_421_645 * sp_421_39;
double sp_421_664 = sp_421_645 * sp_421_46;
double sp_421_665 = sp_421_646 * sp_421_33;
double sp_421_666 = sp_421_646 * sp_421_39;
double sp_421_667 = sp_421_646 * sp_421_46;
double sp_421_668 = sp_421_647 * sp_421_33;
double sp_421_669 = sp_421_647 * sp_421_39;
double sp_421_670 = sp_421_647 * sp_421_46;
double sp_421_671 = sp_421_648 * sp_421_33;
double sp_421_672 = sp_421_648 * sp_421_39;
double sp_421_673 = sp_421_648 * sp_421_46;
double sp_421_674 = sp_421_649 * sp_421_33;
double sp_421_675 = sp_421_649 * sp_421_39;
double sp_421_676 = sp_421_649 * sp_421_46;
double sp_421_677 = sp_421_656 * sp_421_33;
double sp_421_678 = sp_421_656 * sp_421_39;
double sp_421_679 = sp_421_656 * sp_421_46;
double sp_421_680 = sp_421_657 * sp_421_33;
double sp_421_681 = sp_421_657 * sp_421_39;
double sp_421_682 = sp_421_657 * sp_421_46;
double sp_421_683 = sp_421_658 * sp_421_33;
double sp_421_684 = sp_421_658 * sp_421_39;
double sp_421_685 = sp_421_658 * sp_421_46;
double sp_421_686 = sp_421_73 * sp_421_29;
double sp_421_687 = -sp_421_218;
double sp_421_688 = sp_421_128 * sp_421_687;
double sp_421_689 = sp_421_686 + sp_421_688;
double sp_421_690 = sp_421_689 / sp_421_238;
double sp_421_691 = sp_421_248 * sp_421_690;
double sp_421_692 = sp_421_249 * sp_421_690;
double sp_421_693 = sp_421_250 * sp_421_690;
double sp_421_694 = sp_421_251 * sp_421_690;
double sp_421_695 = sp_421_252 * sp_421_690;
double sp_421_696 = sp_421_253 * sp_421_690;
double sp_421_697 = sp_421_254 * sp_421_690;
double sp_421_698 = sp_421_255 * sp_421_690;
double sp_421_699 = sp_421_256 * sp_421_690;
double sp_421_700 = sp_421_29 * sp_421_54;
double sp_421_701 = sp_421_29 * sp_421_59;
double sp_421_702 = sp_421_29 * sp_421_64;
double sp_421_703 = sp_421_128 * sp_421_590;
double sp_421_704 = sp_421_128 * sp_421_591;
double sp_421_705 = sp_421_128 * sp_421_592;
double sp_421_706 = sp_421_687 * sp_421_18;
double sp_421_707 = sp_421_687 * sp_421_23;
double sp_421_708 = sp_421_687 * sp_421_26;
double sp_421_709 = sp_421_700 + sp_421_706;
double sp_421_710 = sp_421_701 + sp_421_707;
double sp_421_711 = sp_421_702 + sp_421_708;
double sp_421_712 = sp_421_703 + sp_421_138;
double sp_421_713 = sp_421_704 + sp_421_139;
double sp_421_714 = sp_421_705 + sp_421_140;
double sp_421_715 = sp_421_225 * sp_421_690;
double sp_421_716 = sp_421_226 * sp_421_690;
double sp_421_717 = sp_421_227 * sp_421_690;
double sp_421_718 = sp_421_228 * sp_421_690;
double sp_421_719 = sp_421_229 * sp_421_690;
double sp_421_720 = sp_421_230 * sp_421_690;
double sp_421_721 = sp_421_231 * sp_421_690;
double sp_421_722 = sp_421_232 * sp_421_690;
double sp_421_723 = sp_421_233 * sp_421_690;
double sp_421_724 = -sp_421_715;
double sp_421_725 = -sp_421_716;
double sp_421_726 = -sp_421_717;
double sp_421_727 = -sp_421_718;
double sp_421_728 = -sp_421_719;
double sp_421_729 = -sp_421_720;
double sp_421_730 = -sp_421_721;
double sp_421_731 = -sp_421_722;
double sp_421_732 = -sp_421_723;
double sp_421_733 = sp_421_709 + sp_421_724;
double sp_421_734 = sp_421_710 + sp_421_725;
double sp_421_735 = sp_421_711 + sp_421_726;
double sp_421_736 = sp_421_712 + sp_421_730;
double sp_421_737 = sp_421_713 + sp_421_731;
double sp_421_738 = sp_421_714 + sp_421_732;
double sp_421_739 = sp_421_733 / sp_421_238;
double sp_421_740 = sp_421_734 / sp_421_238;
double sp_421_741 = sp_421_735 / sp_421_238;
double sp_421_742 = sp_421_727 / sp_421_238;
double sp_421_743 = sp_421_728 / sp_421_238;
double sp_421_744 = sp_421_729 / sp_421_238;
double sp_421_745 = sp_421_736 / sp_421_238;
double sp_421_746 = sp_421_737 / sp_421_238;
double sp_421_747 = sp_421_738 / sp_421_238;
double sp_421_748 = sp_421_270 * sp_421_739;
double sp_421_749 = sp_421_270 * sp_421_740;
double sp_421_750 = sp_421_270 * sp_421_741;
double sp_421_751 = sp_421_270 * sp_421_742;
double sp_421_752 = sp_421_270 * sp_421_743;
double sp_421_753 = sp_421_270 * sp_421_744;
double sp_421_754 = sp_421_270 * sp_421_745;
double sp_421_755 = sp_421_270 * sp_421_746;
double sp_421_756 = sp_421_270 * sp_421_747;
double sp_421_757 = sp_421_691 + sp_421_748;
double sp_421_758 = sp_421_692 + sp_421_749;
double sp_421_759 = sp_421_693 + sp_421_750;
double sp_421_760 = sp_421_694 + sp_421_751;
double sp_421_761 = sp_421_695 + sp_421_752;
double sp_421_762 = sp_421_696 + sp_421_753;
double sp_421_763 = sp_421_697 + sp_421_754;
double sp_421_764 = sp_421_698 + sp_421_755;
double sp_421_765 = sp_421_699 + sp_421_756;
double sp_421_766 = sp_421_760 + sp_421_653;
double sp_421_767 = sp_421_761 + sp_421_654;
double sp_421_768 = sp_421_762 + sp_421_655;
double sp_421_769 = sp_421_757 * sp_421_33;
double sp_421_770 = sp_421_757 * sp_421_39;
double sp_421_771 = sp_421_757 * sp_421_46;
double sp_421_772 = sp_421_758 * sp_421_33;
double sp_421_773 = sp_421_758 * sp_421_39;
double sp_421_774 = sp_421_758 * sp_421_46;
double sp_421_775 = sp_421_759 * sp_421_33;
double sp_421_776 = sp_421_759 * sp_421_39;
double sp_421_777 = sp_421_759 * sp_421_46;
double sp_421_778 = sp_421_766 * sp_421_33;
double sp_421_779 = sp_421_766 * sp_421_39;
double sp_421_780 = sp_421_766 * sp_421_46;
double sp_421_781 = sp_421_767 * sp_421_33;
double sp_421_782 = sp_421_767 * sp_421_39;
double sp_421_783 = sp_421_767 * sp_421_46;
double sp_421_784 = sp_421_768 * sp_421_33;
double sp_421_785 = sp_421_768 * sp_421_39;
double sp_421_786 = sp_421_768 * sp_421_46;
double sp_421_787 = sp_421_763 * sp_421_33;
double sp_421_788 = sp_421_763 * sp_421_39;
double sp_421_789 = sp_421_763 * sp_421_46;
double sp_421_790 = sp_421_764 * sp_421_33;
double sp_421_791 = sp_421_764 * sp_421_39;
double sp_421_792 = sp_421_764 * sp_421_46;
double sp_421_793 = sp_421_765 * sp_421_33;
double sp_421_794 = sp_421_765 * sp_421_39;
double sp_421_795 = sp_421_765 * sp_421_46;
double sp_421_796 = sp_421_218 * sp_421_122;
double sp_421_797 = sp_421_29 * sp_421_81;
double sp_421_798 = -sp_421_797;
double sp_421_799 = sp_421_796 + sp_421_798;
double sp_421_800 = sp_421_799 / sp_421_238;
double sp_421_801 = sp_421_248 * sp_421_800;
double sp_421_802 = sp_421_249 * sp_421_800;
double sp_421_803 = sp_421_250 * sp_421_800;
double sp_421_804 = sp_421_251 * sp_421_800;
double sp_421_805 = sp_421_252 * sp_421_800;
double sp_421_806 = sp_421_253 * sp_421_800;
double sp_421_807 = sp_421_254 * sp_421_800;
double sp_421_808 = sp_421_255 * sp_421_800;
double sp_421_809 = sp_421_256 * sp_421_800;
double sp_421_810 = sp_421_218 * sp_421_18;
double sp_421_811 = sp_421_218 * sp_421_23;
double sp_421_812 = sp_421_218 * sp_421_26;
double sp_421_813 = -sp_421_700;
double sp_421_814 = -sp_421_701;
double sp_421_815 = -sp_421_702;
double sp_421_816 = sp_421_813 + sp_421_810;
double sp_421_817 = sp_421_814 + sp_421_811;
double sp_421_818 = sp_421_815 + sp_421_812;
double sp_421_819 = sp_421_225 * sp_421_800;
double sp_421_820 = sp_421_226 * sp_421_800;
double sp_421_821 = sp_421_227 * sp_421_800;
double sp_421_822 = sp_421_228 * sp_421_800;
double sp_421_823 = sp_421_229 * sp_421_800;
double sp_421_824 = sp_421_230 * sp_421_800;
double sp_421_825 = sp_421_231 * sp_421_800;
double sp_421_826 = sp_421_232 * sp_421_800;
double sp_421_827 = sp_421_233 * sp_421_800;
double sp_421_828 = -sp_421_819;
double sp_421_829 = -sp_421_820;
double sp_421_830 = -sp_421_821;
double sp_421_831 = -sp_421_822;
double sp_421_832 = -sp_421_823;
double sp_421_833 = -sp_421_824;
double sp_421_834 = -sp_421_825;
double sp_421_835 = -sp_421_826;
double sp_421_836 = -sp_421_827;
double sp_421_837 = sp_421_816 + sp_421_831;
double sp_421_838 = sp_421_817 + sp_421_832;
double sp_421_839 = sp_421_818 + sp_421_833;
double sp_421_840 = sp_421_156 + sp_421_834;
double sp_421_841 = sp_421_157 + sp_421_835;
double sp_421_842 = sp_421_158 + sp_421_836;
double sp_421_843 = sp_421_828 / sp_421_238;
double sp_421_844 = sp_421_829 / sp_421_238;
double sp_421_845 = sp_421_830 / sp_421_238;
double sp_421_846 = sp_421_837 / sp_421_238;
double sp_421_847 = sp_421_838 / sp_421_238;
double sp_421_848 = sp_421_839 / sp_421_238;
double sp_421_849 = sp_421_840 / sp_421_238;
double sp_421_850 = sp_421_841 / sp_421_238;
double sp_421_851 = sp_421_842 / sp_421_238;
double sp_421_852 = sp_421_270 * sp_421_843;
double sp_421_853 = sp_421_270 * sp_421_844;
double sp_421_854 = sp_421_270 * sp_421_845;
double sp_421_855 = sp_421_270 * sp_421_846;
double sp_421_856 = sp_421_270 * sp_421_847;
double sp_421_857 = sp_421_270 * sp_421_848;
double sp_421_858 = sp_421_270 * sp_421_849;
double sp_421_859 = sp_421_270 * sp_421_850;
double sp_421_860 = sp_421_270 * sp_421_851;
double sp_421_861 = sp_421_801 + sp_421_852;
double sp_421_862 = sp_421_802 + sp_421_853;
double sp_421_863 = sp_421_803 + sp_421_854;
double sp_421_864 = sp_421_804 + sp_421_855;
double sp_421_865 = sp_421_805 + sp_421_856;
double sp_421_866 = sp_421_806 + sp_421_857;
double sp_421_867 = sp_421_807 + sp_421_858;
double sp_421_868 = sp_421_808 + sp_421_859;
double sp_421_869 = sp_421_809 + sp_421_860;
double sp_421_870 = sp_421_861 + sp_421_653;
double sp_421_871 = sp_421_862 + sp_421_654;
double sp_421_872 = sp_421_863 + sp_421_655;
double sp_421_873 = sp_421_870 * sp_421_33;
double sp_421_874 = sp_421_870 * sp_421_39;
double sp_421_875 = sp_421_870 * sp_421_46;
double sp_421_876 = sp_421_871 * sp_421_33;
double sp_421_877 = sp_421_871 * sp_421_39;
double sp_421_878 = sp_421_871 * sp_421_46;
double sp_421_879 = sp_421_872 * sp_421_33;
double sp_421_880 = sp_421_872 * sp_421_39;
double sp_421_881 = sp_421_872 * sp_421_46;
double sp_421_882 = sp_421_864 * sp_421_33;
double sp_421_883 = sp_421_864 * sp_421_39;
double sp_421_884 = sp_421_864 * sp_421_46;
double sp_421_885 = sp_421_865 * sp_421_33;
double sp_421_886 = sp_421_865 * sp_421_39;
double sp_421_887 = sp_421_865 * sp_421_46;
double sp_421_888 = sp_421_866 * sp_421_33;
double sp_421_889 = sp_421_866 * sp_421_39;
double sp_421_890 = sp_421_866 * sp_421_46;
double sp_421_891 = sp_421_867 * sp_421_33;
double sp_421_892 = sp_421_867 * sp_421_39;
double sp_421_893 = sp_421_867 * sp_421_46;
double sp_421_894 = sp_421_868 * sp_421_33;
double sp_421_895 = sp_421_868 * sp_421_39;
double sp_421_896 = sp_421_868 * sp_421_46;
double sp_421_897 = sp_421_869 * sp_421_33;
double sp_421_898 = sp_421_869 * sp_421_39;
double sp_421_899 = sp_421_869 * sp_421_46;
double sp_421_900 = sp_421_659 + sp_421_328;
double sp_421_901 = sp_421_660 + sp_421_329;
double sp_421_902 = sp_421_330 + sp_421_661;
double sp_421_903 = sp_421_769 + sp_421_437;
double sp_421_904 = sp_421_770 + sp_421_438;
double sp_421_905 = sp_421_439 + sp_421_771;
double sp_421_906 = sp_421_873 + sp_421_547;
double sp_421_907 = sp_421_874 + sp_421_548;
double sp_421_908 = sp_421_549 + sp_421_875;
double sp_421_909 = sp_421_662 + sp_421_331;
double sp_421_910 = sp_421_663 + sp_421_332;
double sp_421_911 = sp_421_333 + sp_421_664;
double sp_421_912 = sp_421_772 + sp_421_440;
double sp_421_913 = sp_421_773 + sp_421_441;
double sp_421_914 = sp_421_442 + sp_421_774;
double sp_421_915 = sp_421_876 + sp_421_550;
double sp_421_916 = sp_421_877 + sp_421_551;
double sp_421_917 = sp_421_552 + sp_421_878;
double sp_421_918 = sp_421_665 + sp_421_334;
double sp_421_919 = sp_421_666 + sp_421_335;
double sp_421_920 = sp_421_336 + sp_421_667;
double sp_421_921 = sp_421_775 + sp_421_443;
double sp_421_922 = sp_421_776 + sp_421_444;
double sp_421_923 = sp_421_445 + sp_421_777;
double sp_421_924 = sp_421_879 + sp_421_553;
double sp_421_925 = sp_421_880 + sp_421_554;
double sp_421_926 = sp_421_555 + sp_421_881;
double sp_421_927 = sp_421_668 + sp_421_337;
double sp_421_928 = sp_421_669 + sp_421_338;
double sp_421_929 = sp_421_339 + sp_421_670;
double sp_421_930 = sp_421_778 + sp_421_446;
double sp_421_931 = sp_421_779 + sp_421_447;
double sp_421_932 = sp_421_448 + sp_421_780;
double sp_421_933 = sp_421_882 + sp_421_556;
double sp_421_934 = sp_421_883 + sp_421_557;
double sp_421_935 = sp_421_558 + sp_421_884;
double sp_421_936 = sp_421_671 + sp_421_340;
double sp_421_937 = sp_421_672 + sp_421_341;
double sp_421_938 = sp_421_342 + sp_421_673;
double sp_421_939 = sp_421_781 + sp_421_449;
double sp_421_940 = sp_421_782 + sp_421_450;
double sp_421_941 = sp_421_451 + sp_421_783;
double sp_421_942 = sp_421_885 + sp_421_559;
double sp_421_943 = sp_421_886 + sp_421_560;
double sp_421_944 = sp_421_561 + sp_421_887;
double sp_421_945 = sp_421_674 + sp_421_343;
double sp_421_946 = sp_421_675 + sp_421_344;
double sp_421_947 = sp_421_345 + sp_421_676;
double sp_421_948 = sp_421_784 + sp_421_452;
double sp_421_949 = sp_421_785 + sp_421_453;
double sp_421_950 = sp_421_454 + sp_421_786;
double sp_421_951 = sp_421_888 + sp_421_562;
double sp_421_952 = sp_421_889 + sp_421_563;
double sp_421_953 = sp_421_564 + sp_421_890;
double sp_421_954 = sp_421_677 + sp_421_346;
double sp_421_955 = sp_421_678 + sp_421_347;
double sp_421_956 = sp_421_348 + sp_421_679;
double sp_421_957 = sp_421_787 + sp_421_455;
double sp_421_958 = sp_421_788 + sp_421_456;
double sp_421_959 = sp_421_457 + sp_421_789;
double sp_421_960 = sp_421_891 + sp_421_565;
double sp_421_961 = sp_421_892 + sp_421_566;
double sp_421_962 = sp_421_567 + sp_421_893;
double sp_421_963 = sp_421_680 + sp_421_349;
double sp_421_964 = sp_421_681 + sp_421_350;
double sp_421_965 = sp_421_351 + sp_421_682;
double sp_421_966 = sp_421_790 + sp_421_458;
double sp_421_967 = sp_421_791 + sp_421_459;
double sp_421_968 = sp_421_460 + sp_421_792;
double sp_421_969 = sp_421_894 + sp_421_568;
double sp_421_970 = sp_421_895 + sp_421_569;
double sp_421_971 = sp_421_570 + sp_421_896;
double sp_421_972 = sp_421_683 + sp_421_352;
double sp_421_973 = sp_421_684 + sp_421_353;
double sp_421_974 = sp_421_354 + sp_421_685;
double sp_421_975 = sp_421_793 + sp_421_461;
double sp_421_976 = sp_421_794 + sp_421_462;
double sp_421_977 = sp_421_463 + sp_421_795;
double sp_421_978 = sp_421_897 + sp_421_571;
double sp_421_979 = sp_421_898 + sp_421_572;
double sp_421_980 = sp_421_573 + sp_421_899;
double sp_421_981 = sp_421_186 / sp_421_238;
double sp_421_982 = sp_421_248 * sp_421_981;
double sp_421_983 = sp_421_249 * sp_421_981;
double sp_421_984 = sp_421_250 * sp_421_981;
double sp_421_985 = sp_421_251 * sp_421_981;
double sp_421_986 = sp_421_252 * sp_421_981;
double sp_421_987 = sp_421_253 * sp_421_981;
double sp_421_988 = sp_421_254 * sp_421_981;
double sp_421_989 = sp_421_255 * sp_421_981;
double sp_421_990 = sp_421_256 * sp_421_981;
double sp_421_991 = sp_421_225 * sp_421_981;
double sp_421_992 = sp_421_226 * sp_421_981;
double sp_421_993 = sp_421_227 * sp_421_981;
double sp_421_994 = sp_421_228 * sp_421_981;
double sp_421_995 = sp_421_229 * sp_421_981;
double sp_421_996 = sp_421_230 * sp_421_981;
double sp_421_997 = sp_421_231 * sp_421_981;
double sp_421_998 = sp_421_232 * sp_421_981;
double sp_421_999 = sp_421_233 * sp_421_981;
double sp_421_1000 = -sp_421_991;
double sp_421_1001 = -sp_421_992;
double sp_421_1002 = -sp_421_993;
double sp_421_1003 = -sp_421_994;
double sp_421_1004 = -sp_421_995;
double sp_421_1005 = -sp_421_996;
double sp_421_1006 = -sp_421_997;
double sp_421_1007 = -sp_421_998;
double sp_421_1008 = -sp_421_999;
double sp_421_1009 = sp_421_208 + sp_421_1000;
double sp_421_1010 = sp_421_209 + sp_421_1001;
double sp_421_1011 = sp_421_210 + sp_421_1002;
double sp_421_1012 = sp_421_211 + sp_421_1003;
double sp_421_1013 = sp_421_212 + sp_421_1004;
double sp_421_1014 = sp_421_213 + sp_421_1005;
double sp_421_1015 = sp_421_1009 / sp_421_238;
double sp_421_1016 = sp_421_1010 / sp_421_238;
double sp_421_1017 = sp_421_1011 / sp_421_238;
double sp_421_1018 = sp_421_1012 / sp_421_238;
double sp_421_1019 = sp_421_1013 / sp_421_238;
double sp_421_1020 = sp_421_1014 / sp_421_238;
double sp_421_1021 = sp_421_1006 / sp_421_238;
double sp_421_1022 = sp_421_1007 / sp_421_238;
double sp_421_1023 = sp_421_1008 / sp_421_238;
double sp_421_1024 = sp_421_270 * sp_421_1015;
double sp_421_1025 = sp_421_270 * sp_421_1016;
double sp_421_1026 = sp_421_270 * sp_421_1017;
double sp_421_1027 = sp_421_270 * sp_421_1018;
double sp_421_1028 = sp_421_270 * sp_421_1019;
double sp_421_1029 = sp_421_270 * sp_421_1020;
double sp_421_1030 = sp_421_270 * sp_421_1021;
double sp_421_1031 = sp_421_270 * sp_421_1022;
double sp_421_1032 = sp_421_270 * sp_421_1023;
double sp_421_1033 = sp_421_982 + sp_421_1024;
double sp_421_1034 = sp_421_983 + sp_421_1025;
double sp_421_1035 = sp_421_984 + sp_421_1026;
double sp_421_1036 = sp_421_985 + sp_421_1027;
double sp_421_1037 = sp_421_986 + sp_421_1028;
double sp_421_1038 = sp_421_987 + sp_421_1029;
double sp_421_1039 = sp_421_988 + sp_421_1030;
double sp_421_1040 = sp_421_989 + sp_421_1031;
double sp_421_1041 = sp_421_990 + sp_421_1032;
double sp_421_1042 = c[1] * sp_421_54;
double sp_421_1043 = c[1] * sp_421_59;
double sp_421_1044 = c[1] * sp_421_64;
double sp_421_1045 = sp_421_1039 + sp_421_1042;
double sp_421_1046 = sp_421_1040 + sp_421_1043;
double sp_421_1047 = sp_421_1041 + sp_421_1044;
double sp_421_1048 = sp_421_1033 * sp_421_54;
double sp_421_1049 = sp_421_1033 * sp_421_59;
double sp_421_1050 = sp_421_1033 * sp_421_64;
double sp_421_1051 = sp_421_1034 * sp_421_54;
double sp_421_1052 = sp_421_1034 * sp_421_59;
double sp_421_1053 = sp_421_1034 * sp_421_64;
double sp_421_1054 = sp_421_1035 * sp_421_54;
double sp_421_1055 = sp_421_1035 * sp_421_59;
double sp_421_1056 = sp_421_1035 * sp_421_64;
double sp_421_1057 = sp_421_1036 * sp_421_54;
double sp_421_1058 = sp_421_1036 * sp_421_59;
double sp_421_1059 = sp_421_1036 * sp_421_64;
double sp_421_1060 = sp_421_1037 * sp_421_54;
double sp_421_1061 = sp_421_1037 * sp_421_59;
double sp_421_1062 = sp_421_1037 * sp_421_64;
double sp_421_1063 = sp_421_1038 * sp_421_54;
double sp_421_1064 = sp_421_1038 * sp_421_59;
double sp_421_1065 = sp_421_1038 * sp_421_64;
double sp_421_1066 = sp_421_1045 * sp_421_54;
double sp_421_1067 = sp_421_1045 * sp_421_59;
double sp_421_1068 = sp_421_1045 * sp_421_64;
double sp_421_1069 = sp_421_1046 * sp_421_54;
double sp_421_1070 = sp_421_1046 * sp_421_59;
double sp_421_1071 = sp_421_1046 * sp_421_64;
double sp_421_1072 = sp_421_1047 * sp_421_54;
double sp_421_1073 = sp_421_1047 * sp_421_59;
double sp_421_1074 = sp_421_1047 * sp_421_64;
double sp_421_1075 = sp_421_128 * sp_421_166;
double sp_421_1076 = sp_421_29 * sp_421_89;
double sp_421_1077 = -sp_421_1076;
double sp_421_1078 = sp_421_1075 + sp_421_1077;
double sp_421_1079 = sp_421_1078 / sp_421_238;
double sp_421_1080 = sp_421_248 * sp_421_1079;
double sp_421_1081 = sp_421_249 * sp_421_1079;
double sp_421_1082 = sp_421_250 * sp_421_1079;
double sp_421_1083 = sp_421_251 * sp_421_1079;
double sp_421_1084 = sp_421_252 * sp_421_1079;
double sp_421_1085 = sp_421_253 * sp_421_1079;
double sp_421_1086 = sp_421_254 * sp_421_1079;
double sp_421_1087 = sp_421_255 * sp_421_1079;
double sp_421_1088 = sp_421_256 * sp_421_1079;
double sp_421_1089 = sp_421_166 * sp_421_18;
double sp_421_1090 = sp_421_166 * sp_421_23;
double sp_421_1091 = sp_421_166 * sp_421_26;
double sp_421_1092 = sp_421_29 * sp_421_33;
double sp_421_1093 = sp_421_29 * sp_421_39;
double sp_421_1094 = sp_421_29 * sp_421_46;
double sp_421_1095 = -sp_421_1092;
double sp_421_1096 = -sp_421_1093;
double sp_421_1097 = -sp_421_1094;
double sp_421_1098 = -sp_421_193;
double sp_421_1099 = -sp_421_194;
double sp_421_1100 = -sp_421_195;
double sp_421_1101 = sp_421_1095 + sp_421_1089;
double sp_421_1102 = sp_421_1096 + sp_421_1090;
double sp_421_1103 = sp_421_1097 + sp_421_1091;
double sp_421_1104 = sp_421_1098 + sp_421_199;
double sp_421_1105 = sp_421_1099 + sp_421_200;
double sp_421_1106 = sp_421_1100 + sp_421_201;
double sp_421_1107 = sp_421_225 * sp_421_1079;
double sp_421_1108 = sp_421_226 * sp_421_1079;
double sp_421_1109 = sp_421_227 * sp_421_1079;
double sp_421_1110 = sp_421_228 * sp_421_1079;
double sp_421_1111 = sp_421_229 * sp_421_1079;
double sp_421_1112 = sp_421_230 * sp_421_1079;
double sp_421_1113 = sp_421_231 * sp_421_1079;
double sp_421_1114 = sp_421_232 * sp_421_1079;
double sp_421_1115 = sp_421_233 * sp_421_1079;
double sp_421_1116 = -sp_421_1107;
double sp_421_1117 = -sp_421_1108;
double sp_421_1118 = -sp_421_1109;
double sp_421_1119 = -sp_421_1110;
double sp_421_1120 = -sp_421_1111;
double sp_421_1121 = -sp_421_1112;
double sp_421_1122 = -sp_421_1113;
double sp_421_1123 = -sp_421_1114;
double sp_421_1124 = -sp_421_1115;
double sp_421_1125 = sp_421_1101 + sp_421_1116;
double sp_421_1126 = sp_421_1102 + sp_421_1117;
double sp_421_1127 = sp_421_1103 + sp_421_1118;
double sp_421_1128 = sp_421_1104 + sp_421_1122;
double sp_421_1129 = sp_421_1105 + sp_421_1123;
double sp_421_1130 = sp_421_1106 + sp_421_1124;
double sp_421_1131 = sp_421_1125 / sp_421_238;
double sp_421_1132 = sp_421_1126 / sp_421_238;
double sp_421_1133 = sp_421_1127 / sp_421_238;
double sp_421_1134 = sp_421_1119 / sp_421_238;
double sp_421_1135 = sp_421_1120 / sp_421_238;
double sp_421_1136 = sp_421_1121 / sp_421_238;
double sp_421_1137 = sp_421_1128 / sp_421_238;
double sp_421_1138 = sp_421_1129 / sp_421_238;
double sp_421_1139 = sp_421_1130 / sp_421_238;
double sp_421_1140 = sp_421_270 * sp_421_1131;
double sp_421_1141 = sp_421_270 * sp_421_1132;
double sp_421_1142 = sp_421_270 * sp_421_1133;
double sp_421_1143 = sp_421_270 * sp_421_1134;
double sp_421_1144 = sp_421_270 * sp_421_1135;
double sp_421_1145 = sp_421_270 * sp_421_1136;
double sp_421_1146 = sp_421_270 * sp_421_1137;
double sp_421_1147 = sp_421_270 * sp_421_1138;
double sp_421_1148 = sp_421_270 * sp_421_1139;
double sp_421_1149 = sp_421_1080 + sp_421_1140;
double sp_421_1150 = sp_421_1081 + sp_421_1141;
double sp_421_1151 = sp_421_1082 + sp_421_1142;
double sp_421_1152 = sp_421_1083 + sp_421_1143;
double sp_421_1153 = sp_421_1084 + sp_421_1144;
double sp_421_1154 = sp_421_1085 + sp_421_1145;
double sp_421_1155 = sp_421_1086 + sp_421_1146;
double sp_421_1156 = sp_421_1087 + sp_421_1147;
double sp_421_1157 = sp_421_1088 + sp_421_1148;
double sp_421_1158 = sp_421_1152 + sp_421_1042;
double sp_421_1159 = sp_421_1153 + sp_421_1043;
double sp_421_1160 = sp_421_1154 + sp_421_1044;
double sp_421_1161 = sp_421_1149 * sp_421_54;
double sp_421_1162 = sp_421_1149 * sp_421_59;
double sp_421_1163 = sp_421_1149 * sp_421_64;
double sp_421_1164 = sp_421_1150 * sp_421_54;
double sp_421_1165 = sp_421_1150 * sp_421_59;
double sp_421_1166 = sp_421_1150 * sp_421_64;
double sp_421_1167 = sp_421_1151 * sp_421_54;
double sp_421_1168 = sp_421_1151 * sp_421_59;
double sp_421_1169 = sp_421_1151 * sp_421_64;
double sp_421_1170 = sp_421_1158 * sp_421_54;
double sp_421_1171 = sp_421_1158 * sp_421_59;
double sp_421_1172 = sp_421_1158 * sp_421_64;
double sp_421_1173 = sp_421_1159 * sp_421_54;
double sp_421_1174 = sp_421_1159 * sp_421_59;
double sp_421_1175 = sp_421_1159 * sp_421_64;
double sp_421_1176 = sp_421_1160 * sp_421_54;
double sp_421_1177 = sp_421_1160 * sp_421_59;
double sp_421_1178 = sp_421_1160 * sp_421_64;
double sp_421_1179 = sp_421_1155 * sp_421_54;
double sp_421_1180 = sp_421_1155 * sp_421_59;
double sp_421_1181 = sp_421_1155 * sp_421_64;
double sp_421_1182 = sp_421_1156 * sp_421_54;
double sp_421_1183 = sp_421_1156 * sp_421_59;
double sp_421_1184 = sp_421_1156 * sp_421_64;
double sp_421_1185 = sp_421_1157 * sp_421_54;
double sp_421_1186 = sp_421_1157 * sp_421_59;
double sp_421_1187 = sp_421_1157 * sp_421_64;
double sp_421_1188 = sp_421_29 * sp_421_49;
double sp_421_1189 = sp_421_122 * sp_421_166;
double sp_421_1190 = -sp_421_1189;
double sp_421_1191 = sp_421_1188 + sp_421_1190;
double sp_421_1192 = sp_421_1191 / sp_421_238;
double sp_421_1193 = sp_421_248 * sp_421_1192;
double sp_421_1194 = sp_421_249 * sp_421_1192;
double sp_421_1195 = sp_421_250 * sp_421_1192;
double sp_421_1196 = sp_421_251 * sp_421_1192;
double sp_421_1197 = sp_421_252 * sp_421_1192;
double sp_421_1198 = sp_421_253 * sp_421_1192;
double sp_421_1199 = sp_421_254 * sp_421_1192;
double sp_421_1200 = sp_421_255 * sp_421_1192;
double sp_421_1201 = sp_421_256 * sp_421_1192;
double sp_421_1202 = -sp_421_1089;
double sp_421_1203 = -sp_421_1090;
double sp_421_1204 = -sp_421_1091;
double sp_421_1205 = -sp_421_190;
double sp_421_1206 = -sp_421_191;
double sp_421_1207 = -sp_421_192;
double sp_421_1208 = sp_421_1202 + sp_421_1092;
double sp_421_1209 = sp_421_1203 + sp_421_1093;
double sp_421_1210 = sp_421_1204 + sp_421_1094;
double sp_421_1211 = sp_421_1205 + sp_421_196;
double sp_421_1212 = sp_421_1206 + sp_421_197;
double sp_421_1213 = sp_421_1207 + sp_421_198;
double sp_421_1214 = sp_421_225 * sp_421_1192;
double sp_421_1215 = sp_421_226 * sp_421_1192;
double sp_421_1216 = sp_421_227 * sp_421_1192;
double sp_421_1217 = sp_421_228 * sp_421_1192;
double sp_421_1218 = sp_421_229 * sp_421_1192;
double sp_421_1219 = sp_421_230 * sp_421_1192;
double sp_421_1220 = sp_421_231 * sp_421_1192;
double sp_421_1221 = sp_421_232 * sp_421_1192;
double sp_421_1222 = sp_421_233 * sp_421_1192;
double sp_421_1223 = -sp_421_1214;
double sp_421_1224 = -sp_421_1215;
double sp_421_1225 = -sp_421_1216;
double sp_421_1226 = -sp_421_1217;
double sp_421_1227 = -sp_421_1218;
double sp_421_1228 = -sp_421_1219;
double sp_421_1229 = -sp_421_1220;
double sp_421_1230 = -sp_421_1221;
double sp_421_1231 = -sp_421_1222;
double sp_421_1232 = sp_421_1208 + sp_421_1226;
double sp_421_1233 = sp_421_1209 + sp_421_1227;
double sp_421_1234 = sp_421_1210 + sp_421_1228;
double sp_421_1235 = sp_421_1211 + sp_421_1229;
double sp_421_1236 = sp_421_1212 + sp_421_1230;
double sp_421_1237 = sp_421_1213 + sp_421_1231;
double sp_421_1238 = sp_421_1223 / sp_421_238;
double sp_421_1239 = sp_421_1224 / sp_421_238;
double sp_421_1240 = sp_421_1225 / sp_421_238;
double sp_421_1241 = sp_421_1232 / sp_421_238;
double sp_421_1242 = sp_421_1233 / sp_421_238;
double sp_421_1243 = sp_421_1234 / sp_421_238;
double sp_421_1244 = sp_421_1235 / sp_421_238;
double sp_421_1245 = sp_421_1236 / sp_421_238;
double sp_421_1246 = sp_421_1237 / sp_421_238;
double sp_421_1247 = sp_421_270 * sp_421_1238;
double sp_421_1248 = sp_421_270 * sp_421_1239;
double sp_421_1249 = sp_421_270 * sp_421_1240;
double sp_421_1250 = sp_421_270 * sp_421_1241;
double sp_421_1251 = sp_421_270 * sp_421_1242;
double sp_421_1252 = sp_421_270 * sp_421_1243;
double sp_421_1253 = sp_421_270 * sp_421_1244;
double sp_421_1254 = sp_421_270 * sp_421_1245;
double sp_421_1255 = sp_421_270 * sp_421_1246;
double sp_421_1256 = sp_421_1193 + sp_421_1247;
double sp_421_1257 = sp_421_1194 + sp_421_1248;
double sp_421_1258 = sp_421_1195 + sp_421_1249;
double sp_421_1259 = sp_421_1196 + sp_421_1250;
double sp_421_1260 = sp_421_1197 + sp_421_1251;
double sp_421_1261 = sp_421_1198 + sp_421_1252;
double sp_421_1262 = sp_421_1199 + sp_421_1253;
double sp_421_1263 = sp_421_1200 + sp_421_1254;
double sp_421_1264 = sp_421_1201 + sp_421_1255;
double sp_421_1265 = sp_421_1256 + sp_421_1042;
double sp_421_1266 = sp_421_1257 + sp_421_1043;
double sp_421_1267 = sp_421_1258 + sp_421_1044;
double sp_421_1268 = sp_421_1265 * sp_421_54;
double sp_421_1269 = sp_421_1265 * sp_421_59;
double sp_421_1270 = sp_421_1265 * sp_421_64;
double sp_421_1271 = sp_421_1266 * sp_421_54;
double sp_421_1272 = sp_421_1266 * sp_421_59;
double sp_421_1273 = sp_421_1266 * sp_421_64;
double sp_421_1274 = sp_421_1267 * sp_421_54;
double sp_421_1275 = sp_421_1267 * sp_421_59;
double sp_421_1276 = sp_421_1267 * sp_421_64;
double sp_421_1277 = sp_421_1259 * sp_421_54;
double sp_421_1278 = sp_421_1259 * sp_421_59;
double sp_421_1279 = sp_421_1259 * sp_421_64;
double sp_421_1280 = sp_421_1260 * sp_421_54;
double sp_421_1281 = sp_421_1260 * sp_421_59;
double sp_421_1282 = sp_421_1260 * sp_421_64;
double sp_421_1283 = sp_421_1261 * sp_421_54;
double sp_421_1284 = sp_421_1261 * sp_421_59;
double sp_421_1285 = sp_421_1261 * sp_421_64;
double sp_421_1286 = sp_421_1262 * sp_421_54;
double sp_421_1287 = sp_421_1262 * sp_421_59;
double sp_421_1288 = sp_421_1262 * sp_421_64;
double sp_421_1289 = sp_421_1263 * sp_421_54;
double sp_421_1290 = sp_421_1263 * sp_421_59;
double sp_421_1291 = sp_421_1263 * sp_421_64;
double sp_421_1292 = sp_421_1264 * sp_421_54;
double sp_421_1293 = sp_421_1264 * sp_421_59;
double sp_421_1294 = sp_421_1264 * sp_421_64;
double sp_421_1295 = sp_421_900 + sp_421_1048;
double sp_421_1296 = sp_421_901 + sp_421_1049;
double sp_421_1297 = sp_421_902 + sp_421_1050;
double sp_421_1298 = sp_421_903 + sp_421_1161;
double sp_421_1299 = sp_421_904 + sp_421_1162;
double sp_421_1300 = sp_421_905 + sp_421_1163;
double sp_421_1301 = sp_421_906 + sp_421_1268;
double sp_421_1302 = sp_421_907 + sp_421_1269;
double sp_421_1303 = sp_421_908 + sp_421_1270;
double sp_421_1304 = sp_421_909 + sp_421_1051;
double sp_421_1305 = sp_421_910 + sp_421_1052;
double sp_421_1306 = sp_421_911 + sp_421_1053;
double sp_421_1307 = sp_421_912 + sp_421_1164;
double sp_421_1308 = sp_421_913 + sp_421_1165;
double sp_421_1309 = sp_421_914 + sp_421_1166;
double sp_421_1310 = sp_421_915 + sp_421_1271;
double sp_421_1311 = sp_421_916 + sp_421_1272;
double sp_421_1312 = sp_421_917 + sp_421_1273;
double sp_421_1313 = sp_421_918 + sp_421_1054;
double sp_421_1314 = sp_421_919 + sp_421_1055;
double sp_421_1315 = sp_421_920 + sp_421_1056;
double sp_421_1316 = sp_421_921 + sp_421_1167;
double sp_421_1317 = sp_421_922 + sp_421_1168;
double sp_421_1318 = sp_421_923 + sp_421_1169;
double sp_421_1319 = sp_421_924 + sp_421_1274;
double sp_421_1320 = sp_421_925 + sp_421_1275;
double sp_421_1321 = sp_421_926 + sp_421_1276;
double sp_421_1322 = sp_421_927 + sp_421_1057;
double sp_421_1323 = sp_421_928 + sp_421_1058;
double sp_421_1324 = sp_421_929 + sp_421_1059;
double sp_421_1325 = sp_421_930 + sp_421_1170;
double sp_421_1326 = sp_421_931 + sp_421_1171;
double sp_421_1327 = sp_421_932 + sp_421_1172;
double sp_421_1328 = sp_421_933 + sp_421_1277;
double sp_421_1329 = sp_421_934 + sp_421_1278;
double sp_421_1330 = sp_421_935 + sp_421_1279;
double sp_421_1331 = sp_421_936 + sp_421_1060;
double sp_421_1332 = sp_421_937 + sp_421_1061;
double sp_421_1333 = sp_421_938 + sp_421_1062;
double sp_421_1334 = sp_421_939 + sp_421_1173;
double sp_421_1335 = sp_421_940 + sp_421_1174;
double sp_421_1336 = sp_421_941 + sp_421_1175;
double sp_421_1337 = sp_421_942 + sp_421_1280;
double sp_421_1338 = sp_421_943 + sp_421_1281;
double sp_421_1339 = sp_421_944 + sp_421_1282;
double sp_421_1340 = sp_421_945 + sp_421_1063;
double sp_421_1341 = sp_421_946 + sp_421_1064;
double sp_421_1342 = sp_421_947 + sp_421_1065;
double sp_421_1343 = sp_421_948 + sp_421_1176;
double sp_421_1344 = sp_421_949 + sp_421_1177;
double sp_421_1345 = sp_421_950 + sp_421_1178;
double sp_421_1346 = sp_421_951 + sp_421_1283;
double sp_421_1347 = sp_421_952 + sp_421_1284;
double sp_421_1348 = sp_421_953 + sp_421_1285;
double sp_421_1349 = sp_421_954 + sp_421_1066;
double sp_421_1350 = sp_421_955 + sp_421_1067;
double sp_421_1351 = sp_421_956 + sp_421_1068;
double sp_421_1352 = sp_421_957 + sp_421_1179;
double sp_421_1353 = sp_421_958 + sp_421_1180;
double sp_421_1354 = sp_421_959 + sp_421_1181;
double sp_421_1355 = sp_421_960 + sp_421_1286;
double sp_421_1356 = sp_421_961 + sp_421_1287;
double sp_421_1357 = sp_421_962 + sp_421_1288;
double sp_421_1358 = sp_421_963 + sp_421_1069;
double sp_421_1359 = sp_421_964 + sp_421_1070;
double sp_421_1360 = sp_421_965 + sp_421_1071;
double sp_421_1361 = sp_421_966 + sp_421_1182;
double sp_421_1362 = sp_421_967 + sp_421_1183;
double sp_421_1363 = sp_421_968 + sp_421_1184;
double sp_421_1364 = sp_421_969 + sp_421_1289;
double sp_421_1365 = sp_421_970 + sp_421_1290;
double sp_421_1366 = sp_421_971 + sp_421_1291;
double sp_421_1367 = sp_421_972 + sp_421_1072;
double sp_421_1368 = sp_421_973 + sp_421_1073;
double sp_421_1369 = sp_421_974 + sp_421_1074;
double sp_421_1370 = sp_421_975 + sp_421_1185;
double sp_421_1371 = sp_421_976 + sp_421_1186;
double sp_421_1372 = sp_421_977 + sp_421_1187;
double sp_421_1373 = sp_421_978 + sp_421_1292;
double sp_421_1374 = sp_421_979 + sp_421_1293;
double sp_421_1375 = sp_421_980 + sp_421_1294;
double sp_421_1376 = fabs(sp_421_17);
double sp_421_1377 = sp_421_1295 * sp_421_1376;
double sp_421_1378 = sp_421_1296 * sp_421_1376;
double sp_421_1379 = sp_421_1297 * sp_421_1376;
double sp_421_1380 = sp_421_1298 * sp_421_1376;
double sp_421_1381 = sp_421_1299 * sp_421_1376;
double sp_421_1382 = sp_421_1300 * sp_421_1376;
double sp_421_1383 = sp_421_1301 * sp_421_1376;
double sp_421_1384 = sp_421_1302 * sp_421_1376;
double sp_421_1385 = sp_421_1303 * sp_421_1376;
double sp_421_1386 = sp_421_1304 * sp_421_1376;
double sp_421_1387 = sp_421_1305 * sp_421_1376;
double sp_421_1388 = sp_421_1306 * sp_421_1376;
double sp_421_1389 = sp_421_1307 * sp_421_1376;
double sp_421_1390 = sp_421_1308 * sp_421_1376;
double sp_421_1391 = sp_421_1309 * sp_421_1376;
double sp_421_1392 = sp_421_1310 * sp_421_1376;
double sp_421_1393 = sp_421_1311 * sp_421_1376;
double sp_421_1394 = sp_421_1312 * sp_421_1376;
double sp_421_1395 = sp_421_1313 * sp_421_1376;
double sp_421_1396 = sp_421_1314 * sp_421_1376;
double sp_421_1397 = sp_421_1315 * sp_421_1376;
double sp_421_1398 = sp_421_1316 * sp_421_1376;
double sp_421_1399 = sp_421_1317 * sp_421_1376;
double sp_421_1400 = sp_421_1318 * sp_421_1376;
double sp_421_1401 = sp_421_1319 * sp_421_1376;
double sp_421_1402 = sp_421_1320 * sp_421_1376;
double sp_421_1403 = sp_421_1321 * sp_421_1376;
double sp_421_1404 = sp_421_1322 * sp_421_1376;
double sp_421_1405 = sp_421_1323 * sp_421_1376;
double sp_421_1406 = sp_421_1324 * sp_421_1376;
double sp_421_1407 = sp_421_1325 * sp_421_1376;
double sp_421_1408 = sp_421_1326 * sp_421_1376;
double sp_421_1409 = sp_421_1327 * sp_421_1376;
double sp_421_1410 = sp_421_1328 * sp_421_1376;
double sp_421_1411 = sp_421_1329 * sp_421_1376;
double sp_421_1412 = sp_421_1330 * sp_421_1376;
double sp_421_1413 = sp_421_1331 * sp_421_1376;
double sp_421_1414 = sp_421_1332 * sp_421_1376;
double sp_421_1415 = sp_421_1333 * sp_421_1376;
double sp_421_1416 = sp_421_1334 * sp_421_1376;
double sp_421_1417 = sp_421_1335 * sp_421_1376;
double sp_421_1418 = sp_421_1336 * sp_421_1376;
double sp_421_1419 = sp_421_1337 * sp_421_1376;
double sp_421_1420 = sp_421_1338 * sp_421_1376;
double sp_421_1421 = sp_421_1339 * sp_421_1376;
double sp_421_1422 = sp_421_1340 * sp_421_1376;
double sp_421_1423 = sp_421_1341 * sp_421_1376;
double sp_421_1424 = sp_421_1342 * sp_421_1376;
double sp_421_1425 = sp_421_1343 * sp_421_1376;
double sp_421_1426 = sp_421_1344 * sp_421_1376;
double sp_421_1427 = sp_421_1345 * sp_421_1376;
double sp_421_1428 = sp_421_1346 * sp_421_1376;
double sp_421_1429 = sp_421_1347 * sp_421_1376;
double sp_421_1430 = sp_421_1348 * sp_421_1376;
double sp_421_1431 = sp_421_1349 * sp_421_1376;
double sp_421_1432 = sp_421_1350 * sp_421_1376;
double sp_421_1433 = sp_421_1351 * sp_421_1376;
double sp_421_1434 = sp_421_1352 * sp_421_1376;
double sp_421_1435 = sp_421_1353 * sp_421_1376;
double sp_421_1436 = sp_421_1354 * sp_421_1376;
double sp_421_1437 = sp_421_1355 * sp_421_1376;
double sp_421_1438 = sp_421_1356 * sp_421_1376;
double sp_421_1439 = sp_421_1357 * sp_421_1376;
double sp_421_1440 = sp_421_1358 * sp_421_1376;
double sp_421_1441 = sp_421_1359 * sp_421_1376;
double sp_421_1442 = sp_421_1360 * sp_421_1376;
double sp_421_1443 = sp_421_1361 * sp_421_1376;
double sp_421_1444 = sp_421_1362 * sp_421_1376;
double sp_421_1445 = sp_421_1363 * sp_421_1376;
double sp_421_1446 = sp_421_1364 * sp_421_1376;
double sp_421_1447 = sp_421_1365 * sp_421_1376;
double sp_421_1448 = sp_421_1366 * sp_421_1376;
double sp_421_1449 = sp_421_1367 * sp_421_1376;
double sp_421_1450 = sp_421_1368 * sp_421_1376;
double sp_421_1451 = sp_421_1369 * sp_421_1376;
double sp_421_1452 = sp_421_1370 * sp_421_1376;
double sp_421_1453 = sp_421_1371 * sp_421_1376;
double sp_421_1454 = sp_421_1372 * sp_421_1376;
double sp_421_1455 = sp_421_1373 * sp_421_1376;
double sp_421_1456 = sp_421_1374 * sp_421_1376;
double sp_421_1457 = sp_421_1375 * sp_421_1376;
for (int iq = 0; iq < 1; ++iq)
{
  // ------------------------ 
  // Section: Intermediates
  // Inputs: 
  // Outputs: fw0, fw1, fw2, fw3, fw4, fw5, fw6, fw7, fw8, fw9, fw10, fw11, fw12, fw13, fw14, fw15, fw16, fw17, fw18, fw19, fw20, fw21, fw22, fw23, fw24, fw25, fw26, fw27, fw28, fw29, fw30, fw31, fw32, fw33, fw34, fw35, fw36, fw37, fw38, fw39, fw40, fw41, fw42, fw43, fw44, fw45, fw46, fw47, fw48, fw49, fw50, fw51, fw52, fw53, fw54, fw55, fw56, fw57, fw58, fw59, fw60, fw61, fw62, fw63, fw64, fw65, fw66, fw67, fw68, fw69, fw70, fw71, fw72, fw73, fw74, fw75, fw76, fw77, fw78, fw79, fw80
  double fw0 = 0;
  double fw1 = 0;
  double fw2 = 0;
  double fw3 = 0;
  double fw4 = 0;
  double fw5 = 0;
  double fw6 = 0;
  double fw7 = 0;
  double fw8 = 0;
  double fw9 = 0;
  double fw10 = 0;
  double fw11 = 0;
  double fw12 = 0;
  double fw13 = 0;
  double fw14 = 0;
  double fw15 = 0;
  double fw16 = 0;
  double fw17 = 0;
  double fw18 = 0;
  double fw19 = 0;
  double fw20 = 0;
  double fw21 = 0;
  double fw22 = 0;
  double fw23 = 0;
  double fw24 = 0;
  double fw25 = 0;
  double fw26 = 0;
  double fw27 = 0;
  double fw28 = 0;
  double fw29 = 0;
  double fw30 = 0;
  double fw31 = 0;
  double fw32 = 0;
  double fw33 = 0;
  double fw34 = 0;
  double fw35 = 0;
  double fw36 = 0;
  double fw37 = 0;
  double fw38 = 0;
  double fw39 = 0;
  double fw40 = 0;
  double fw41 = 0;
  double fw42 = 0;
  double fw43 = 0;
  double fw44 = 0;
  double fw45 = 0;
  double fw46 = 0;
  double fw47 = 0;
  double fw48 = 0;
  double fw49 = 0;
  double fw50 = 0;
  double fw51 = 0;
  double fw52 = 0;
  double fw53 = 0;
  double fw54 = 0;
  double fw55 = 0;
  double fw56 = 0;
  double fw57 = 0;
  double fw58 = 0;
  double fw59 = 0;
  double fw60 = 0;
  double fw61 = 0;
  double fw62 = 0;
  double fw63 = 0;
  double fw64 = 0;
  double fw65 = 0;
  double fw66 = 0;
  double fw67 = 0;
  double fw68 = 0;
  double fw69 = 0;
  double fw70 = 0;
  double fw71 = 0;
  double fw72 = 0;
  double fw73 = 0;
  double fw74 = 0;
  double fw75 = 0;
  double fw76 = 0;
  double fw77 = 0;
  double fw78 = 0;
  double fw79 = 0;
  double fw80 = 0;
  {
    fw0 = sp_421_1431 * weights_421[iq];
    fw1 = sp_421_1440 * weights_421[iq];
    fw2 = sp_421_1449 * weights_421[iq];
    fw3 = sp_421_1432 * weights_421[iq];
    fw4 = sp_421_1441 * weights_421[iq];
    fw5 = sp_421_1450 * weights_421[iq];
    fw6 = sp_421_1433 * weights_421[iq];
    fw7 = sp_421_1442 * weights_421[iq];
    fw8 = sp_421_1451 * weights_421[iq];
    fw9 = sp_421_1404 * weights_421[iq];
    fw10 = sp_421_1413 * weights_421[iq];
    fw11 = sp_421_1422 * weights_421[iq];
    fw12 = sp_421_1405 * weights_421[iq];
    fw13 = sp_421_1414 * weights_421[iq];
    fw14 = sp_421_1423 * weights_421[iq];
    fw15 = sp_421_1406 * weights_421[iq];
    fw16 = sp_421_1415 * weights_421[iq];
    fw17 = sp_421_1424 * weights_421[iq];
    fw18 = sp_421_1377 * weights_421[iq];
    fw19 = sp_421_1386 * weights_421[iq];
    fw20 = sp_421_1395 * weights_421[iq];
    fw21 = sp_421_1378 * weights_421[iq];
    fw22 = sp_421_1387 * weights_421[iq];
    fw23 = sp_421_1396 * weights_421[iq];
    fw24 = sp_421_1379 * weights_421[iq];
    fw25 = sp_421_1388 * weights_421[iq];
    fw26 = sp_421_1397 * weights_421[iq];
    fw27 = sp_421_1434 * weights_421[iq];
    fw28 = sp_421_1443 * weights_421[iq];
    fw29 = sp_421_1452 * weights_421[iq];
    fw30 = sp_421_1435 * weights_421[iq];
    fw31 = sp_421_1444 * weights_421[iq];
    fw32 = sp_421_1453 * weights_421[iq];
    fw33 = sp_421_1436 * weights_421[iq];
    fw34 = sp_421_1445 * weights_421[iq];
    fw35 = sp_421_1454 * weights_421[iq];
    fw36 = sp_421_1407 * weights_421[iq];
    fw37 = sp_421_1416 * weights_421[iq];
    fw38 = sp_421_1425 * weights_421[iq];
    fw39 = sp_421_1408 * weights_421[iq];
    fw40 = sp_421_1417 * weights_421[iq];
    fw41 = sp_421_1426 * weights_421[iq];
    fw42 = sp_421_1409 * weights_421[iq];
    fw43 = sp_421_1418 * weights_421[iq];
    fw44 = sp_421_1427 * weights_421[iq];
    fw45 = sp_421_1380 * weights_421[iq];
    fw46 = sp_421_1389 * weights_421[iq];
    fw47 = sp_421_1398 * weights_421[iq];
    fw48 = sp_421_1381 * weights_421[iq];
    fw49 = sp_421_1390 * weights_421[iq];
    fw50 = sp_421_1399 * weights_421[iq];
    fw51 = sp_421_1382 * weights_421[iq];
    fw52 = sp_421_1391 * weights_421[iq];
    fw53 = sp_421_1400 * weights_421[iq];
    fw54 = sp_421_1437 * weights_421[iq];
    fw55 = sp_421_1446 * weights_421[iq];
    fw56 = sp_421_1455 * weights_421[iq];
    fw57 = sp_421_1438 * weights_421[iq];
    fw58 = sp_421_1447 * weights_421[iq];
    fw59 = sp_421_1456 * weights_421[iq];
    fw60 = sp_421_1439 * weights_421[iq];
    fw61 = sp_421_1448 * weights_421[iq];
    fw62 = sp_421_1457 * weights_421[iq];
    fw63 = sp_421_1410 * weights_421[iq];
    fw64 = sp_421_1419 * weights_421[iq];
    fw65 = sp_421_1428 * weights_421[iq];
    fw66 = sp_421_1411 * weights_421[iq];
    fw67 = sp_421_1420 * weights_421[iq];
    fw68 = sp_421_1429 * weights_421[iq];
    fw69 = sp_421_1412 * weights_421[iq];
    fw70 = sp_421_1421 * weights_421[iq];
    fw71 = sp_421_1430 * weights_421[iq];
    fw72 = sp_421_1383 * weights_421[iq];
    fw73 = sp_421_1392 * weights_421[iq];
    fw74 = sp_421_1401 * weights_421[iq];
    fw75 = sp_421_1384 * weights_421[iq];
    fw76 = sp_421_1393 * weights_421[iq];
    fw77 = sp_421_1402 * weights_421[iq];
    fw78 = sp_421_1385 * weights_421[iq];
    fw79 = sp_421_1394 * weights_421[iq];
    fw80 = sp_421_1403 * weights_421[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw7, fw31, fw45, fw29, fw61, fw10, fw60, fw57, fw33, fw27, fw76, fw62, fw39, fw70, fw68, fw59, fw72, fw11, fw51, fw35, fw17, fw77, fw13, fw15, fw41, fw1, FE1_C0_D100_Q421, fw6, fw69, fw78, fw32, fw56, fw48, fw8, fw66, fw0, fw73, fw24, fw79, fw14, fw25, fw43, fw19, fw53, fw20, fw18, fw4, fw74, fw52, fw22, fw30, fw42, fw21, fw26, fw37, fw44, fw46, fw38, fw23, fw55, fw40, fw2, fw47, fw49, fw71, fw54, fw9, fw63, fw75, fw65, fw5, fw3, fw28, fw36, fw58, fw64, FE1_C1_D010_Q421, fw80, fw50, fw67, fw12, fw16, fw34, FE1_C2_D001_Q421
  // Outputs: A
  {
    double temp_0[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_0[j] = fw0 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_1[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_1[j] = fw1 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_2[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_2[j] = fw2 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_3[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_3[j] = fw3 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_4[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_4[j] = fw4 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_5[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_5[j] = fw5 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_6[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_6[j] = fw6 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_7[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_7[j] = fw7 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_8[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_8[j] = fw8 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_9[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_9[j] = fw9 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_10[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_10[j] = fw10 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_11[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_11[j] = fw11 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_12[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_12[j] = fw12 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_13[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_13[j] = fw13 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_14[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_14[j] = fw14 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_15[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_15[j] = fw15 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_16[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_16[j] = fw16 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_17[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_17[j] = fw17 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_18[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_18[j] = fw18 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_19[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_19[j] = fw19 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_20[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_20[j] = fw20 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_21[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_21[j] = fw21 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_22[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_22[j] = fw22 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_23[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_23[j] = fw23 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_24[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_24[j] = fw24 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_25[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_25[j] = fw25 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_26[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_26[j] = fw26 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_27[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_27[j] = fw27 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_28[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_28[j] = fw28 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_29[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_29[j] = fw29 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_30[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_30[j] = fw30 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_31[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_31[j] = fw31 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_32[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_32[j] = fw32 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_33[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_33[j] = fw33 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_34[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_34[j] = fw34 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_35[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_35[j] = fw35 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_36[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_36[j] = fw36 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_37[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_37[j] = fw37 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_38[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_38[j] = fw38 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_39[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_39[j] = fw39 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_40[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_40[j] = fw40 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_41[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_41[j] = fw41 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_42[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_42[j] = fw42 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_43[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_43[j] = fw43 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_44[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_44[j] = fw44 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_45[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_45[j] = fw45 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_46[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_46[j] = fw46 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_47[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_47[j] = fw47 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_48[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_48[j] = fw48 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_49[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_49[j] = fw49 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_50[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_50[j] = fw50 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_51[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_51[j] = fw51 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_52[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_52[j] = fw52 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_53[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_53[j] = fw53 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_54[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_54[j] = fw54 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_55[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_55[j] = fw55 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_56[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_56[j] = fw56 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_57[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_57[j] = fw57 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_58[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_58[j] = fw58 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_59[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_59[j] = fw59 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_60[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_60[j] = fw60 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_61[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_61[j] = fw61 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_62[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_62[j] = fw62 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_63[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_63[j] = fw63 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_64[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_64[j] = fw64 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_65[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_65[j] = fw65 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_66[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_66[j] = fw66 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_67[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_67[j] = fw67 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_68[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_68[j] = fw68 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_69[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_69[j] = fw69 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_70[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_70[j] = fw70 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_71[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_71[j] = fw71 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_72[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_72[j] = fw72 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_73[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_73[j] = fw73 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_74[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_74[j] = fw74 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_75[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_75[j] = fw75 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_76[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_76[j] = fw76 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_77[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_77[j] = fw77 * FE1_C2_D001_Q421[0][0][0][j];
    }
    double temp_78[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_78[j] = fw78 * FE1_C0_D100_Q421[0][0][0][j];
    }
    double temp_79[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_79[j] = fw79 * FE1_C1_D010_Q421[0][0][0][j];
    }
    double temp_80[4] = {0};
    for (int j = 0; j < 4; ++j)
    {
      temp_80[j] = fw80 * FE1_C2_D001_Q421[0][0][0][j];
    }
    for (int j = 0; j < 4; ++j)
    {
      for (int i = 0; i < 4; ++i)
      {
        A[12 * (3 * (i)) + 3 * (j)] += FE1_C0_D100_Q421[0][0][0][i] * temp_0[j];
        A[12 * (3 * (i)) + 3 * (j)] += FE1_C0_D100_Q421[0][0][0][i] * temp_1[j];
        A[12 * (3 * (i)) + 3 * (j)] += FE1_C0_D100_Q421[0][0][0][i] * temp_2[j];
        A[12 * (3 * (i)) + 3 * (j)] += FE1_C1_D010_Q421[0][0][0][i] * temp_3[j];
        A[12 * (3 * (i)) + 3 * (j)] += FE1_C1_D010_Q421[0][0][0][i] * temp_4[j];
        A[12 * (3 * (i)) + 3 * (j)] += FE1_C1_D010_Q421[0][0][0][i] * temp_5[j];
        A[12 * (3 * (i)) + 3 * (j)] += FE1_C2_D001_Q421[0][0][0][i] * temp_6[j];
        A[12 * (3 * (i)) + 3 * (j)] += FE1_C2_D001_Q421[0][0][0][i] * temp_7[j];
        A[12 * (3 * (i)) + 3 * (j)] += FE1_C2_D001_Q421[0][0][0][i] * temp_8[j];
        A[12 * (3 * (i)) + (3 * (j) + 1)] += FE1_C0_D100_Q421[0][0][0][i] * temp_9[j];
        A[12 * (3 * (i)) + (3 * (j) + 1)] += FE1_C0_D100_Q421[0][0][0][i] * temp_10[j];
        A[12 * (3 * (i)) + (3 * (j) + 1)] += FE1_C0_D100_Q421[0][0][0][i] * temp_11[j];
        A[12 * (3 * (i)) + (3 * (j) + 1)] += FE1_C1_D010_Q421[0][0][0][i] * temp_12[j];
        A[12 * (3 * (i)) + (3 * (j) + 1)] += FE1_C1_D010_Q421[0][0][0][i] * temp_13[j];
        A[12 * (3 * (i)) + (3 * (j) + 1)] += FE1_C1_D010_Q421[0][0][0][i] * temp_14[j];
        A[12 * (3 * (i)) + (3 * (j) + 1)] += FE1_C2_D001_Q421[0][0][0][i] * temp_15[j];
        A[12 * (3 * (i)) + (3 * (j) + 1)] += FE1_C2_D001_Q421[0][0][0][i] * temp_16[j];
        A[12 * (3 * (i)) + (3 * (j) + 1)] += FE1_C2_D001_Q421[0][0][0][i] * temp_17[j];
        A[12 * (3 * (i)) + (3 * (j) + 2)] += FE1_C0_D100_Q421[0][0][0][i] * temp_18[j];
        A[12 * (3 * (i)) + (3 * (j) + 2)] += FE1_C0_D100_Q421[0][0][0][i] * temp_19[j];
        A[12 * (3 * (i)) + (3 * (j) + 2)] += FE1_C0_D100_Q421[0][0][0][i] * temp_20[j];
        A[12 * (3 * (i)) + (3 * (j) + 2)] += FE1_C1_D010_Q421[0][0][0][i] * temp_21[j];
        A[12 * (3 * (i)) + (3 * (j) + 2)] += FE1_C1_D010_Q421[0][0][0][i] * temp_22[j];
        A[12 * (3 * (i)) + (3 * (j) + 2)] += FE1_C1_D010_Q421[0][0][0][i] * temp_23[j];
        A[12 * (3 * (i)) + (3 * (j) + 2)] += FE1_C2_D001_Q421[0][0][0][i] * temp_24[j];
        A[12 * (3 * (i)) + (3 * (j) + 2)] += FE1_C2_D001_Q421[0][0][0][i] * temp_25[j];
        A[12 * (3 * (i)) + (3 * (j) + 2)] += FE1_C2_D001_Q421[0][0][0][i] * temp_26[j];
        A[12 * (3 * (i) + 1) + 3 * (j)] += FE1_C0_D100_Q421[0][0][0][i] * temp_27[j];
        A[12 * (3 * (i) + 1) + 3 * (j)] += FE1_C0_D100_Q421[0][0][0][i] * temp_28[j];
        A[12 * (3 * (i) + 1) + 3 * (j)] += FE1_C0_D100_Q421[0][0][0][i] * temp_29[j];
        A[12 * (3 * (i) + 1) + 3 * (j)] += FE1_C1_D010_Q421[0][0][0][i] * temp_30[j];
        A[12 * (3 * (i) + 1) + 3 * (j)] += FE1_C1_D010_Q421[0][0][0][i] * temp_31[j];
        A[12 * (3 * (i) + 1) + 3 * (j)] += FE1_C1_D010_Q421[0][0][0][i] * temp_32[j];
        A[12 * (3 * (i) + 1) + 3 * (j)] += FE1_C2_D001_Q421[0][0][0][i] * temp_33[j];
        A[12 * (3 * (i) + 1) + 3 * (j)] += FE1_C2_D001_Q421[0][0][0][i] * temp_34[j];
        A[12 * (3 * (i) + 1) + 3 * (j)] += FE1_C2_D001_Q421[0][0][0][i] * temp_35[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C0_D100_Q421[0][0][0][i] * temp_36[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C0_D100_Q421[0][0][0][i] * temp_37[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C0_D100_Q421[0][0][0][i] * temp_38[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C1_D010_Q421[0][0][0][i] * temp_39[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C1_D010_Q421[0][0][0][i] * temp_40[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C1_D010_Q421[0][0][0][i] * temp_41[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C2_D001_Q421[0][0][0][i] * temp_42[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C2_D001_Q421[0][0][0][i] * temp_43[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C2_D001_Q421[0][0][0][i] * temp_44[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C0_D100_Q421[0][0][0][i] * temp_45[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C0_D100_Q421[0][0][0][i] * temp_46[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C0_D100_Q421[0][0][0][i] * temp_47[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C1_D010_Q421[0][0][0][i] * temp_48[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C1_D010_Q421[0][0][0][i] * temp_49[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C1_D010_Q421[0][0][0][i] * temp_50[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C2_D001_Q421[0][0][0][i] * temp_51[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C2_D001_Q421[0][0][0][i] * temp_52[j];
        A[12 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C2_D001_Q421[0][0][0][i] * temp_53[j];
        A[12 * (3 * (i) + 2) + 3 * (j)] += FE1_C0_D100_Q421[0][0][0][i] * temp_54[j];
        A[12 * (3 * (i) + 2) + 3 * (j)] += FE1_C0_D100_Q421[0][0][0][i] * temp_55[j];
        A[12 * (3 * (i) + 2) + 3 * (j)] += FE1_C0_D100_Q421[0][0][0][i] * temp_56[j];
        A[12 * (3 * (i) + 2) + 3 * (j)] += FE1_C1_D010_Q421[0][0][0][i] * temp_57[j];
        A[12 * (3 * (i) + 2) + 3 * (j)] += FE1_C1_D010_Q421[0][0][0][i] * temp_58[j];
        A[12 * (3 * (i) + 2) + 3 * (j)] += FE1_C1_D010_Q421[0][0][0][i] * temp_59[j];
        A[12 * (3 * (i) + 2) + 3 * (j)] += FE1_C2_D001_Q421[0][0][0][i] * temp_60[j];
        A[12 * (3 * (i) + 2) + 3 * (j)] += FE1_C2_D001_Q421[0][0][0][i] * temp_61[j];
        A[12 * (3 * (i) + 2) + 3 * (j)] += FE1_C2_D001_Q421[0][0][0][i] * temp_62[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C0_D100_Q421[0][0][0][i] * temp_63[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C0_D100_Q421[0][0][0][i] * temp_64[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C0_D100_Q421[0][0][0][i] * temp_65[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C1_D010_Q421[0][0][0][i] * temp_66[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C1_D010_Q421[0][0][0][i] * temp_67[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C1_D010_Q421[0][0][0][i] * temp_68[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C2_D001_Q421[0][0][0][i] * temp_69[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C2_D001_Q421[0][0][0][i] * temp_70[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C2_D001_Q421[0][0][0][i] * temp_71[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C0_D100_Q421[0][0][0][i] * temp_72[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C0_D100_Q421[0][0][0][i] * temp_73[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C0_D100_Q421[0][0][0][i] * temp_74[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C1_D010_Q421[0][0][0][i] * temp_75[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C1_D010_Q421[0][0][0][i] * temp_76[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C1_D010_Q421[0][0][0][i] * temp_77[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C2_D001_Q421[0][0][0][i] * temp_78[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C2_D001_Q421[0][0][0][i] * temp_79[j];
        A[12 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C2_D001_Q421[0][0][0][i] * temp_80[j];
      }
    }
  }
  // ------------------------ 
}

}

/* hyperelasticity_energy_cell
 * w holds u.
 * c holds la, mu. */
void hyperelasticity_energy_cell(double* restrict A,
                                    const double* restrict w,
                                    const double* restrict c,
                                    const double* restrict coordinate_dofs,
                                    const int* restrict entity_local_index,
                                    const uint8_t* restrict quadrature_permutation,
                                    void* custom_data)
{
// Quadrature rules
static const double weights_421[1] = {0.1666666666666667};
// Precomputed values of basis functions and precomputations
// FE* dimensions: [permutation][entities][points][dofs]
static const double FE1_C0_D100_Q421[1][1][1][4] = {{{{-1.0, 1.0, 0.0, 0.0}}}};
static const double FE1_C1_D010_Q421[1][1][1][4] = {{{{-1.0, 0.0, 1.0, 0.0}}}};
static const double FE1_C2_D001_Q421[1][1][1][4] = {{{{-1.0, 0.0, 0.0, 1.0}}}};
// ------------------------ 
// Section: Coefficient
// Inputs: FE1_C0_D100_Q421, w, FE1_C1_D010_Q421, FE1_C2_D001_Q421
// Outputs: w0_d100_c0, w0_d010_c0, w0_d001_c0, w0_d001_c2, w0_d100_c1, w0_d010_c2, w0_d010_c1, w0_d100_c2, w0_d001_c1
double w0_d100_c0 = 0.0;
double w0_d010_c0 = 0.0;
double w0_d001_c0 = 0.0;
double w0_d100_c1 = 0.0;
double w0_d010_c1 = 0.0;
double w0_d001_c1 = 0.0;
double w0_d100_c2 = 0.0;
double w0_d010_c2 = 0.0;
double w0_d001_c2 = 0.0;
{
  for (int ic = 0; ic < 4; ++ic)
  {
    w0_d100_c0 += w[(ic) * 3] * FE1_C0_D100_Q421[0][0][0][ic];
    w0_d010_c0 += w[(ic) * 3] * FE1_C1_D010_Q421[0][0][0][ic];
    w0_d001_c0 += w[(ic) * 3] * FE1_C2_D001_Q421[0][0][0][ic];
    w0_d100_c1 += w[(ic) * 3 + 1] * FE1_C0_D100_Q421[0][0][0][ic];
    w0_d010_c1 += w[(ic) * 3 + 1] * FE1_C1_D010_Q421[0][0][0][ic];
    w0_d001_c1 += w[(ic) * 3 + 1] * FE1_C2_D001_Q421[0][0][0][ic];
    w0_d100_c2 += w[(ic) * 3 + 2] * FE1_C0_D100_Q421[0][0][0][ic];
    w0_d010_c2 += w[(ic) * 3 + 2] * FE1_C1_D010_Q421[0][0][0][ic];
    w0_d001_c2 += w[(ic) * 3 + 2] * FE1_C2_D001_Q421[0][0][0][ic];
  }
}
// ------------------------ 
// ------------------------ 
// Section: Jacobian
// Inputs: FE1_C0_D100_Q421, coordinate_dofs, FE1_C1_D010_Q421, FE1_C2_D001_Q421
// Outputs: J0_c3, J0_c0, J0_c8, J0_c7, J0_c4, J0_c6, J0_c2, J0_c1, J0_c5
double J0_c4 = 0.0;
double J0_c8 = 0.0;
double J0_c5 = 0.0;
double J0_c7 = 0.0;
double J0_c0 = 0.0;
double J0_c3 = 0.0;
double J0_c6 = 0.0;
double J0_c1 = 0.0;
double J0_c2 = 0.0;
{
  for (int ic = 0; ic < 4; ++ic)
  {
    J0_c4 += coordinate_dofs[(ic) * 3 + 1] * FE1_C1_D010_Q421[0][0][0][ic];
    J0_c8 += coordinate_dofs[(ic) * 3 + 2] * FE1_C2_D001_Q421[0][0][0][ic];
    J0_c5 += coordinate_dofs[(ic) * 3 + 1] * FE1_C2_D001_Q421[0][0][0][ic];
    J0_c7 += coordinate_dofs[(ic) * 3 + 2] * FE1_C1_D010_Q421[0][0][0][ic];
    J0_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_D100_Q421[0][0][0][ic];
    J0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE1_C0_D100_Q421[0][0][0][ic];
    J0_c6 += coordinate_dofs[(ic) * 3 + 2] * FE1_C0_D100_Q421[0][0][0][ic];
    J0_c1 += coordinate_dofs[(ic) * 3] * FE1_C1_D010_Q421[0][0][0][ic];
    J0_c2 += coordinate_dofs[(ic) * 3] * FE1_C2_D001_Q421[0][0][0][ic];
  }
}
// ------------------------ 
double sp_421_0 = J0_c4 * J0_c8;
double sp_421_1 = J0_c5 * J0_c7;
double sp_421_2 = -sp_421_1;
double sp_421_3 = sp_421_0 + sp_421_2;
double sp_421_4 = J0_c0 * sp_421_3;
double sp_421_5 = J0_c3 * J0_c8;
double sp_421_6 = J0_c5 * J0_c6;
double sp_421_7 = -sp_421_6;
double sp_421_8 = sp_421_5 + sp_421_7;
double sp_421_9 = -J0_c1;
double sp_421_10 = sp_421_8 * sp_421_9;
double sp_421_11 = sp_421_4 + sp_421_10;
double sp_421_12 = J0_c3 * J0_c7;
double sp_421_13 = J0_c4 * J0_c6;
double sp_421_14 = -sp_421_13;
double sp_421_15 = sp_421_12 + sp_421_14;
double sp_421_16 = J0_c2 * sp_421_15;
double sp_421_17 = sp_421_11 + sp_421_16;
double sp_421_18 = sp_421_3 / sp_421_17;
double sp_421_19 = w0_d100_c0 * sp_421_18;
double sp_421_20 = -J0_c8;
double sp_421_21 = J0_c3 * sp_421_20;
double sp_421_22 = sp_421_6 + sp_421_21;
double sp_421_23 = sp_421_22 / sp_421_17;
double sp_421_24 = w0_d010_c0 * sp_421_23;
double sp_421_25 = sp_421_19 + sp_421_24;
double sp_421_26 = sp_421_15 / sp_421_17;
double sp_421_27 = w0_d001_c0 * sp_421_26;
double sp_421_28 = sp_421_25 + sp_421_27;
double sp_421_29 = 1 + sp_421_28;
double sp_421_30 = sp_421_29 * sp_421_29;
double sp_421_31 = w0_d100_c1 * sp_421_18;
double sp_421_32 = w0_d010_c1 * sp_421_23;
double sp_421_33 = sp_421_31 + sp_421_32;
double sp_421_34 = w0_d001_c1 * sp_421_26;
double sp_421_35 = sp_421_33 + sp_421_34;
double sp_421_36 = sp_421_35 * sp_421_35;
double sp_421_37 = sp_421_30 + sp_421_36;
double sp_421_38 = w0_d100_c2 * sp_421_18;
double sp_421_39 = w0_d010_c2 * sp_421_23;
double sp_421_40 = sp_421_38 + sp_421_39;
double sp_421_41 = w0_d001_c2 * sp_421_26;
double sp_421_42 = sp_421_40 + sp_421_41;
double sp_421_43 = sp_421_42 * sp_421_42;
double sp_421_44 = sp_421_37 + sp_421_43;
double sp_421_45 = J0_c2 * J0_c7;
double sp_421_46 = J0_c8 * sp_421_9;
double sp_421_47 = sp_421_45 + sp_421_46;
double sp_421_48 = sp_421_47 / sp_421_17;
double sp_421_49 = w0_d100_c1 * sp_421_48;
double sp_421_50 = J0_c0 * J0_c8;
double sp_421_51 = -J0_c2;
double sp_421_52 = J0_c6 * sp_421_51;
double sp_421_53 = sp_421_50 + sp_421_52;
double sp_421_54 = sp_421_53 / sp_421_17;
double sp_421_55 = w0_d010_c1 * sp_421_54;
double sp_421_56 = sp_421_49 + sp_421_55;
double sp_421_57 = J0_c1 * J0_c6;
double sp_421_58 = J0_c0 * J0_c7;
double sp_421_59 = -sp_421_58;
double sp_421_60 = sp_421_57 + sp_421_59;
double sp_421_61 = sp_421_60 / sp_421_17;
double sp_421_62 = w0_d001_c1 * sp_421_61;
double sp_421_63 = sp_421_56 + sp_421_62;
double sp_421_64 = 1 + sp_421_63;
double sp_421_65 = sp_421_64 * sp_421_64;
double sp_421_66 = w0_d100_c0 * sp_421_48;
double sp_421_67 = w0_d010_c0 * sp_421_54;
double sp_421_68 = sp_421_66 + sp_421_67;
double sp_421_69 = w0_d001_c0 * sp_421_61;
double sp_421_70 = sp_421_68 + sp_421_69;
double sp_421_71 = sp_421_70 * sp_421_70;
double sp_421_72 = sp_421_65 + sp_421_71;
double sp_421_73 = w0_d100_c2 * sp_421_48;
double sp_421_74 = w0_d010_c2 * sp_421_54;
double sp_421_75 = sp_421_73 + sp_421_74;
double sp_421_76 = w0_d001_c2 * sp_421_61;
double sp_421_77 = sp_421_75 + sp_421_76;
double sp_421_78 = sp_421_77 * sp_421_77;
double sp_421_79 = sp_421_72 + sp_421_78;
double sp_421_80 = sp_421_44 + sp_421_79;
double sp_421_81 = J0_c1 * J0_c5;
double sp_421_82 = J0_c2 * J0_c4;
double sp_421_83 = -sp_421_82;
double sp_421_84 = sp_421_81 + sp_421_83;
double sp_421_85 = sp_421_84 / sp_421_17;
double sp_421_86 = w0_d100_c0 * sp_421_85;
double sp_421_87 = J0_c2 * J0_c3;
double sp_421_88 = J0_c0 * J0_c5;
double sp_421_89 = -sp_421_88;
double sp_421_90 = sp_421_87 + sp_421_89;
double sp_421_91 = sp_421_90 / sp_421_17;
double sp_421_92 = w0_d010_c0 * sp_421_91;
double sp_421_93 = sp_421_86 + sp_421_92;
double sp_421_94 = J0_c0 * J0_c4;
double sp_421_95 = J0_c1 * J0_c3;
double sp_421_96 = -sp_421_95;
double sp_421_97 = sp_421_94 + sp_421_96;
double sp_421_98 = sp_421_97 / sp_421_17;
double sp_421_99 = w0_d001_c0 * sp_421_98;
double sp_421_100 = sp_421_93 + sp_421_99;
double sp_421_101 = sp_421_100 * sp_421_100;
double sp_421_102 = w0_d100_c1 * sp_421_85;
double sp_421_103 = w0_d010_c1 * sp_421_91;
double sp_421_104 = sp_421_102 + sp_421_103;
double sp_421_105 = w0_d001_c1 * sp_421_98;
double sp_421_106 = sp_421_104 + sp_421_105;
double sp_421_107 = sp_421_106 * sp_421_106;
double sp_421_108 = sp_421_101 + sp_421_107;
double sp_421_109 = w0_d100_c2 * sp_421_85;
double sp_421_110 = w0_d010_c2 * sp_421_91;
double sp_421_111 = sp_421_109 + sp_421_110;
double sp_421_112 = w0_d001_c2 * sp_421_98;
double sp_421_113 = sp_421_111 + sp_421_112;
double sp_421_114 = 1 + sp_421_113;
double sp_421_115 = sp_421_114 * sp_421_114;
double sp_421_116 = sp_421_108 + sp_421_115;
double sp_421_117 = sp_421_80 + sp_421_116;
double sp_421_118 = -3 + sp_421_117;
double sp_421_119 = sp_421_114 * sp_421_64;
double sp_421_120 = sp_421_106 * sp_421_77;
double sp_421_121 = -sp_421_120;
double sp_421_122 = sp_421_119 + sp_421_121;
double sp_421_123 = sp_421_29 * sp_421_122;
double sp_421_124 = sp_421_114 * sp_421_35;
double sp_421_125 = sp_421_106 * sp_421_42;
double sp_421_126 = -sp_421_125;
double sp_421_127 = sp_421_124 + sp_421_126;
double sp_421_128 = -sp_421_70;
double sp_421_129 = sp_421_127 * sp_421_128;
double sp_421_130 = sp_421_123 + sp_421_129;
double sp_421_131 = sp_421_35 * sp_421_77;
double sp_421_132 = sp_421_64 * sp_421_42;
double sp_421_133 = -sp_421_132;
double sp_421_134 = sp_421_131 + sp_421_133;
double sp_421_135 = sp_421_134 * sp_421_100;
double sp_421_136 = sp_421_130 + sp_421_135;
double sp_421_137 = log(sp_421_136);
double sp_421_138 = 2 * sp_421_137;
double sp_421_139 = -sp_421_138;
double sp_421_140 = sp_421_118 + sp_421_139;
double sp_421_141 = c[1] / 2;
double sp_421_142 = sp_421_140 * sp_421_141;
double sp_421_143 = c[0] / 2;
double sp_421_144 = pow(sp_421_137, 2);
double sp_421_145 = sp_421_143 * sp_421_144;
double sp_421_146 = sp_421_142 + sp_421_145;
double sp_421_147 = fabs(sp_421_17);
double sp_421_148 = sp_421_146 * sp_421_147;
for (int iq = 0; iq < 1; ++iq)
{
  // ------------------------ 
  // Section: Intermediates
  // Inputs: 
  // Outputs: fw0
  double fw0 = 0;
  {
    fw0 = sp_421_148 * weights_421[iq];
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

/* hyperelasticity_error_cell
 * w holds u.
 * c holds turn. */
void hyperelasticity_error_cell(double* restrict A,
                                    const double* restrict w,
                                    const double* restrict c,
                                    const double* restrict coordinate_dofs,
                                    const int* restrict entity_local_index,
                                    const uint8_t* restrict quadrature_permutation,
                                    void* custom_data)
{
// Quadrature rules
static const double weights_d8a[14] = {0.003174603174603167, 0.003174603174603167, 0.003174603174603167, 0.003174603174603167, 0.003174603174603167, 0.003174603174603167, 0.01476497079049678, 0.01476497079049678, 0.01476497079049678, 0.01476497079049678, 0.02213979111426512, 0.02213979111426512, 0.02213979111426512, 0.02213979111426512};
// Precomputed values of basis functions and precomputations
// FE* dimensions: [permutation][entities][points][dofs]
static const double FE1_C0_D100_Qd8a[1][1][1][4] = {{{{-1.0, 1.0, 0.0, 0.0}}}};
static const double FE1_C0_Qd8a[1][1][14][4] = {{{{0.0, 0.0, 0.5, 0.5},
  {0.0, 0.4999999999999999, 0.0, 0.5},
  {0.0, 0.5, 0.5, 0.0},
  {0.4999999999999999, 0.5, 0.0, 0.0},
  {0.5, 0.0, 0.5, 0.0},
  {0.5, 0.0, 0.0, 0.5},
  {0.1005267652252044, 0.6984197043243865, 0.1005267652252045, 0.1005267652252045},
  {0.6984197043243865, 0.1005267652252044, 0.1005267652252045, 0.1005267652252045},
  {0.1005267652252044, 0.1005267652252044, 0.1005267652252045, 0.6984197043243867},
  {0.1005267652252045, 0.1005267652252045, 0.6984197043243866, 0.1005267652252045},
  {0.3143728734931922, 0.05688137952042341, 0.3143728734931922, 0.3143728734931922},
  {0.05688137952042341, 0.3143728734931922, 0.3143728734931922, 0.3143728734931922},
  {0.3143728734931922, 0.3143728734931922, 0.3143728734931922, 0.05688137952042335},
  {0.3143728734931922, 0.3143728734931922, 0.05688137952042341, 0.3143728734931922}}}};
static const double FE1_C1_D010_Qd8a[1][1][1][4] = {{{{-1.0, 0.0, 1.0, 0.0}}}};
static const double FE1_C2_D001_Qd8a[1][1][1][4] = {{{{-1.0, 0.0, 0.0, 1.0}}}};
// ------------------------ 
// Section: Jacobian
// Inputs: FE1_C0_D100_Qd8a, FE1_C1_D010_Qd8a, coordinate_dofs, FE1_C2_D001_Qd8a
// Outputs: J0_c3, J0_c7, J0_c8, J0_c0, J0_c4, J0_c6, J0_c2, J0_c1, J0_c5
double J0_c0 = 0.0;
double J0_c4 = 0.0;
double J0_c8 = 0.0;
double J0_c5 = 0.0;
double J0_c7 = 0.0;
double J0_c3 = 0.0;
double J0_c6 = 0.0;
double J0_c1 = 0.0;
double J0_c2 = 0.0;
{
  for (int ic = 0; ic < 4; ++ic)
  {
    J0_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_D100_Qd8a[0][0][0][ic];
    J0_c4 += coordinate_dofs[(ic) * 3 + 1] * FE1_C1_D010_Qd8a[0][0][0][ic];
    J0_c8 += coordinate_dofs[(ic) * 3 + 2] * FE1_C2_D001_Qd8a[0][0][0][ic];
    J0_c5 += coordinate_dofs[(ic) * 3 + 1] * FE1_C2_D001_Qd8a[0][0][0][ic];
    J0_c7 += coordinate_dofs[(ic) * 3 + 2] * FE1_C1_D010_Qd8a[0][0][0][ic];
    J0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE1_C0_D100_Qd8a[0][0][0][ic];
    J0_c6 += coordinate_dofs[(ic) * 3 + 2] * FE1_C0_D100_Qd8a[0][0][0][ic];
    J0_c1 += coordinate_dofs[(ic) * 3] * FE1_C1_D010_Qd8a[0][0][0][ic];
    J0_c2 += coordinate_dofs[(ic) * 3] * FE1_C2_D001_Qd8a[0][0][0][ic];
  }
}
// ------------------------ 
double sp_d8a_0 = J0_c4 * J0_c8;
double sp_d8a_1 = J0_c5 * J0_c7;
double sp_d8a_2 = -sp_d8a_1;
double sp_d8a_3 = sp_d8a_0 + sp_d8a_2;
double sp_d8a_4 = J0_c0 * sp_d8a_3;
double sp_d8a_5 = J0_c3 * J0_c8;
double sp_d8a_6 = J0_c5 * J0_c6;
double sp_d8a_7 = -sp_d8a_6;
double sp_d8a_8 = sp_d8a_5 + sp_d8a_7;
double sp_d8a_9 = -J0_c1;
double sp_d8a_10 = sp_d8a_8 * sp_d8a_9;
double sp_d8a_11 = sp_d8a_4 + sp_d8a_10;
double sp_d8a_12 = J0_c3 * J0_c7;
double sp_d8a_13 = J0_c4 * J0_c6;
double sp_d8a_14 = -sp_d8a_13;
double sp_d8a_15 = sp_d8a_12 + sp_d8a_14;
double sp_d8a_16 = J0_c2 * sp_d8a_15;
double sp_d8a_17 = sp_d8a_11 + sp_d8a_16;
double sp_d8a_18 = fabs(sp_d8a_17);
for (int iq = 0; iq < 14; ++iq)
{
  // ------------------------ 
  // Section: Coefficient
  // Inputs: FE1_C0_Qd8a, w
  // Outputs: w0_c0, w0_c1, w0_c2
  double w0_c0 = 0.0;
  double w0_c1 = 0.0;
  double w0_c2 = 0.0;
  {
    for (int ic = 0; ic < 4; ++ic)
    {
      w0_c0 += w[(ic) * 3] * FE1_C0_Qd8a[0][0][iq][ic];
      w0_c1 += w[(ic) * 3 + 1] * FE1_C0_Qd8a[0][0][iq][ic];
      w0_c2 += w[(ic) * 3 + 2] * FE1_C0_Qd8a[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: SpatialCoordinate
  // Inputs: coordinate_dofs, FE1_C0_Qd8a
  // Outputs: x_c1
  double x_c1 = 0.0;
  {
    for (int ic = 0; ic < 4; ++ic)
    {
      x_c1 += coordinate_dofs[(ic) * 3 + 1] * FE1_C0_Qd8a[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: SpatialCoordinate
  // Inputs: coordinate_dofs, FE1_C0_Qd8a
  // Outputs: x_c0
  double x_c0 = 0.0;
  {
    for (int ic = 0; ic < 4; ++ic)
    {
      x_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_Qd8a[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: SpatialCoordinate
  // Inputs: coordinate_dofs, FE1_C0_Qd8a
  // Outputs: x_c2
  double x_c2 = 0.0;
  {
    for (int ic = 0; ic < 4; ++ic)
    {
      x_c2 += coordinate_dofs[(ic) * 3 + 2] * FE1_C0_Qd8a[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Intermediates
  // Inputs: w0_c0, w0_c1, w0_c2, x_c1, x_c0, x_c2
  // Outputs: fw0
  double fw0 = 0;
  {
    double sv_d8a_0 = w0_c0 * w0_c0;
    double sv_d8a_1 = c[0] * x_c0;
    double sv_d8a_2 = cos(sv_d8a_1);
    double sv_d8a_3 = -1 + sv_d8a_2;
    double sv_d8a_4 = x_c1 * sv_d8a_3;
    double sv_d8a_5 = sin(sv_d8a_1);
    double sv_d8a_6 = x_c2 * sv_d8a_5;
    double sv_d8a_7 = -sv_d8a_6;
    double sv_d8a_8 = sv_d8a_4 + sv_d8a_7;
    double sv_d8a_9 = -sv_d8a_8;
    double sv_d8a_10 = w0_c1 + sv_d8a_9;
    double sv_d8a_11 = sv_d8a_10 * sv_d8a_10;
    double sv_d8a_12 = sv_d8a_0 + sv_d8a_11;
    double sv_d8a_13 = x_c2 * sv_d8a_3;
    double sv_d8a_14 = x_c1 * sv_d8a_5;
    double sv_d8a_15 = sv_d8a_13 + sv_d8a_14;
    double sv_d8a_16 = -sv_d8a_15;
    double sv_d8a_17 = w0_c2 + sv_d8a_16;
    double sv_d8a_18 = sv_d8a_17 * sv_d8a_17;
    double sv_d8a_19 = sv_d8a_12 + sv_d8a_18;
    double sv_d8a_20 = sv_d8a_19 * sp_d8a_18;
    fw0 = sv_d8a_20 * weights_d8a[iq];
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
