/* SPDX-License-Identifier: BSD-2-Clause */
/* Made by plait_ufcx from elasticity.py with FFCx 0.11.0. Do not edit. */

#ifndef PLAIT_JIT
#pragma GCC system_header
#endif

#include <math.h>
#include <stdint.h>

/* elasticity_a_cell
 * c holds la, mu. */
void elasticity_a_cell(double* restrict A,
                                    const double* restrict w,
                                    const double* restrict c,
                                    const double* restrict coordinate_dofs,
                                    const int* restrict entity_local_index,
                                    const uint8_t* restrict quadrature_permutation,
                                    void* custom_data)
{
// Quadrature rules
static const double weights_fad[4] = {0.04166666666666666, 0.04166666666666666, 0.04166666666666666, 0.04166666666666666};
// Precomputed values of basis functions and precomputations
// FE* dimensions: [permutation][entities][points][dofs]
static const double FE1_C0_D001_Qfad[1][1][4][10] = {{{{0.4472135954999639, 0.0, 0.0, -0.4472135954999558, 0.5527864045000438, 2.341640786499876, 0.0, 0.0, -0.5527864045000441, -2.341640786499876},
  {0.4472135954999638, 0.0, 0.0, -0.4472135954999559, 2.341640786499875, 0.552786404500044, 0.0, 0.0, -2.341640786499876, -0.5527864045000437},
  {0.4472135954999637, 0.0, 0.0, 1.341640786499876, 0.5527864045000442, 0.5527864045000438, 0.0, -1.788854381999839, -0.5527864045000445, -0.5527864045000441},
  {-1.341640786499868, 0.0, 0.0, -0.447213595499956, 0.5527864045000438, 0.5527864045000436, 0.0, 1.788854381999824, -0.5527864045000437, -0.5527864045000435}}}};
static const double FE1_C0_D010_Qfad[1][1][4][10] = {{{{0.4472135954999639, 0.0, -0.4472135954999562, 0.0, 0.5527864045000432, 0.0, 2.341640786499875, -0.5527864045000443, 0.0, -2.341640786499876},
  {0.4472135954999639, 0.0, 1.341640786499876, 0.0, 0.5527864045000436, 0.0, 0.5527864045000435, -0.552786404500044, -1.78885438199984, -0.5527864045000437},
  {0.4472135954999637, 0.0, -0.4472135954999562, 0.0, 2.341640786499876, 0.0, 0.5527864045000436, -2.341640786499876, 0.0, -0.5527864045000442},
  {-1.341640786499868, 0.0, -0.447213595499956, 0.0, 0.552786404500044, 0.0, 0.552786404500044, -0.5527864045000442, 1.788854381999824, -0.552786404500044}}}};
static const double FE1_C0_D100_Qfad[1][1][4][10] = {{{{0.4472135954999639, 1.341640786499876, 0.0, 0.0, 0.0, 0.5527864045000438, 0.5527864045000437, -0.5527864045000442, -0.552786404500044, -1.788854381999839},
  {0.447213595499964, -0.4472135954999559, 0.0, 0.0, 0.0, 0.552786404500044, 2.341640786499875, -0.552786404500044, -2.341640786499877, 0.0},
  {0.4472135954999636, -0.447213595499956, 0.0, 0.0, 0.0, 2.341640786499876, 0.5527864045000433, -2.341640786499876, -0.5527864045000446, 0.0},
  {-1.341640786499868, -0.4472135954999562, 0.0, 0.0, 0.0, 0.5527864045000442, 0.5527864045000439, -0.552786404500044, -0.552786404500044, 1.788854381999824}}}};
static const double FE3_C0_D100_Qfad[1][1][1][4] = {{{{-1.0, 1.0, 0.0, 0.0}}}};
static const double FE3_C1_D010_Qfad[1][1][1][4] = {{{{-1.0, 0.0, 1.0, 0.0}}}};
static const double FE3_C2_D001_Qfad[1][1][1][4] = {{{{-1.0, 0.0, 0.0, 1.0}}}};
// ------------------------ 
// Section: Jacobian
// Inputs: FE3_C1_D010_Qfad, FE3_C0_D100_Qfad, coordinate_dofs, FE3_C2_D001_Qfad
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
    J0_c4 += coordinate_dofs[(ic) * 3 + 1] * FE3_C1_D010_Qfad[0][0][0][ic];
    J0_c8 += coordinate_dofs[(ic) * 3 + 2] * FE3_C2_D001_Qfad[0][0][0][ic];
    J0_c5 += coordinate_dofs[(ic) * 3 + 1] * FE3_C2_D001_Qfad[0][0][0][ic];
    J0_c7 += coordinate_dofs[(ic) * 3 + 2] * FE3_C1_D010_Qfad[0][0][0][ic];
    J0_c0 += coordinate_dofs[(ic) * 3] * FE3_C0_D100_Qfad[0][0][0][ic];
    J0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE3_C0_D100_Qfad[0][0][0][ic];
    J0_c6 += coordinate_dofs[(ic) * 3 + 2] * FE3_C0_D100_Qfad[0][0][0][ic];
    J0_c1 += coordinate_dofs[(ic) * 3] * FE3_C1_D010_Qfad[0][0][0][ic];
    J0_c2 += coordinate_dofs[(ic) * 3] * FE3_C2_D001_Qfad[0][0][0][ic];
  }
}
// ------------------------ 
double sp_fad_0 = J0_c4 * J0_c8;
double sp_fad_1 = J0_c5 * J0_c7;
double sp_fad_2 = -sp_fad_1;
double sp_fad_3 = sp_fad_0 + sp_fad_2;
double sp_fad_4 = J0_c0 * sp_fad_3;
double sp_fad_5 = J0_c3 * J0_c8;
double sp_fad_6 = J0_c5 * J0_c6;
double sp_fad_7 = -sp_fad_6;
double sp_fad_8 = sp_fad_5 + sp_fad_7;
double sp_fad_9 = -J0_c1;
double sp_fad_10 = sp_fad_8 * sp_fad_9;
double sp_fad_11 = sp_fad_4 + sp_fad_10;
double sp_fad_12 = J0_c3 * J0_c7;
double sp_fad_13 = J0_c4 * J0_c6;
double sp_fad_14 = -sp_fad_13;
double sp_fad_15 = sp_fad_12 + sp_fad_14;
double sp_fad_16 = J0_c2 * sp_fad_15;
double sp_fad_17 = sp_fad_11 + sp_fad_16;
double sp_fad_18 = sp_fad_3 / sp_fad_17;
double sp_fad_19 = -J0_c8;
double sp_fad_20 = J0_c3 * sp_fad_19;
double sp_fad_21 = sp_fad_6 + sp_fad_20;
double sp_fad_22 = sp_fad_21 / sp_fad_17;
double sp_fad_23 = sp_fad_15 / sp_fad_17;
double sp_fad_24 = sp_fad_18 + sp_fad_18;
double sp_fad_25 = sp_fad_22 + sp_fad_22;
double sp_fad_26 = sp_fad_23 + sp_fad_23;
double sp_fad_27 = sp_fad_24 / 2;
double sp_fad_28 = sp_fad_25 / 2;
double sp_fad_29 = sp_fad_26 / 2;
double sp_fad_30 = J0_c2 * J0_c7;
double sp_fad_31 = J0_c8 * sp_fad_9;
double sp_fad_32 = sp_fad_30 + sp_fad_31;
double sp_fad_33 = sp_fad_32 / sp_fad_17;
double sp_fad_34 = J0_c0 * J0_c8;
double sp_fad_35 = -J0_c2;
double sp_fad_36 = J0_c6 * sp_fad_35;
double sp_fad_37 = sp_fad_34 + sp_fad_36;
double sp_fad_38 = sp_fad_37 / sp_fad_17;
double sp_fad_39 = J0_c1 * J0_c6;
double sp_fad_40 = J0_c0 * J0_c7;
double sp_fad_41 = -sp_fad_40;
double sp_fad_42 = sp_fad_39 + sp_fad_41;
double sp_fad_43 = sp_fad_42 / sp_fad_17;
double sp_fad_44 = sp_fad_33 + sp_fad_33;
double sp_fad_45 = sp_fad_38 + sp_fad_38;
double sp_fad_46 = sp_fad_43 + sp_fad_43;
double sp_fad_47 = sp_fad_44 / 2;
double sp_fad_48 = sp_fad_45 / 2;
double sp_fad_49 = sp_fad_46 / 2;
double sp_fad_50 = J0_c1 * J0_c5;
double sp_fad_51 = J0_c2 * J0_c4;
double sp_fad_52 = -sp_fad_51;
double sp_fad_53 = sp_fad_50 + sp_fad_52;
double sp_fad_54 = sp_fad_53 / sp_fad_17;
double sp_fad_55 = J0_c2 * J0_c3;
double sp_fad_56 = J0_c0 * J0_c5;
double sp_fad_57 = -sp_fad_56;
double sp_fad_58 = sp_fad_55 + sp_fad_57;
double sp_fad_59 = sp_fad_58 / sp_fad_17;
double sp_fad_60 = J0_c0 * J0_c4;
double sp_fad_61 = J0_c1 * J0_c3;
double sp_fad_62 = -sp_fad_61;
double sp_fad_63 = sp_fad_60 + sp_fad_62;
double sp_fad_64 = sp_fad_63 / sp_fad_17;
double sp_fad_65 = sp_fad_54 + sp_fad_54;
double sp_fad_66 = sp_fad_59 + sp_fad_59;
double sp_fad_67 = sp_fad_64 + sp_fad_64;
double sp_fad_68 = sp_fad_65 / 2;
double sp_fad_69 = sp_fad_66 / 2;
double sp_fad_70 = sp_fad_67 / 2;
double sp_fad_71 = c[0] * sp_fad_27;
double sp_fad_72 = c[0] * sp_fad_28;
double sp_fad_73 = c[0] * sp_fad_29;
double sp_fad_74 = c[0] * sp_fad_47;
double sp_fad_75 = c[0] * sp_fad_48;
double sp_fad_76 = c[0] * sp_fad_49;
double sp_fad_77 = c[0] * sp_fad_68;
double sp_fad_78 = c[0] * sp_fad_69;
double sp_fad_79 = c[0] * sp_fad_70;
double sp_fad_80 = 2 * c[1];
double sp_fad_81 = sp_fad_80 * sp_fad_27;
double sp_fad_82 = sp_fad_80 * sp_fad_28;
double sp_fad_83 = sp_fad_80 * sp_fad_29;
double sp_fad_84 = sp_fad_71 + sp_fad_81;
double sp_fad_85 = sp_fad_72 + sp_fad_82;
double sp_fad_86 = sp_fad_73 + sp_fad_83;
double sp_fad_87 = sp_fad_84 * sp_fad_27;
double sp_fad_88 = sp_fad_84 * sp_fad_28;
double sp_fad_89 = sp_fad_84 * sp_fad_29;
double sp_fad_90 = sp_fad_85 * sp_fad_27;
double sp_fad_91 = sp_fad_85 * sp_fad_28;
double sp_fad_92 = sp_fad_85 * sp_fad_29;
double sp_fad_93 = sp_fad_86 * sp_fad_27;
double sp_fad_94 = sp_fad_86 * sp_fad_28;
double sp_fad_95 = sp_fad_86 * sp_fad_29;
double sp_fad_96 = sp_fad_74 * sp_fad_27;
double sp_fad_97 = sp_fad_74 * sp_fad_28;
double sp_fad_98 = sp_fad_74 * sp_fad_29;
double sp_fad_99 = sp_fad_75 * sp_fad_27;
double sp_fad_100 = sp_fad_75 * sp_fad_28;
double sp_fad_101 = sp_fad_75 * sp_fad_29;
double sp_fad_102 = sp_fad_76 * sp_fad_27;
double sp_fad_103 = sp_fad_76 * sp_fad_28;
double sp_fad_104 = sp_fad_76 * sp_fad_29;
double sp_fad_105 = sp_fad_77 * sp_fad_27;
double sp_fad_106 = sp_fad_77 * sp_fad_28;
double sp_fad_107 = sp_fad_77 * sp_fad_29;
double sp_fad_108 = sp_fad_78 * sp_fad_27;
double sp_fad_109 = sp_fad_78 * sp_fad_28;
double sp_fad_110 = sp_fad_78 * sp_fad_29;
double sp_fad_111 = sp_fad_79 * sp_fad_27;
double sp_fad_112 = sp_fad_79 * sp_fad_28;
double sp_fad_113 = sp_fad_79 * sp_fad_29;
double sp_fad_114 = sp_fad_33 / 2;
double sp_fad_115 = sp_fad_38 / 2;
double sp_fad_116 = sp_fad_43 / 2;
double sp_fad_117 = sp_fad_18 / 2;
double sp_fad_118 = sp_fad_22 / 2;
double sp_fad_119 = sp_fad_23 / 2;
double sp_fad_120 = sp_fad_80 * sp_fad_114;
double sp_fad_121 = sp_fad_80 * sp_fad_115;
double sp_fad_122 = sp_fad_80 * sp_fad_116;
double sp_fad_123 = sp_fad_80 * sp_fad_117;
double sp_fad_124 = sp_fad_80 * sp_fad_118;
double sp_fad_125 = sp_fad_80 * sp_fad_119;
double sp_fad_126 = sp_fad_120 * sp_fad_114;
double sp_fad_127 = sp_fad_120 * sp_fad_115;
double sp_fad_128 = sp_fad_120 * sp_fad_116;
double sp_fad_129 = sp_fad_120 * sp_fad_117;
double sp_fad_130 = sp_fad_120 * sp_fad_118;
double sp_fad_131 = sp_fad_120 * sp_fad_119;
double sp_fad_132 = sp_fad_121 * sp_fad_114;
double sp_fad_133 = sp_fad_121 * sp_fad_115;
double sp_fad_134 = sp_fad_121 * sp_fad_116;
double sp_fad_135 = sp_fad_121 * sp_fad_117;
double sp_fad_136 = sp_fad_121 * sp_fad_118;
double sp_fad_137 = sp_fad_121 * sp_fad_119;
double sp_fad_138 = sp_fad_122 * sp_fad_114;
double sp_fad_139 = sp_fad_122 * sp_fad_115;
double sp_fad_140 = sp_fad_122 * sp_fad_116;
double sp_fad_141 = sp_fad_122 * sp_fad_117;
double sp_fad_142 = sp_fad_122 * sp_fad_118;
double sp_fad_143 = sp_fad_122 * sp_fad_119;
double sp_fad_144 = sp_fad_123 * sp_fad_114;
double sp_fad_145 = sp_fad_123 * sp_fad_115;
double sp_fad_146 = sp_fad_123 * sp_fad_116;
double sp_fad_147 = sp_fad_123 * sp_fad_117;
double sp_fad_148 = sp_fad_123 * sp_fad_118;
double sp_fad_149 = sp_fad_123 * sp_fad_119;
double sp_fad_150 = sp_fad_124 * sp_fad_114;
double sp_fad_151 = sp_fad_124 * sp_fad_115;
double sp_fad_152 = sp_fad_124 * sp_fad_116;
double sp_fad_153 = sp_fad_124 * sp_fad_117;
double sp_fad_154 = sp_fad_124 * sp_fad_118;
double sp_fad_155 = sp_fad_124 * sp_fad_119;
double sp_fad_156 = sp_fad_125 * sp_fad_114;
double sp_fad_157 = sp_fad_125 * sp_fad_115;
double sp_fad_158 = sp_fad_125 * sp_fad_116;
double sp_fad_159 = sp_fad_125 * sp_fad_117;
double sp_fad_160 = sp_fad_125 * sp_fad_118;
double sp_fad_161 = sp_fad_125 * sp_fad_119;
double sp_fad_162 = sp_fad_87 + sp_fad_126;
double sp_fad_163 = sp_fad_88 + sp_fad_127;
double sp_fad_164 = sp_fad_89 + sp_fad_128;
double sp_fad_165 = sp_fad_90 + sp_fad_132;
double sp_fad_166 = sp_fad_91 + sp_fad_133;
double sp_fad_167 = sp_fad_92 + sp_fad_134;
double sp_fad_168 = sp_fad_93 + sp_fad_138;
double sp_fad_169 = sp_fad_94 + sp_fad_139;
double sp_fad_170 = sp_fad_95 + sp_fad_140;
double sp_fad_171 = sp_fad_96 + sp_fad_144;
double sp_fad_172 = sp_fad_97 + sp_fad_145;
double sp_fad_173 = sp_fad_98 + sp_fad_146;
double sp_fad_174 = sp_fad_99 + sp_fad_150;
double sp_fad_175 = sp_fad_100 + sp_fad_151;
double sp_fad_176 = sp_fad_101 + sp_fad_152;
double sp_fad_177 = sp_fad_102 + sp_fad_156;
double sp_fad_178 = sp_fad_103 + sp_fad_157;
double sp_fad_179 = sp_fad_104 + sp_fad_158;
double sp_fad_180 = sp_fad_54 / 2;
double sp_fad_181 = sp_fad_59 / 2;
double sp_fad_182 = sp_fad_64 / 2;
double sp_fad_183 = sp_fad_80 * sp_fad_180;
double sp_fad_184 = sp_fad_80 * sp_fad_181;
double sp_fad_185 = sp_fad_80 * sp_fad_182;
double sp_fad_186 = sp_fad_183 * sp_fad_180;
double sp_fad_187 = sp_fad_183 * sp_fad_181;
double sp_fad_188 = sp_fad_183 * sp_fad_182;
double sp_fad_189 = sp_fad_183 * sp_fad_117;
double sp_fad_190 = sp_fad_183 * sp_fad_118;
double sp_fad_191 = sp_fad_183 * sp_fad_119;
double sp_fad_192 = sp_fad_184 * sp_fad_180;
double sp_fad_193 = sp_fad_184 * sp_fad_181;
double sp_fad_194 = sp_fad_184 * sp_fad_182;
double sp_fad_195 = sp_fad_184 * sp_fad_117;
double sp_fad_196 = sp_fad_184 * sp_fad_118;
double sp_fad_197 = sp_fad_184 * sp_fad_119;
double sp_fad_198 = sp_fad_185 * sp_fad_180;
double sp_fad_199 = sp_fad_185 * sp_fad_181;
double sp_fad_200 = sp_fad_185 * sp_fad_182;
double sp_fad_201 = sp_fad_185 * sp_fad_117;
double sp_fad_202 = sp_fad_185 * sp_fad_118;
double sp_fad_203 = sp_fad_185 * sp_fad_119;
double sp_fad_204 = sp_fad_123 * sp_fad_180;
double sp_fad_205 = sp_fad_123 * sp_fad_181;
double sp_fad_206 = sp_fad_123 * sp_fad_182;
double sp_fad_207 = sp_fad_124 * sp_fad_180;
double sp_fad_208 = sp_fad_124 * sp_fad_181;
double sp_fad_209 = sp_fad_124 * sp_fad_182;
double sp_fad_210 = sp_fad_125 * sp_fad_180;
double sp_fad_211 = sp_fad_125 * sp_fad_181;
double sp_fad_212 = sp_fad_125 * sp_fad_182;
double sp_fad_213 = sp_fad_162 + sp_fad_186;
double sp_fad_214 = sp_fad_163 + sp_fad_187;
double sp_fad_215 = sp_fad_164 + sp_fad_188;
double sp_fad_216 = sp_fad_165 + sp_fad_192;
double sp_fad_217 = sp_fad_166 + sp_fad_193;
double sp_fad_218 = sp_fad_167 + sp_fad_194;
double sp_fad_219 = sp_fad_168 + sp_fad_198;
double sp_fad_220 = sp_fad_169 + sp_fad_199;
double sp_fad_221 = sp_fad_170 + sp_fad_200;
double sp_fad_222 = sp_fad_105 + sp_fad_204;
double sp_fad_223 = sp_fad_106 + sp_fad_205;
double sp_fad_224 = sp_fad_107 + sp_fad_206;
double sp_fad_225 = sp_fad_108 + sp_fad_207;
double sp_fad_226 = sp_fad_109 + sp_fad_208;
double sp_fad_227 = sp_fad_110 + sp_fad_209;
double sp_fad_228 = sp_fad_111 + sp_fad_210;
double sp_fad_229 = sp_fad_112 + sp_fad_211;
double sp_fad_230 = sp_fad_113 + sp_fad_212;
double sp_fad_231 = sp_fad_80 * sp_fad_47;
double sp_fad_232 = sp_fad_80 * sp_fad_48;
double sp_fad_233 = sp_fad_80 * sp_fad_49;
double sp_fad_234 = sp_fad_74 + sp_fad_231;
double sp_fad_235 = sp_fad_75 + sp_fad_232;
double sp_fad_236 = sp_fad_76 + sp_fad_233;
double sp_fad_237 = sp_fad_71 * sp_fad_47;
double sp_fad_238 = sp_fad_71 * sp_fad_48;
double sp_fad_239 = sp_fad_71 * sp_fad_49;
double sp_fad_240 = sp_fad_72 * sp_fad_47;
double sp_fad_241 = sp_fad_72 * sp_fad_48;
double sp_fad_242 = sp_fad_72 * sp_fad_49;
double sp_fad_243 = sp_fad_73 * sp_fad_47;
double sp_fad_244 = sp_fad_73 * sp_fad_48;
double sp_fad_245 = sp_fad_73 * sp_fad_49;
double sp_fad_246 = sp_fad_234 * sp_fad_47;
double sp_fad_247 = sp_fad_234 * sp_fad_48;
double sp_fad_248 = sp_fad_234 * sp_fad_49;
double sp_fad_249 = sp_fad_235 * sp_fad_47;
double sp_fad_250 = sp_fad_235 * sp_fad_48;
double sp_fad_251 = sp_fad_235 * sp_fad_49;
double sp_fad_252 = sp_fad_236 * sp_fad_47;
double sp_fad_253 = sp_fad_236 * sp_fad_48;
double sp_fad_254 = sp_fad_236 * sp_fad_49;
double sp_fad_255 = sp_fad_77 * sp_fad_47;
double sp_fad_256 = sp_fad_77 * sp_fad_48;
double sp_fad_257 = sp_fad_77 * sp_fad_49;
double sp_fad_258 = sp_fad_78 * sp_fad_47;
double sp_fad_259 = sp_fad_78 * sp_fad_48;
double sp_fad_260 = sp_fad_78 * sp_fad_49;
double sp_fad_261 = sp_fad_79 * sp_fad_47;
double sp_fad_262 = sp_fad_79 * sp_fad_48;
double sp_fad_263 = sp_fad_79 * sp_fad_49;
double sp_fad_264 = sp_fad_237 + sp_fad_129;
double sp_fad_265 = sp_fad_238 + sp_fad_130;
double sp_fad_266 = sp_fad_239 + sp_fad_131;
double sp_fad_267 = sp_fad_240 + sp_fad_135;
double sp_fad_268 = sp_fad_241 + sp_fad_136;
double sp_fad_269 = sp_fad_242 + sp_fad_137;
double sp_fad_270 = sp_fad_243 + sp_fad_141;
double sp_fad_271 = sp_fad_244 + sp_fad_142;
double sp_fad_272 = sp_fad_245 + sp_fad_143;
double sp_fad_273 = sp_fad_246 + sp_fad_147;
double sp_fad_274 = sp_fad_247 + sp_fad_148;
double sp_fad_275 = sp_fad_248 + sp_fad_149;
double sp_fad_276 = sp_fad_249 + sp_fad_153;
double sp_fad_277 = sp_fad_250 + sp_fad_154;
double sp_fad_278 = sp_fad_251 + sp_fad_155;
double sp_fad_279 = sp_fad_252 + sp_fad_159;
double sp_fad_280 = sp_fad_253 + sp_fad_160;
double sp_fad_281 = sp_fad_254 + sp_fad_161;
double sp_fad_282 = sp_fad_183 * sp_fad_114;
double sp_fad_283 = sp_fad_183 * sp_fad_115;
double sp_fad_284 = sp_fad_183 * sp_fad_116;
double sp_fad_285 = sp_fad_184 * sp_fad_114;
double sp_fad_286 = sp_fad_184 * sp_fad_115;
double sp_fad_287 = sp_fad_184 * sp_fad_116;
double sp_fad_288 = sp_fad_185 * sp_fad_114;
double sp_fad_289 = sp_fad_185 * sp_fad_115;
double sp_fad_290 = sp_fad_185 * sp_fad_116;
double sp_fad_291 = sp_fad_120 * sp_fad_180;
double sp_fad_292 = sp_fad_120 * sp_fad_181;
double sp_fad_293 = sp_fad_120 * sp_fad_182;
double sp_fad_294 = sp_fad_121 * sp_fad_180;
double sp_fad_295 = sp_fad_121 * sp_fad_181;
double sp_fad_296 = sp_fad_121 * sp_fad_182;
double sp_fad_297 = sp_fad_122 * sp_fad_180;
double sp_fad_298 = sp_fad_122 * sp_fad_181;
double sp_fad_299 = sp_fad_122 * sp_fad_182;
double sp_fad_300 = sp_fad_273 + sp_fad_186;
double sp_fad_301 = sp_fad_274 + sp_fad_187;
double sp_fad_302 = sp_fad_275 + sp_fad_188;
double sp_fad_303 = sp_fad_276 + sp_fad_192;
double sp_fad_304 = sp_fad_277 + sp_fad_193;
double sp_fad_305 = sp_fad_278 + sp_fad_194;
double sp_fad_306 = sp_fad_279 + sp_fad_198;
double sp_fad_307 = sp_fad_280 + sp_fad_199;
double sp_fad_308 = sp_fad_281 + sp_fad_200;
double sp_fad_309 = sp_fad_255 + sp_fad_291;
double sp_fad_310 = sp_fad_256 + sp_fad_292;
double sp_fad_311 = sp_fad_257 + sp_fad_293;
double sp_fad_312 = sp_fad_258 + sp_fad_294;
double sp_fad_313 = sp_fad_259 + sp_fad_295;
double sp_fad_314 = sp_fad_260 + sp_fad_296;
double sp_fad_315 = sp_fad_261 + sp_fad_297;
double sp_fad_316 = sp_fad_262 + sp_fad_298;
double sp_fad_317 = sp_fad_263 + sp_fad_299;
double sp_fad_318 = sp_fad_213 + sp_fad_126;
double sp_fad_319 = sp_fad_214 + sp_fad_127;
double sp_fad_320 = sp_fad_215 + sp_fad_128;
double sp_fad_321 = sp_fad_264 + sp_fad_129;
double sp_fad_322 = sp_fad_265 + sp_fad_130;
double sp_fad_323 = sp_fad_266 + sp_fad_131;
double sp_fad_324 = sp_fad_216 + sp_fad_132;
double sp_fad_325 = sp_fad_217 + sp_fad_133;
double sp_fad_326 = sp_fad_218 + sp_fad_134;
double sp_fad_327 = sp_fad_267 + sp_fad_135;
double sp_fad_328 = sp_fad_268 + sp_fad_136;
double sp_fad_329 = sp_fad_269 + sp_fad_137;
double sp_fad_330 = sp_fad_219 + sp_fad_138;
double sp_fad_331 = sp_fad_220 + sp_fad_139;
double sp_fad_332 = sp_fad_221 + sp_fad_140;
double sp_fad_333 = sp_fad_270 + sp_fad_141;
double sp_fad_334 = sp_fad_271 + sp_fad_142;
double sp_fad_335 = sp_fad_272 + sp_fad_143;
double sp_fad_336 = sp_fad_171 + sp_fad_144;
double sp_fad_337 = sp_fad_172 + sp_fad_145;
double sp_fad_338 = sp_fad_173 + sp_fad_146;
double sp_fad_339 = sp_fad_300 + sp_fad_147;
double sp_fad_340 = sp_fad_301 + sp_fad_148;
double sp_fad_341 = sp_fad_302 + sp_fad_149;
double sp_fad_342 = sp_fad_174 + sp_fad_150;
double sp_fad_343 = sp_fad_175 + sp_fad_151;
double sp_fad_344 = sp_fad_176 + sp_fad_152;
double sp_fad_345 = sp_fad_303 + sp_fad_153;
double sp_fad_346 = sp_fad_304 + sp_fad_154;
double sp_fad_347 = sp_fad_305 + sp_fad_155;
double sp_fad_348 = sp_fad_177 + sp_fad_156;
double sp_fad_349 = sp_fad_178 + sp_fad_157;
double sp_fad_350 = sp_fad_179 + sp_fad_158;
double sp_fad_351 = sp_fad_306 + sp_fad_159;
double sp_fad_352 = sp_fad_307 + sp_fad_160;
double sp_fad_353 = sp_fad_308 + sp_fad_161;
double sp_fad_354 = sp_fad_126 + sp_fad_147;
double sp_fad_355 = sp_fad_127 + sp_fad_148;
double sp_fad_356 = sp_fad_149 + sp_fad_128;
double sp_fad_357 = sp_fad_132 + sp_fad_153;
double sp_fad_358 = sp_fad_133 + sp_fad_154;
double sp_fad_359 = sp_fad_155 + sp_fad_134;
double sp_fad_360 = sp_fad_138 + sp_fad_159;
double sp_fad_361 = sp_fad_139 + sp_fad_160;
double sp_fad_362 = sp_fad_161 + sp_fad_140;
double sp_fad_363 = sp_fad_80 * sp_fad_68;
double sp_fad_364 = sp_fad_80 * sp_fad_69;
double sp_fad_365 = sp_fad_80 * sp_fad_70;
double sp_fad_366 = sp_fad_77 + sp_fad_363;
double sp_fad_367 = sp_fad_78 + sp_fad_364;
double sp_fad_368 = sp_fad_79 + sp_fad_365;
double sp_fad_369 = sp_fad_71 * sp_fad_68;
double sp_fad_370 = sp_fad_71 * sp_fad_69;
double sp_fad_371 = sp_fad_71 * sp_fad_70;
double sp_fad_372 = sp_fad_72 * sp_fad_68;
double sp_fad_373 = sp_fad_72 * sp_fad_69;
double sp_fad_374 = sp_fad_72 * sp_fad_70;
double sp_fad_375 = sp_fad_73 * sp_fad_68;
double sp_fad_376 = sp_fad_73 * sp_fad_69;
double sp_fad_377 = sp_fad_73 * sp_fad_70;
double sp_fad_378 = sp_fad_74 * sp_fad_68;
double sp_fad_379 = sp_fad_74 * sp_fad_69;
double sp_fad_380 = sp_fad_74 * sp_fad_70;
double sp_fad_381 = sp_fad_75 * sp_fad_68;
double sp_fad_382 = sp_fad_75 * sp_fad_69;
double sp_fad_383 = sp_fad_75 * sp_fad_70;
double sp_fad_384 = sp_fad_76 * sp_fad_68;
double sp_fad_385 = sp_fad_76 * sp_fad_69;
double sp_fad_386 = sp_fad_76 * sp_fad_70;
double sp_fad_387 = sp_fad_366 * sp_fad_68;
double sp_fad_388 = sp_fad_366 * sp_fad_69;
double sp_fad_389 = sp_fad_366 * sp_fad_70;
double sp_fad_390 = sp_fad_367 * sp_fad_68;
double sp_fad_391 = sp_fad_367 * sp_fad_69;
double sp_fad_392 = sp_fad_367 * sp_fad_70;
double sp_fad_393 = sp_fad_368 * sp_fad_68;
double sp_fad_394 = sp_fad_368 * sp_fad_69;
double sp_fad_395 = sp_fad_368 * sp_fad_70;
double sp_fad_396 = sp_fad_369 + sp_fad_189;
double sp_fad_397 = sp_fad_370 + sp_fad_190;
double sp_fad_398 = sp_fad_371 + sp_fad_191;
double sp_fad_399 = sp_fad_372 + sp_fad_195;
double sp_fad_400 = sp_fad_373 + sp_fad_196;
double sp_fad_401 = sp_fad_374 + sp_fad_197;
double sp_fad_402 = sp_fad_375 + sp_fad_201;
double sp_fad_403 = sp_fad_376 + sp_fad_202;
double sp_fad_404 = sp_fad_377 + sp_fad_203;
double sp_fad_405 = sp_fad_378 + sp_fad_282;
double sp_fad_406 = sp_fad_379 + sp_fad_283;
double sp_fad_407 = sp_fad_380 + sp_fad_284;
double sp_fad_408 = sp_fad_381 + sp_fad_285;
double sp_fad_409 = sp_fad_382 + sp_fad_286;
double sp_fad_410 = sp_fad_383 + sp_fad_287;
double sp_fad_411 = sp_fad_384 + sp_fad_288;
double sp_fad_412 = sp_fad_385 + sp_fad_289;
double sp_fad_413 = sp_fad_386 + sp_fad_290;
double sp_fad_414 = sp_fad_354 + sp_fad_387;
double sp_fad_415 = sp_fad_355 + sp_fad_388;
double sp_fad_416 = sp_fad_356 + sp_fad_389;
double sp_fad_417 = sp_fad_357 + sp_fad_390;
double sp_fad_418 = sp_fad_358 + sp_fad_391;
double sp_fad_419 = sp_fad_359 + sp_fad_392;
double sp_fad_420 = sp_fad_360 + sp_fad_393;
double sp_fad_421 = sp_fad_361 + sp_fad_394;
double sp_fad_422 = sp_fad_362 + sp_fad_395;
double sp_fad_423 = sp_fad_318 + sp_fad_186;
double sp_fad_424 = sp_fad_319 + sp_fad_187;
double sp_fad_425 = sp_fad_320 + sp_fad_188;
double sp_fad_426 = sp_fad_396 + sp_fad_189;
double sp_fad_427 = sp_fad_397 + sp_fad_190;
double sp_fad_428 = sp_fad_398 + sp_fad_191;
double sp_fad_429 = sp_fad_324 + sp_fad_192;
double sp_fad_430 = sp_fad_325 + sp_fad_193;
double sp_fad_431 = sp_fad_326 + sp_fad_194;
double sp_fad_432 = sp_fad_399 + sp_fad_195;
double sp_fad_433 = sp_fad_400 + sp_fad_196;
double sp_fad_434 = sp_fad_401 + sp_fad_197;
double sp_fad_435 = sp_fad_330 + sp_fad_198;
double sp_fad_436 = sp_fad_331 + sp_fad_199;
double sp_fad_437 = sp_fad_332 + sp_fad_200;
double sp_fad_438 = sp_fad_402 + sp_fad_201;
double sp_fad_439 = sp_fad_403 + sp_fad_202;
double sp_fad_440 = sp_fad_404 + sp_fad_203;
double sp_fad_441 = sp_fad_339 + sp_fad_186;
double sp_fad_442 = sp_fad_340 + sp_fad_187;
double sp_fad_443 = sp_fad_341 + sp_fad_188;
double sp_fad_444 = sp_fad_405 + sp_fad_282;
double sp_fad_445 = sp_fad_406 + sp_fad_283;
double sp_fad_446 = sp_fad_407 + sp_fad_284;
double sp_fad_447 = sp_fad_345 + sp_fad_192;
double sp_fad_448 = sp_fad_346 + sp_fad_193;
double sp_fad_449 = sp_fad_347 + sp_fad_194;
double sp_fad_450 = sp_fad_408 + sp_fad_285;
double sp_fad_451 = sp_fad_409 + sp_fad_286;
double sp_fad_452 = sp_fad_410 + sp_fad_287;
double sp_fad_453 = sp_fad_351 + sp_fad_198;
double sp_fad_454 = sp_fad_352 + sp_fad_199;
double sp_fad_455 = sp_fad_353 + sp_fad_200;
double sp_fad_456 = sp_fad_411 + sp_fad_288;
double sp_fad_457 = sp_fad_412 + sp_fad_289;
double sp_fad_458 = sp_fad_413 + sp_fad_290;
double sp_fad_459 = sp_fad_222 + sp_fad_204;
double sp_fad_460 = sp_fad_223 + sp_fad_205;
double sp_fad_461 = sp_fad_224 + sp_fad_206;
double sp_fad_462 = sp_fad_309 + sp_fad_291;
double sp_fad_463 = sp_fad_310 + sp_fad_292;
double sp_fad_464 = sp_fad_311 + sp_fad_293;
double sp_fad_465 = sp_fad_414 + sp_fad_354;
double sp_fad_466 = sp_fad_415 + sp_fad_355;
double sp_fad_467 = sp_fad_416 + sp_fad_356;
double sp_fad_468 = sp_fad_225 + sp_fad_207;
double sp_fad_469 = sp_fad_226 + sp_fad_208;
double sp_fad_470 = sp_fad_227 + sp_fad_209;
double sp_fad_471 = sp_fad_312 + sp_fad_294;
double sp_fad_472 = sp_fad_313 + sp_fad_295;
double sp_fad_473 = sp_fad_314 + sp_fad_296;
double sp_fad_474 = sp_fad_417 + sp_fad_357;
double sp_fad_475 = sp_fad_418 + sp_fad_358;
double sp_fad_476 = sp_fad_419 + sp_fad_359;
double sp_fad_477 = sp_fad_228 + sp_fad_210;
double sp_fad_478 = sp_fad_229 + sp_fad_211;
double sp_fad_479 = sp_fad_230 + sp_fad_212;
double sp_fad_480 = sp_fad_315 + sp_fad_297;
double sp_fad_481 = sp_fad_316 + sp_fad_298;
double sp_fad_482 = sp_fad_317 + sp_fad_299;
double sp_fad_483 = sp_fad_420 + sp_fad_360;
double sp_fad_484 = sp_fad_421 + sp_fad_361;
double sp_fad_485 = sp_fad_422 + sp_fad_362;
double sp_fad_486 = fabs(sp_fad_17);
double sp_fad_487 = sp_fad_423 * sp_fad_486;
double sp_fad_488 = sp_fad_424 * sp_fad_486;
double sp_fad_489 = sp_fad_425 * sp_fad_486;
double sp_fad_490 = sp_fad_321 * sp_fad_486;
double sp_fad_491 = sp_fad_322 * sp_fad_486;
double sp_fad_492 = sp_fad_323 * sp_fad_486;
double sp_fad_493 = sp_fad_426 * sp_fad_486;
double sp_fad_494 = sp_fad_427 * sp_fad_486;
double sp_fad_495 = sp_fad_428 * sp_fad_486;
double sp_fad_496 = sp_fad_429 * sp_fad_486;
double sp_fad_497 = sp_fad_430 * sp_fad_486;
double sp_fad_498 = sp_fad_431 * sp_fad_486;
double sp_fad_499 = sp_fad_327 * sp_fad_486;
double sp_fad_500 = sp_fad_328 * sp_fad_486;
double sp_fad_501 = sp_fad_329 * sp_fad_486;
double sp_fad_502 = sp_fad_432 * sp_fad_486;
double sp_fad_503 = sp_fad_433 * sp_fad_486;
double sp_fad_504 = sp_fad_434 * sp_fad_486;
double sp_fad_505 = sp_fad_435 * sp_fad_486;
double sp_fad_506 = sp_fad_436 * sp_fad_486;
double sp_fad_507 = sp_fad_437 * sp_fad_486;
double sp_fad_508 = sp_fad_333 * sp_fad_486;
double sp_fad_509 = sp_fad_334 * sp_fad_486;
double sp_fad_510 = sp_fad_335 * sp_fad_486;
double sp_fad_511 = sp_fad_438 * sp_fad_486;
double sp_fad_512 = sp_fad_439 * sp_fad_486;
double sp_fad_513 = sp_fad_440 * sp_fad_486;
double sp_fad_514 = sp_fad_336 * sp_fad_486;
double sp_fad_515 = sp_fad_337 * sp_fad_486;
double sp_fad_516 = sp_fad_338 * sp_fad_486;
double sp_fad_517 = sp_fad_441 * sp_fad_486;
double sp_fad_518 = sp_fad_442 * sp_fad_486;
double sp_fad_519 = sp_fad_443 * sp_fad_486;
double sp_fad_520 = sp_fad_444 * sp_fad_486;
double sp_fad_521 = sp_fad_445 * sp_fad_486;
double sp_fad_522 = sp_fad_446 * sp_fad_486;
double sp_fad_523 = sp_fad_342 * sp_fad_486;
double sp_fad_524 = sp_fad_343 * sp_fad_486;
double sp_fad_525 = sp_fad_344 * sp_fad_486;
double sp_fad_526 = sp_fad_447 * sp_fad_486;
double sp_fad_527 = sp_fad_448 * sp_fad_486;
double sp_fad_528 = sp_fad_449 * sp_fad_486;
double sp_fad_529 = sp_fad_450 * sp_fad_486;
double sp_fad_530 = sp_fad_451 * sp_fad_486;
double sp_fad_531 = sp_fad_452 * sp_fad_486;
double sp_fad_532 = sp_fad_348 * sp_fad_486;
double sp_fad_533 = sp_fad_349 * sp_fad_486;
double sp_fad_534 = sp_fad_350 * sp_fad_486;
double sp_fad_535 = sp_fad_453 * sp_fad_486;
double sp_fad_536 = sp_fad_454 * sp_fad_486;
double sp_fad_537 = sp_fad_455 * sp_fad_486;
double sp_fad_538 = sp_fad_456 * sp_fad_486;
double sp_fad_539 = sp_fad_457 * sp_fad_486;
double sp_fad_540 = sp_fad_458 * sp_fad_486;
double sp_fad_541 = sp_fad_459 * sp_fad_486;
double sp_fad_542 = sp_fad_460 * sp_fad_486;
double sp_fad_543 = sp_fad_461 * sp_fad_486;
double sp_fad_544 = sp_fad_462 * sp_fad_486;
double sp_fad_545 = sp_fad_463 * sp_fad_486;
double sp_fad_546 = sp_fad_464 * sp_fad_486;
double sp_fad_547 = sp_fad_465 * sp_fad_486;
double sp_fad_548 = sp_fad_466 * sp_fad_486;
double sp_fad_549 = sp_fad_467 * sp_fad_486;
double sp_fad_550 = sp_fad_468 * sp_fad_486;
double sp_fad_551 = sp_fad_469 * sp_fad_486;
double sp_fad_552 = sp_fad_470 * sp_fad_486;
double sp_fad_553 = sp_fad_471 * sp_fad_486;
double sp_fad_554 = sp_fad_472 * sp_fad_486;
double sp_fad_555 = sp_fad_473 * sp_fad_486;
double sp_fad_556 = sp_fad_474 * sp_fad_486;
double sp_fad_557 = sp_fad_475 * sp_fad_486;
double sp_fad_558 = sp_fad_476 * sp_fad_486;
double sp_fad_559 = sp_fad_477 * sp_fad_486;
double sp_fad_560 = sp_fad_478 * sp_fad_486;
double sp_fad_561 = sp_fad_479 * sp_fad_486;
double sp_fad_562 = sp_fad_480 * sp_fad_486;
double sp_fad_563 = sp_fad_481 * sp_fad_486;
double sp_fad_564 = sp_fad_482 * sp_fad_486;
double sp_fad_565 = sp_fad_483 * sp_fad_486;
double sp_fad_566 = sp_fad_484 * sp_fad_486;
double sp_fad_567 = sp_fad_485 * sp_fad_486;
for (int iq = 0; iq < 4; ++iq)
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
    fw0 = sp_fad_487 * weights_fad[iq];
    fw1 = sp_fad_496 * weights_fad[iq];
    fw2 = sp_fad_505 * weights_fad[iq];
    fw3 = sp_fad_488 * weights_fad[iq];
    fw4 = sp_fad_497 * weights_fad[iq];
    fw5 = sp_fad_506 * weights_fad[iq];
    fw6 = sp_fad_489 * weights_fad[iq];
    fw7 = sp_fad_498 * weights_fad[iq];
    fw8 = sp_fad_507 * weights_fad[iq];
    fw9 = sp_fad_514 * weights_fad[iq];
    fw10 = sp_fad_523 * weights_fad[iq];
    fw11 = sp_fad_532 * weights_fad[iq];
    fw12 = sp_fad_515 * weights_fad[iq];
    fw13 = sp_fad_524 * weights_fad[iq];
    fw14 = sp_fad_533 * weights_fad[iq];
    fw15 = sp_fad_516 * weights_fad[iq];
    fw16 = sp_fad_525 * weights_fad[iq];
    fw17 = sp_fad_534 * weights_fad[iq];
    fw18 = sp_fad_541 * weights_fad[iq];
    fw19 = sp_fad_550 * weights_fad[iq];
    fw20 = sp_fad_559 * weights_fad[iq];
    fw21 = sp_fad_542 * weights_fad[iq];
    fw22 = sp_fad_551 * weights_fad[iq];
    fw23 = sp_fad_560 * weights_fad[iq];
    fw24 = sp_fad_543 * weights_fad[iq];
    fw25 = sp_fad_552 * weights_fad[iq];
    fw26 = sp_fad_561 * weights_fad[iq];
    fw27 = sp_fad_490 * weights_fad[iq];
    fw28 = sp_fad_499 * weights_fad[iq];
    fw29 = sp_fad_508 * weights_fad[iq];
    fw30 = sp_fad_491 * weights_fad[iq];
    fw31 = sp_fad_500 * weights_fad[iq];
    fw32 = sp_fad_509 * weights_fad[iq];
    fw33 = sp_fad_492 * weights_fad[iq];
    fw34 = sp_fad_501 * weights_fad[iq];
    fw35 = sp_fad_510 * weights_fad[iq];
    fw36 = sp_fad_517 * weights_fad[iq];
    fw37 = sp_fad_526 * weights_fad[iq];
    fw38 = sp_fad_535 * weights_fad[iq];
    fw39 = sp_fad_518 * weights_fad[iq];
    fw40 = sp_fad_527 * weights_fad[iq];
    fw41 = sp_fad_536 * weights_fad[iq];
    fw42 = sp_fad_519 * weights_fad[iq];
    fw43 = sp_fad_528 * weights_fad[iq];
    fw44 = sp_fad_537 * weights_fad[iq];
    fw45 = sp_fad_544 * weights_fad[iq];
    fw46 = sp_fad_553 * weights_fad[iq];
    fw47 = sp_fad_562 * weights_fad[iq];
    fw48 = sp_fad_545 * weights_fad[iq];
    fw49 = sp_fad_554 * weights_fad[iq];
    fw50 = sp_fad_563 * weights_fad[iq];
    fw51 = sp_fad_546 * weights_fad[iq];
    fw52 = sp_fad_555 * weights_fad[iq];
    fw53 = sp_fad_564 * weights_fad[iq];
    fw54 = sp_fad_493 * weights_fad[iq];
    fw55 = sp_fad_502 * weights_fad[iq];
    fw56 = sp_fad_511 * weights_fad[iq];
    fw57 = sp_fad_494 * weights_fad[iq];
    fw58 = sp_fad_503 * weights_fad[iq];
    fw59 = sp_fad_512 * weights_fad[iq];
    fw60 = sp_fad_495 * weights_fad[iq];
    fw61 = sp_fad_504 * weights_fad[iq];
    fw62 = sp_fad_513 * weights_fad[iq];
    fw63 = sp_fad_520 * weights_fad[iq];
    fw64 = sp_fad_529 * weights_fad[iq];
    fw65 = sp_fad_538 * weights_fad[iq];
    fw66 = sp_fad_521 * weights_fad[iq];
    fw67 = sp_fad_530 * weights_fad[iq];
    fw68 = sp_fad_539 * weights_fad[iq];
    fw69 = sp_fad_522 * weights_fad[iq];
    fw70 = sp_fad_531 * weights_fad[iq];
    fw71 = sp_fad_540 * weights_fad[iq];
    fw72 = sp_fad_547 * weights_fad[iq];
    fw73 = sp_fad_556 * weights_fad[iq];
    fw74 = sp_fad_565 * weights_fad[iq];
    fw75 = sp_fad_548 * weights_fad[iq];
    fw76 = sp_fad_557 * weights_fad[iq];
    fw77 = sp_fad_566 * weights_fad[iq];
    fw78 = sp_fad_549 * weights_fad[iq];
    fw79 = sp_fad_558 * weights_fad[iq];
    fw80 = sp_fad_567 * weights_fad[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw7, fw31, fw45, fw29, fw61, fw10, fw60, fw57, fw33, fw27, fw76, fw62, fw39, fw70, fw68, fw59, fw72, fw11, fw51, fw35, fw17, FE1_C0_D001_Qfad, fw77, fw13, fw15, fw41, fw1, fw6, fw69, fw78, fw32, fw56, fw48, fw8, fw66, fw0, fw73, fw24, fw79, fw14, fw25, fw43, fw19, fw53, fw20, fw18, fw4, fw74, fw52, fw22, fw30, fw42, fw21, fw26, fw37, fw44, fw46, FE1_C0_D100_Qfad, fw38, fw23, fw55, fw40, fw2, fw47, fw49, fw71, fw54, fw9, fw63, fw75, fw65, fw5, fw3, fw28, fw36, fw58, fw64, FE1_C0_D010_Qfad, fw80, fw50, fw67, fw12, fw16, fw34
  // Outputs: A
  {
    double temp_0[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_0[j] = fw0 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_1[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_1[j] = fw1 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_2[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_2[j] = fw2 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_3[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_3[j] = fw3 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_4[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_4[j] = fw4 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_5[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_5[j] = fw5 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_6[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_6[j] = fw6 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_7[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_7[j] = fw7 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_8[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_8[j] = fw8 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_9[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_9[j] = fw9 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_10[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_10[j] = fw10 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_11[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_11[j] = fw11 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_12[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_12[j] = fw12 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_13[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_13[j] = fw13 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_14[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_14[j] = fw14 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_15[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_15[j] = fw15 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_16[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_16[j] = fw16 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_17[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_17[j] = fw17 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_18[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_18[j] = fw18 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_19[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_19[j] = fw19 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_20[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_20[j] = fw20 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_21[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_21[j] = fw21 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_22[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_22[j] = fw22 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_23[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_23[j] = fw23 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_24[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_24[j] = fw24 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_25[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_25[j] = fw25 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_26[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_26[j] = fw26 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_27[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_27[j] = fw27 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_28[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_28[j] = fw28 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_29[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_29[j] = fw29 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_30[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_30[j] = fw30 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_31[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_31[j] = fw31 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_32[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_32[j] = fw32 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_33[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_33[j] = fw33 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_34[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_34[j] = fw34 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_35[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_35[j] = fw35 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_36[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_36[j] = fw36 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_37[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_37[j] = fw37 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_38[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_38[j] = fw38 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_39[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_39[j] = fw39 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_40[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_40[j] = fw40 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_41[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_41[j] = fw41 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_42[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_42[j] = fw42 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_43[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_43[j] = fw43 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_44[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_44[j] = fw44 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_45[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_45[j] = fw45 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_46[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_46[j] = fw46 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_47[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_47[j] = fw47 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_48[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_48[j] = fw48 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_49[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_49[j] = fw49 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_50[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_50[j] = fw50 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_51[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_51[j] = fw51 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_52[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_52[j] = fw52 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_53[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_53[j] = fw53 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_54[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_54[j] = fw54 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_55[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_55[j] = fw55 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_56[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_56[j] = fw56 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_57[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_57[j] = fw57 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_58[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_58[j] = fw58 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_59[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_59[j] = fw59 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_60[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_60[j] = fw60 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_61[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_61[j] = fw61 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_62[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_62[j] = fw62 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_63[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_63[j] = fw63 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_64[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_64[j] = fw64 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_65[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_65[j] = fw65 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_66[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_66[j] = fw66 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_67[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_67[j] = fw67 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_68[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_68[j] = fw68 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_69[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_69[j] = fw69 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_70[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_70[j] = fw70 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_71[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_71[j] = fw71 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_72[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_72[j] = fw72 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_73[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_73[j] = fw73 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_74[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_74[j] = fw74 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_75[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_75[j] = fw75 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_76[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_76[j] = fw76 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_77[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_77[j] = fw77 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    double temp_78[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_78[j] = fw78 * FE1_C0_D100_Qfad[0][0][iq][j];
    }
    double temp_79[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_79[j] = fw79 * FE1_C0_D010_Qfad[0][0][iq][j];
    }
    double temp_80[10] = {0};
    for (int j = 0; j < 10; ++j)
    {
      temp_80[j] = fw80 * FE1_C0_D001_Qfad[0][0][iq][j];
    }
    for (int j = 0; j < 10; ++j)
    {
      for (int i = 0; i < 10; ++i)
      {
        A[30 * (3 * (i)) + 3 * (j)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_0[j];
        A[30 * (3 * (i)) + 3 * (j)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_1[j];
        A[30 * (3 * (i)) + 3 * (j)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_2[j];
        A[30 * (3 * (i)) + 3 * (j)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_3[j];
        A[30 * (3 * (i)) + 3 * (j)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_4[j];
        A[30 * (3 * (i)) + 3 * (j)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_5[j];
        A[30 * (3 * (i)) + 3 * (j)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_6[j];
        A[30 * (3 * (i)) + 3 * (j)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_7[j];
        A[30 * (3 * (i)) + 3 * (j)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_8[j];
        A[30 * (3 * (i)) + (3 * (j) + 1)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_9[j];
        A[30 * (3 * (i)) + (3 * (j) + 1)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_10[j];
        A[30 * (3 * (i)) + (3 * (j) + 1)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_11[j];
        A[30 * (3 * (i)) + (3 * (j) + 1)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_12[j];
        A[30 * (3 * (i)) + (3 * (j) + 1)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_13[j];
        A[30 * (3 * (i)) + (3 * (j) + 1)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_14[j];
        A[30 * (3 * (i)) + (3 * (j) + 1)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_15[j];
        A[30 * (3 * (i)) + (3 * (j) + 1)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_16[j];
        A[30 * (3 * (i)) + (3 * (j) + 1)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_17[j];
        A[30 * (3 * (i)) + (3 * (j) + 2)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_18[j];
        A[30 * (3 * (i)) + (3 * (j) + 2)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_19[j];
        A[30 * (3 * (i)) + (3 * (j) + 2)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_20[j];
        A[30 * (3 * (i)) + (3 * (j) + 2)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_21[j];
        A[30 * (3 * (i)) + (3 * (j) + 2)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_22[j];
        A[30 * (3 * (i)) + (3 * (j) + 2)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_23[j];
        A[30 * (3 * (i)) + (3 * (j) + 2)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_24[j];
        A[30 * (3 * (i)) + (3 * (j) + 2)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_25[j];
        A[30 * (3 * (i)) + (3 * (j) + 2)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_26[j];
        A[30 * (3 * (i) + 1) + 3 * (j)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_27[j];
        A[30 * (3 * (i) + 1) + 3 * (j)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_28[j];
        A[30 * (3 * (i) + 1) + 3 * (j)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_29[j];
        A[30 * (3 * (i) + 1) + 3 * (j)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_30[j];
        A[30 * (3 * (i) + 1) + 3 * (j)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_31[j];
        A[30 * (3 * (i) + 1) + 3 * (j)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_32[j];
        A[30 * (3 * (i) + 1) + 3 * (j)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_33[j];
        A[30 * (3 * (i) + 1) + 3 * (j)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_34[j];
        A[30 * (3 * (i) + 1) + 3 * (j)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_35[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_36[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_37[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_38[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_39[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_40[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_41[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_42[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_43[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 1)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_44[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_45[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_46[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_47[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_48[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_49[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_50[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_51[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_52[j];
        A[30 * (3 * (i) + 1) + (3 * (j) + 2)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_53[j];
        A[30 * (3 * (i) + 2) + 3 * (j)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_54[j];
        A[30 * (3 * (i) + 2) + 3 * (j)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_55[j];
        A[30 * (3 * (i) + 2) + 3 * (j)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_56[j];
        A[30 * (3 * (i) + 2) + 3 * (j)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_57[j];
        A[30 * (3 * (i) + 2) + 3 * (j)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_58[j];
        A[30 * (3 * (i) + 2) + 3 * (j)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_59[j];
        A[30 * (3 * (i) + 2) + 3 * (j)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_60[j];
        A[30 * (3 * (i) + 2) + 3 * (j)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_61[j];
        A[30 * (3 * (i) + 2) + 3 * (j)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_62[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_63[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_64[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_65[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_66[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_67[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_68[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_69[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_70[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 1)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_71[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_72[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_73[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C0_D100_Qfad[0][0][iq][i] * temp_74[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_75[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_76[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C0_D010_Qfad[0][0][iq][i] * temp_77[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_78[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_79[j];
        A[30 * (3 * (i) + 2) + (3 * (j) + 2)] += FE1_C0_D001_Qfad[0][0][iq][i] * temp_80[j];
      }
    }
  }
  // ------------------------ 
}

}

/* elasticity_L_cell
 * c holds f. */
void elasticity_L_cell(double* restrict A,
                                    const double* restrict w,
                                    const double* restrict c,
                                    const double* restrict coordinate_dofs,
                                    const int* restrict entity_local_index,
                                    const uint8_t* restrict quadrature_permutation,
                                    void* custom_data)
{
// Quadrature rules
static const double weights_fad[4] = {0.04166666666666666, 0.04166666666666666, 0.04166666666666666, 0.04166666666666666};
// Precomputed values of basis functions and precomputations
// FE* dimensions: [permutation][entities][points][dofs]
static const double FE1_C0_Qfad[1][1][4][10] = {{{{-0.09999999999999937, 0.1000000000000006, -0.1000000000000002, -0.1000000000000002, 0.07639320225002158, 0.3236067977499804, 0.3236067977499804, 0.07639320225002054, 0.07639320225002055, 0.3236067977499759},
  {-0.09999999999999939, -0.1000000000000002, 0.1000000000000007, -0.1000000000000002, 0.3236067977499804, 0.07639320225002155, 0.3236067977499804, 0.07639320225002051, 0.323606797749976, 0.07639320225002051},
  {-0.09999999999999941, -0.1000000000000002, -0.1000000000000002, 0.1000000000000007, 0.3236067977499805, 0.3236067977499803, 0.07639320225002162, 0.323606797749976, 0.07639320225002058, 0.07639320225002053},
  {0.09999999999999803, -0.1000000000000002, -0.1000000000000002, -0.1000000000000002, 0.07639320225002166, 0.07639320225002159, 0.07639320225002171, 0.3236067977499794, 0.3236067977499794, 0.3236067977499792}}}};
static const double FE3_C0_D100_Qfad[1][1][1][4] = {{{{-1.0, 1.0, 0.0, 0.0}}}};
static const double FE3_C1_D010_Qfad[1][1][1][4] = {{{{-1.0, 0.0, 1.0, 0.0}}}};
static const double FE3_C2_D001_Qfad[1][1][1][4] = {{{{-1.0, 0.0, 0.0, 1.0}}}};
// ------------------------ 
// Section: Jacobian
// Inputs: FE3_C1_D010_Qfad, coordinate_dofs, FE3_C2_D001_Qfad, FE3_C0_D100_Qfad
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
    J0_c0 += coordinate_dofs[(ic) * 3] * FE3_C0_D100_Qfad[0][0][0][ic];
    J0_c4 += coordinate_dofs[(ic) * 3 + 1] * FE3_C1_D010_Qfad[0][0][0][ic];
    J0_c8 += coordinate_dofs[(ic) * 3 + 2] * FE3_C2_D001_Qfad[0][0][0][ic];
    J0_c5 += coordinate_dofs[(ic) * 3 + 1] * FE3_C2_D001_Qfad[0][0][0][ic];
    J0_c7 += coordinate_dofs[(ic) * 3 + 2] * FE3_C1_D010_Qfad[0][0][0][ic];
    J0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE3_C0_D100_Qfad[0][0][0][ic];
    J0_c6 += coordinate_dofs[(ic) * 3 + 2] * FE3_C0_D100_Qfad[0][0][0][ic];
    J0_c1 += coordinate_dofs[(ic) * 3] * FE3_C1_D010_Qfad[0][0][0][ic];
    J0_c2 += coordinate_dofs[(ic) * 3] * FE3_C2_D001_Qfad[0][0][0][ic];
  }
}
// ------------------------ 
double sp_fad_0 = J0_c4 * J0_c8;
double sp_fad_1 = J0_c5 * J0_c7;
double sp_fad_2 = -sp_fad_1;
double sp_fad_3 = sp_fad_0 + sp_fad_2;
double sp_fad_4 = J0_c0 * sp_fad_3;
double sp_fad_5 = J0_c3 * J0_c8;
double sp_fad_6 = J0_c5 * J0_c6;
double sp_fad_7 = -sp_fad_6;
double sp_fad_8 = sp_fad_5 + sp_fad_7;
double sp_fad_9 = -J0_c1;
double sp_fad_10 = sp_fad_8 * sp_fad_9;
double sp_fad_11 = sp_fad_4 + sp_fad_10;
double sp_fad_12 = J0_c3 * J0_c7;
double sp_fad_13 = J0_c4 * J0_c6;
double sp_fad_14 = -sp_fad_13;
double sp_fad_15 = sp_fad_12 + sp_fad_14;
double sp_fad_16 = J0_c2 * sp_fad_15;
double sp_fad_17 = sp_fad_11 + sp_fad_16;
double sp_fad_18 = fabs(sp_fad_17);
double sp_fad_19 = c[0] * sp_fad_18;
double sp_fad_20 = c[1] * sp_fad_18;
double sp_fad_21 = c[2] * sp_fad_18;
for (int iq = 0; iq < 4; ++iq)
{
  // ------------------------ 
  // Section: Intermediates
  // Inputs: 
  // Outputs: fw0, fw1, fw2
  double fw0 = 0;
  double fw1 = 0;
  double fw2 = 0;
  {
    fw0 = sp_fad_19 * weights_fad[iq];
    fw1 = sp_fad_20 * weights_fad[iq];
    fw2 = sp_fad_21 * weights_fad[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw1, fw0, FE1_C0_Qfad, fw2
  // Outputs: A
  {
    for (int i = 0; i < 10; ++i)
    {
      A[3 * (i)] += fw0 * FE1_C0_Qfad[0][0][iq][i];
      A[(3 * (i) + 1)] += fw1 * FE1_C0_Qfad[0][0][iq][i];
      A[(3 * (i) + 2)] += fw2 * FE1_C0_Qfad[0][0][iq][i];
    }
  }
  // ------------------------ 
}

}
