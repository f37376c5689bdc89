# Each of these runs is run by one process alone, wherever that is, and kept whole or not at all:
#
#   claim     `mkdir claim.N` succeeds for one, on network file systems too. The owner writes a new number into
#             claim.N/alive every few seconds. One that is silent, or whose process is gone from this machine, is dead:
#             who then makes claim.N+1 has the run. Whoever meets a claim that lives waits for its end.
#   run       into claim.N: results.json, log
#   publish   these go to the run's folder, manifest.json last: that it is there says that the run has ended.
#
# It needs a POSIX shell, what POSIX has of commands, and Linux's /proc.
set -u
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.." || exit 1

beat=5     # s from one sign of life to the next
silence=60 # s without one, as seen by whoever waits: no clocks are compared
unsaid=15  # s where it does not even say whose it is: killed as it began

# Of a process that is there and not a zombie: then nobody may ever reap it.
began() { sed -n 's/.*) \([^ZX]\)/\1/p' "/proc/$1/stat" 2> /dev/null | cut -d ' ' -f 20; }
machine="$(uname -n) $(cat /proc/sys/kernel/random/boot_id 2> /dev/null) $(readlink /proc/self/ns/pid)"
start=$(began $$)

say() { printf '%s\n' "$*"; }

# Whether the run has ended well, as what is prepared now.
ended() {
  [ -f "$run/manifest.json" ] && grep -Eq '^  "status": (0|99),?$' "$run/manifest.json" &&
    head -c "$(wc -c < "$run/prepared")" "$run/manifest.json" | cmp -s - "$run/prepared"
}

# Whether the owner of claim $1 is dead. Called every second.
dead() {
  read -r host boot space process began_at < "$1/owner" 2> /dev/null || host=
  if [ -n "$host" ] && [ "$host $boot $space" = "$machine" ]; then
    [ "$(began "$process")" != "$began_at" ]
    return
  fi
  sign=$(cat "$1/alive" 2> /dev/null)
  if [ "$1 $sign" != "$seen" ]; then
    seen="$1 $sign" silent=0
    return 1
  fi
  silent=$((silent + 1))
  if [ -f "$1/owner" ]; then [ "$silent" -gt "$silence" ]; else [ "$silent" -gt "$unsaid" ]; fi
}

# Of the run $1. 0: it is this process's, as claim $n. 1: it needs none any more. 2: there can be no claim.
claim() {
  n=1 seen='' silent=0 waited='' failed=0
  while ! ended; do
    if [ -n "$waited" ] && [ ! -d "$waited" ]; then return 1; fi # whoever had it has ended, well or not
    if mkdir "$run/claim.$n" 2> /dev/null; then
      own=$run/claim.$n
      say "$machine $$ $start" > "$own/owner" || return 2
      ended || return 0
      rm -rf "$own"
      return 1
    fi
    if [ ! -d "$run/claim.$n" ]; then # there is no room, or it has just gone
      failed=$((failed + 1))
      [ "$failed" -lt 5 ] || return 2
      sleep 1
    elif [ -d "$run/claim.$((n + 1))" ]; then
      n=$((n + 1))
    elif dead "$run/claim.$n"; then
      n=$((n + 1)) waited=''
    else
      [ -n "$waited" ] || say "$1: waits for whoever has it: $(cut -d ' ' -f 1,4 "$run/claim.$n/owner" 2> /dev/null)"
      waited=$run/claim.$n
      sleep 1
    fi
  done
  return 1
}

# Signs of life, until this shell or the claim is gone: the emulator then goes, too.
live() {
  count=0
  while [ "$(began $$)" = "$start" ] && say "$((count += 1))" > "$own/alive"; do sleep "$beat"; done
  kill "$emulator"
}

# At a signal, whenever it comes: whoever ends all that a job has may reach the emulator first.
give_up() {
  kill "$emulator" "$heart" 2> /dev/null
  [ -z "$own" ] || rm -rf "$own"
  exit "$1"
}

publish() {
  if [ -f "$own/results.json" ]; then
    mv -f "$own/results.json" "$run/results.json" || return
  else
    rm -f "$run/results.json"
  fi
  mv -f "$own/log" "$run/log" && {
    cat "$run/prepared"
    printf '  "status": %d,\n  "seconds": %s,\n  "folder": %s,\n  "host": "%s",\n  "attempt": %d\n}\n' \
      "$status" "$seconds" "$folder" "$(uname -n | tr -cd 'A-Za-z0-9._-')" "$n"
  } > "$own/manifest.json" && mv -f "$own/manifest.json" "$run/manifest.json"
}

# The run $1. Its exit status: 0, or 1 where it or what it needs failed.
one() {
  run=runs/$1 own=''
  if [ ! -f "$run/prepared" ] || [ ! -f "$run/command" ]; then
    say "$1: no such run" >&2
    return 1
  fi
  claim "$1"
  case $? in
    1) ended; return ;;
    2) say "$1: cannot write in $PWD/$run" >&2; return 1 ;;
  esac
  since=$(date +%s.%N)
  sh "$run/command" "$own/results.json" > "$own/log" 2>&1 < /dev/null &
  emulator=$!
  live > /dev/null 2>&1 < /dev/null &
  heart=$!
  wait "$emulator"
  status=$?
  kill "$heart" 2> /dev/null
  emulator='' heart=''
  seconds=$(date +%s.%N | awk -v since="$since" '{ printf "%.3f", $1 - since }')
  # A process that slept for so long that it was taken for dead has lost the run.
  if [ ! -d "$own" ] || [ -d "$run/claim.$((n + 1))" ]; then
    rm -rf "$own"
    ended
    return
  fi
  if ! publish; then
    rm -rf "$own"
    say "$1: cannot write in $PWD/$run" >&2
    return 1
  fi
  rm -rf "$run"/claim.*
  say "$1: status $status after $seconds s"
  [ "$status" = 0 ] || [ "$status" = 99 ]
}

own='' emulator='' heart=''
trap 'give_up 143' TERM
trap 'give_up 130' INT
trap 'give_up 129' HUP
result=0
for name in "$@"; do one "$name" || result=1; done
exit "$result"
