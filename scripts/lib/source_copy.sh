# shellcheck shell=bash
# Sourced by scripts/test and scripts/demo: a build writes into its source tree and reuses what an
# older build left there, so both build from a copy that holds sources only.

# copy_sources FROM TO: copy a source tree, as it is on disk, without anything built or cached.
copy_sources() {
    mkdir -p "$2"
    tar -C "$1" --create --file - --anchored \
        --exclude=./.git --exclude='./.venv*' --exclude=./build --exclude=./dist \
        --no-anchored --exclude='*.egg-info' --exclude='*.so' --exclude='*.o' \
        --exclude=__pycache__ --exclude='.*_cache' --exclude=.hypothesis \
        --anchored --exclude='./kernels/*/*.c' . |
        tar -C "$2" --extract --file -
}
