"""exits.py STATUS COMMAND...: runs the command and succeeds if it exits with just that status."""
import subprocess
import sys

status = subprocess.run(sys.argv[2:]).returncode
if status != int(sys.argv[1]):
    print(f"expected exit status {sys.argv[1]}, got {status}", file=sys.stderr)
    sys.exit(1)
