"""setup.py: scripts/setup with a dpkg-query, apt-get and sudo that only say what they were asked, as root and as somebody
else: what it takes for missing, what it says before it does anything, and when it gives up. And what
scripts/demo says where it may make no namespaces, and whether scripts/lib.sh has cmake leave out the tests."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
REAL = ["bash", "env", "dirname", "sed", "grep", "df", "tail", "numfmt", "cat"]
PLAN = """Reading package lists...
The following NEW packages will be installed:
  cmake g++
6 upgraded, 94 newly installed, 0 to remove and 119 not upgraded.
Need to get 1890 kB/171 MB of archives.
After this operation, 852 MB of additional disk space will be used.
"""
# What each does; LOG has what they were asked. Nothing else of the system is touched: the others stand in for what would.
FAKES = {
    "dpkg-query": 'for name; do :; done\nif [[ $MISSING == all || " $MISSING " == *" $name "* ]]; then exit 1; fi\nprintf installed',
    "apt-get": """
case " $* " in
  *" --print-uris "*) [[ -z ${NO_LISTS:-} || -e $FOLDER/updated ]] || { echo "E: Unable to locate package cmake"; exit 100; }
    [[ ${LC_ALL:-} == C ]] || { echo "in another language"; exit; }
    printf '%s' "$PLAN" ;;
  *" update "*) echo "apt-get update" | tee -a "$LOG"; [[ -z ${OFFLINE:-} ]] || exit 100; [[ -n ${UNKNOWN:-} ]] || : > "$FOLDER/updated" ;;
  *" install "*) echo "apt-get $*" | tee -a "$LOG"; read -r fail < "$FOLDER/failures"; echo $(( fail - 1 )) > "$FOLDER/failures"; (( fail <= 0 )) ;;
