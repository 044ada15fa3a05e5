#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes kernels of weak forms: runs FFCx on a file of UFL forms, or reads a C file that it wrote, and gives each
integral's function the name FILE_FORM_INTEGRAL, such as poisson_a_cell; the rest of the function stays as it is.
An integral over a part of the mesh, dx(3), ends in its number: poisson_a_cell_3.

    plait_ufcx.py forms.py -o forms.ufcx.c
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

KINDS = ("cell", "exterior_facet", "interior_facet", "vertex", "ridge")


def fail(sentence):
    sys.exit("plait_ufcx: " + sentence)


def generate(path, command):
    """The C text that FFCx writes for a file of forms: the same each time, since hashes of text are fixed."""
    fixed = dict(os.environ, PYTHONHASHSEED="0")
    with tempfile.TemporaryDirectory() as folder:
        try:
            run = subprocess.run(command + [os.path.abspath(path), "-d", folder], capture_output=True,
                                 text=True, env=fixed)
        except OSError as error:
            fail(f"{command[0]} cannot run ({error.strerror}); install FFCx (pip install fenics-ffcx) or set FFCX")
        if run.returncode:
            fail(f"FFCx refuses {path}: {(run.stderr.strip() or run.stdout.strip()).splitlines()[-1]}")
        stem = os.path.splitext(os.path.basename(path))[0]
        with open(os.path.join(folder, stem + ".c"), encoding="utf-8") as file:
            return file.read()


def values(text, array):
    """The elements of an array of the file."""
    found = re.search(re.escape(array) + r"\[\d*\] = \{([^}]*)\}", text)
    return [part.strip() for part in found.group(1).split(",") if part.strip()] if found else []


def integrals(text, form):
    """(name of the integral, its kind and number) of a form."""
    offsets = [int(v) for v in values(text, "form_integral_offsets_" + form)]
    names = [v.lstrip("&") for v in values(text, "form_integrals_" + form)]
    numbers = [int(v) for v in values(text, "form_integral_ids_" + form)]
    for kind, (begin, end) in enumerate(zip(offsets, offsets[1:])):
        for i in range(begin, end):
            yield names[i], KINDS[kind] + (f"_{numbers[i]}" if numbers[i] >= 0 else "")


def function(text, integral, name):
    """The function of an integral under another name."""
    begin = text.index(f"void tabulate_tensor_{integral}(")
    end = text.index(f"ufcx_integral {integral} =", begin)
    body = re.sub(r"\nbool enabled_coefficients_.*", "", text[begin:end]).rstrip()
    return body.replace("tabulate_tensor_" + integral, name, 1)


def describe(text, form):
    """What the arguments w and c hold."""
    lines = []
    for what, array in (("w", "coefficient_names_"), ("c", "constant_names_")):
        names = [v.strip('"') for v in values(text, array + form)]
        if names:
            lines.append(f" * {what} holds {', '.join(names)}.")
    return "\n".join(lines)


def licence(path):
    """The SPDX line of the forms, which holds for their kernels."""
    with open(path, encoding="utf-8") as file:
        found = re.search(r"SPDX-License[-]Identifier: \S+", file.read())
    return f"/* {found.group(0)} */\n" if found else ""


def convert(text, path):
    source = os.path.basename(path)
    version = re.search(r"FFCx version (\S+?)\.?\s", text)
    if not version:
        fail(f"{source} was not written by FFCx")
    out = [licence(path) + f"/* Made by plait_ufcx from {source} with FFCx {version.group(1)}. Do not edit. */",
           "#ifndef PLAIT_JIT\n#pragma GCC system_header\n#endif",
           "#include <complex.h>\n#include <math.h>\n#include <stdint.h>" if "_Complex" in text
           else "#include <math.h>\n#include <stdint.h>"]
    for alias, form in re.findall(r"ufcx_form\* form_(\w+) = &(form_\w+);", text):
        for integral, kind in integrals(text, form):
            name = f"{alias}_{kind}"
            about = describe(text, form)
            out.append((f"/* {name}\n{about} */\n" if about else "") + function(text, integral, name))
    return "\n\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("forms", help="a file of UFL forms (.py), or what FFCx wrote for one (.c)")
    parser.add_argument("-o", "--output", required=True, help="the file of kernels")
    given = parser.parse_args()
    if not os.path.exists(given.forms):
        fail(f"there is no file {given.forms}")
    if given.forms.endswith(".c"):
        with open(given.forms, encoding="utf-8") as file:
            text = file.read()
    else:
        text = generate(given.forms, shlex.split(os.environ.get("FFCX", "ffcx")))
    kernels = convert(text, given.forms)
    with open(given.output, "w", encoding="utf-8") as file:
        file.write(kernels)


if __name__ == "__main__":
    main()
