"""A Slurm cluster of this machine alone: munged, slurmctld and slurmd in a folder of their own, on loopback. Tasks begin as soon as they can,
and for five minutes the controller does not wonder where one is that its node does not have."""
import getpass
import os
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")


def find(program):
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def missing():
    """What a cluster needs and is not installed."""
    return [program for program in PROGRAMS if not find(program)]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class SlurmNode:
    def __init__(self, folder, cpus=4, max_array_size=13):
        self.folder, self.processes, self.logs = folder, [], []
        for name in ("state", "spool", "munge"):
            os.makedirs(os.path.join(folder, name), mode=0o700)
        # munged does not trust folders in which others may write, unless it is told to.
        key = os.path.join(folder, "munge", "key")
        with open(key, "wb") as file:
            file.write(os.urandom(1024))
        os.chmod(key, 0o400)
        host = socket.gethostname().split(".")[0]
        controller, node = free_ports(2)
        self.munge_socket = os.path.join(folder, "munge", "socket")
        self.conf = os.path.join(folder, "slurm.conf")
        with open(self.conf, "w") as file:
            memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20  # MiB
            file.write(f"""ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser={getpass.getuser()}
SlurmdUser={getpass.getuser()}
AuthType=auth/munge
AuthInfo=socket={self.munge_socket}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MpiDefault=none
MaxArraySize={max_array_size}
ReturnToService=2
KillWait=10
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
BatchStartTimeout=300
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")
        self.environment = dict(os.environ, SLURM_CONF=self.conf)

    def __enter__(self):
        try:
            self.start("munged", "--foreground", "--force", f"--socket={self.munge_socket}", f"--key-file={self.folder}/munge/key",
                       f"--pid-file={self.folder}/munge/pid", f"--log-file={self.folder}/munge/log", f"--seed-file={self.folder}/munge/seed")
            self.wait(lambda: os.path.exists(self.munge_socket))
            self.start("slurmctld", "-D", "-f", self.conf)
            self.start("slurmd", "-D", "-f", self.conf)
            self.wait(lambda: "idle" in self.call("sinfo", "--noheader", "--format=%t"))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for step in self.steps():
            os.kill(step, signal.SIGKILL)
        for log in self.logs:
            log.close()

    def steps(self):
        """Processes of tasks that wait, for hours, to tell the controller of their end: one that was killed, or has ended. And what a node
        that was killed has begun, which is slurmd still."""
        own, daemons = f"SLURM_CONF={self.conf}".encode(), {process.pid for process in self.processes}
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{process}/environ", "rb") as environment:
                    program = os.path.basename(os.readlink(f"/proc/{process}/exe"))
                    if program in ("slurmd", "slurmstepd") and int(process) not in daemons and own in environment.read().split(b"\0"):
                        yield int(process)
            except OSError:
                pass  # it has ended, or is another's

    def start(self, program, *arguments):
        log = open(os.path.join(self.folder, program + ".said"), "wb")
        self.logs.append(log)
        self.processes.append(subprocess.Popen([find(program), *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                                               stdout=log, stderr=log))

    def restart(self, program, between=lambda: None):
        """kill -9 of it, what is done meanwhile, and it begins anew, as the same command."""
        process = next(one for one in self.processes if one.args[0] == find(program))
        process.kill()
        process.wait()
        between()
        self.processes.remove(process)
        self.start(program, *process.args[1:])

    def call(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60).stdout

    def said(self):
        text = ""
        for name in sorted(os.listdir(self.folder)):
            if name.endswith((".said", ".log")):
                with open(os.path.join(self.folder, name), errors="replace") as file:
                    text += f"-- {name}\n" + file.read()[-2000:]
        return text

    def wait(self, condition, seconds=40):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end or any(process.poll() is not None for process in self.processes):
                raise RuntimeError("the cluster does not come up:\n" + self.said())
            time.sleep(0.02)
