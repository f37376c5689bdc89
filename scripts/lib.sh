# What the scripts share; sourced, never run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"  # nginx, ip and traceroute, which an ordinary user's PATH lacks

say() { printf '== %s\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# room FOLDER MEGABYTES WHAT: ends where there is less.
room() {
  local free
  free=$(( $(df -B1 --output=avail "$1" | tail -1) / 1000000 ))
  (( free >= $2 )) || die "$3 need $2 MB, and $1 has $free MB free"
}

# build PRESET [TARGET...]. Tests want packages that the compiler does not: where it alone is wanted they are left out,
# unless that folder has them already.
build() {
  local preset=$1 tests=(-D ANML_TESTS=ON)
  shift
  if [[ $* == anmlc ]]; then
    tests=()
    [[ -e build/$preset/build.ninja ]] || tests=(-D ANML_TESTS=OFF)
  fi
  say "building ($preset)"
  cmake --preset "$preset" "${tests[@]}"
  cmake --build --preset "$preset" ${1:+--target "$@"}
}

# When the sources are from, in seconds: packages of the same sources are the same bytes.
date_of_source() { git log -1 --format=%ct 2> /dev/null || stat -c %Y CHANGELOG.md; }
