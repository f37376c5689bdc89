# What the scripts share; sourced, never run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"  # nginx, ip and traceroute, which an ordinary user's PATH lacks

say() { printf '== %s\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  say "building ($preset)"
  cmake --preset "$preset"
  cmake --build --preset "$preset" ${1:+--target "$@"}
}

# When the sources are from, in seconds: packages of the same sources are the same bytes.
date_of_source() { git log -1 --format=%ct 2> /dev/null || stat -c %Y CHANGELOG.md; }
