# exits.sh STATUS COMMAND...: runs the command and succeeds if it exits with just that status.
wanted=$1
shift
"$@"
status=$?
[ "$status" -eq "$wanted" ] || { echo "expected exit status $wanted, got $status" >&2; exit 1; }
