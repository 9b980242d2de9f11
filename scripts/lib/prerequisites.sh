# shellcheck shell=bash
# Sourced by scripts/test and scripts/demo: finds a Python that can make a virtual environment
# and build the kernels, or says which packages to install and exits 2.

# Print the first interpreter that is new enough. $PYTHON, when set, is the only candidate.
find_python() {
    local candidate
    local candidates=(python3 /usr/bin/python3 python3.14 python3.13 python3.12 python3.11)
    if [[ -n ${PYTHON:-} ]]; then
        candidates=("$PYTHON")
    fi
    for candidate in "${candidates[@]}"; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    return 1
}

# Print what is wrong and the one line that mends it, then stop.
require_packages() {
    local reason=$1
    shift
    printf '%s: %s; on Debian 12 run as root:\n\n    apt-get install -y %s\n\n' \
        "${0##*/}" "$reason" "$*" >&2
    exit 2
}

# Print the C compiler that setuptools will call, without its options.
c_compiler() {
    local command=${CC:-}
    if [[ -z $command ]]; then
        command=$("$1" -c 'import sysconfig; print(sysconfig.get_config_var("CC") or "cc")')
    fi
    printf '%s\n' "${command%% *}"
}

# Set PYTHON, or exit 2 naming every missing Debian package at once.
check_prerequisites() {
    local found version reasons=() packages=() prefix=python3 include compiler
    if ! found=$(find_python); then
        version=$("${PYTHON:-python3}" --version 2>&1) || version="no Python 3"
        require_packages "Python 3.11 or newer is needed, this machine has: ${version##*: }" \
            python3.11 python3.11-venv python3.11-dev gcc
    fi
    PYTHON=$found
    if [[ ${PYTHON##*/} == python3.* ]]; then
        prefix=${PYTHON##*/}
    fi
    # Debian splits these off; version() also looks for the wheel of pip that ensurepip unpacks.
    if ! "$PYTHON" -c 'import venv; from ensurepip import version; version()' >/dev/null 2>/dev/null; then
        reasons+=("$PYTHON has no venv or ensurepip")
        packages+=("$prefix-venv")
    fi
    include=$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("include"))')
    if [[ ! -f $include/Python.h ]]; then
        reasons+=("$include/Python.h is missing")
        packages+=("$prefix-dev")
    fi
    compiler=$(c_compiler "$PYTHON")
    if ! command -v "$compiler" >/dev/null; then
        reasons+=("there is no C compiler ($compiler)")
        packages+=(gcc)
    elif ! printf '#include <stdio.h>\n' | "$compiler" -E - >/dev/null 2>&1; then
        reasons+=("$compiler finds no C library headers")
        packages+=(libc6-dev)
    fi
    if ((${#packages[@]})); then
        local joined
        joined=$(printf '%s, ' "${reasons[@]}")
        require_packages "${joined%, }" "${packages[@]}"
    fi
}