esac""",
    "sudo": 'echo "sudo $*" >> "$LOG"\n[[ $1 != -n ]] || exit "${WANTS_PASSWORD:-0}"\nexec "$@"',
    "sleep": "", "chmod": "", "rm": "", "systemctl": "",
    "tee": 'while read -r line; do echo "$line"; [[ $1 != -a ]] || echo "$line" >> "$2"; done',
}


def can_be_another():
    return subprocess.run(["unshare", "--user", "true"], capture_output=True).returncode == 0


@unittest.skipUnless(can_be_another(), "this user may make no namespaces")
class Setup(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="anml-setup-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name in REAL:
            (self.folder / name).symlink_to(shutil.which(name))
        for name, text in FAKES.items():
            (self.folder / name).write_text(f"#!{shutil.which('bash')}\n{text}\n")
            (self.folder / name).chmod(0o755)

    def setup(self, *options, missing="cmake g++", root=True, failures=0, plan=PLAN, without=(), **env):
        """Status, what it said and what it asked for."""
        log = self.folder / "log"
        log.write_text("")
        (self.folder / "failures").write_text(f"{failures}\n")
        for name in ("updated", *without):
            (self.folder / name).unlink(missing_ok=True)
        # A user namespace makes root of others, and somebody else of root.
        become = [] if root == (os.geteuid() == 0) else ["unshare", "--user", *["--map-root-user"] * root]
        env = {"PATH": str(self.folder), "LOG": str(log), "FOLDER": str(self.folder), "MISSING": missing, "PLAN": plan, **env}
        if become:
            become[0] = shutil.which("unshare")
        done = subprocess.run([*become, str(self.folder / "bash"), "scripts/setup", *options], cwd=ROOT, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr, log.read_text()

    def wanted(self, *options):
        """The packages of a tier: what the message for somebody without root names where none is there."""
        status, said, asked = self.setup(*options, missing="all", root=False, without=["sudo"])
        self.assertEqual((status, asked), (1, ""), said)
        return re.fullmatch(r"error: packages are missing, and there is no sudo: run as root: apt-get update && apt-get install --no-install-recommends (.*)\n", said)[1].split()

    def test_each_tier_has_its_own(self):
        build, everything = set(self.wanted("--build")), self.wanted()
        self.assertEqual(len(everything), len(set(everything)))
        self.assertEqual(set(self.wanted("--demo")) - build, {"nginx-light"})
        self.assertEqual(set(self.wanted("--package")) - build, {"dpkg-dev", "file", "lintian"})
        self.assertEqual(set(self.wanted("--wheel")) - build, {"python3", "python3-pip", "python3-setuptools", "python3-wheel"})
        for tier in ("--build", "--demo", "--wheel", "--package"):
            self.assertLess(set(self.wanted(tier)), set(everything))
        self.assertFalse({"catch2", "chromium", "emacs-nox", "python3", "libns3-dev", "slurmd"} & build)
        for script in ("demo", "wheel", "package"):
            self.assertRegex((ROOT / "scripts" / script).read_text(), rf"(?m)^ *scripts/setup --{script}$")

    def test_nothing_is_missing(self):
        for root in (True, False):
            status, said, asked = self.setup("--demo", missing="", root=root)
            self.assertEqual((status, asked), (0, ""))
            self.assertRegex(said, r"\A== all \d\d packages are installed\n\Z")

    def test_it_says_how_much_before_it_begins(self):
        for root in (True, False):
            status, said, asked = self.setup("--build", root=root)
            self.assertEqual(status, 0, said)
            self.assertTrue(said.startswith("== installing 100 packages: 1890 kB/171 MB to download, 852 MB of disk\n== namely cmake g++, and what they need\napt-get -q "), said)
            installs = [line for line in asked.splitlines() if line.startswith("apt-get")]
            self.assertEqual(len(installs), 1, asked)
            self.assertRegex(installs[0], r" install -y --no-install-recommends cmake g\+\+$")
            self.assertEqual("sudo env" in asked, not root)

    def test_the_lists_are_missing(self):
        status, said, asked = self.setup("--build", NO_LISTS="1")
        self.assertEqual(status, 0, said)
        self.assertLess(said.index("apt-get update"), said.index("== installing 100 packages"))
        status, said, asked = self.setup("--build", NO_LISTS="1", OFFLINE="1")
        self.assertEqual((status, asked.count("update")), (1, 2))
        self.assertTrue(said.endswith("error: apt-get cannot fetch the package lists\n"), said)
        status, said, asked = self.setup("--build", NO_LISTS="1", UNKNOWN="1")
        self.assertEqual(status, 1)
        self.assertTrue(said.endswith("error: apt cannot install cmake g++: E: Unable to locate package cmake\n"), said)
        self.assertNotIn("install", asked)

    def test_a_download_fails(self):
        status, said, asked = self.setup("--build", failures=1)
        self.assertEqual((status, asked.count(" install "), asked.count("update")), (0, 2, 1), said)
        status, said, asked = self.setup("--build", failures=2)
        self.assertEqual((status, asked.count(" install ")), (1, 2), said)
        self.assertTrue(said.endswith("error: apt-get could not install them; it says above why\n"), said)

    def test_sudo_wants_a_password_that_nobody_can_type(self):
        status, said, asked = self.setup("--build", root=False, WANTS_PASSWORD="1")
        self.assertEqual((status, asked), (1, "sudo -n true\n"))
        self.assertIn("no terminal to ask for it: run as root: apt-get update && apt-get install --no-install-recommends cmake g++\n", said)

    def test_there_is_no_room(self):
        status, said, asked = self.setup("--build", plan=PLAN.replace("852 MB", "852 TB"))
        self.assertEqual((status, asked), (1, ""))
        self.assertRegex(said, r"error: the packages need 8520001\d\d MB, and /usr has \d+ MB free\n\Z")

    def test_another_system(self):
        status, said, asked = self.setup("--build", without=["apt-get"])
        self.assertEqual((status, asked), (1, ""))
        self.assertIn("error: there is no apt-get", said)

    def test_the_demo_says_at_once_that_it_cannot_run(self):
        (self.folder / "unshare").write_text(f"#!{shutil.which('bash')}\nexit 1\n")
        (self.folder / "unshare").chmod(0o755)
        (self.folder / "id").symlink_to(shutil.which("id"))
        log = self.folder / "log"
        done = subprocess.run(["bash", "scripts/demo"], cwd=ROOT, env={"PATH": str(self.folder), "LOG": str(log), "MISSING": "all"}, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, log.exists()), (1, "", False))
        self.assertRegex(done.stderr, r"\Aerror: this system lets \w+ make no network namespaces, .* user.max_user_namespaces, .*docker run --privileged\n\Z")

    def test_tests_are_left_out_of_a_build_of_the_compiler_alone(self):
        """And stay where they were built; a build of everything has them."""
        (self.folder / "scripts").mkdir()
        shutil.copy(ROOT / "scripts/lib.sh", self.folder / "scripts")
        (self.folder / "cmake").write_text(f"#!{shutil.which('bash')}\necho cmake $*\n")
        (self.folder / "cmake").chmod(0o755)

        def build(*targets):
            done = subprocess.run(["bash", "-c", 'source scripts/lib.sh && build release "$@"', "bash", *targets], cwd=self.folder, check=True,
                                  env={"PATH": str(self.folder)}, capture_output=True, text=True)
            return done.stdout.splitlines()[1:]

        self.assertEqual(build("anmlc"), ["cmake --preset release -D ANML_TESTS=OFF", "cmake --build --preset release --target anmlc"])
        self.assertEqual(build(), ["cmake --preset release -D ANML_TESTS=ON", "cmake --build --preset release"])
        (self.folder / "build/release").mkdir(parents=True)
        (self.folder / "build/release/build.ninja").touch()
        self.assertEqual(build("anmlc"), ["cmake --preset release", "cmake --build --preset release --target anmlc"])
        self.assertEqual(build("anmlc", "ns3_dumbbell"), ["cmake --preset release -D ANML_TESTS=ON", "cmake --build --preset release --target anmlc ns3_dumbbell"])


if __name__ == "__main__":
    unittest.main()
