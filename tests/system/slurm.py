#!/usr/bin/env python3
"""A job under Slurm: one controller and two nodes on this machine, one of which is lost in the middle.

usage: slurm.py FIDUCIAL

The daemons have a configuration, ports, a key and sockets of their own, and are ended by their process ids. Where they cannot
start the test is skipped (77) and says why.
"""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "matrix"))
import every_task

SKIPPED = 77
NODES = ("n0", "n1")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def expect(condition, what):
    if not condition:
        raise SystemExit(f"failed: {what}")


def wait_for(what, condition, seconds=60):
    """Until the condition gives something; daemons tell of themselves in no other way."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise TimeoutError(f"{what}: not within {seconds} s")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Cluster:
    def __init__(self, folder):
        self.folder, self.started = folder, []
        for name in ("run", "log", "state", "spool/n0", "spool/n1"):
            (folder / name).mkdir(parents=True)
        folder.chmod(0o755)
        key = folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        controller, *nodes = free_ports(3)
        host = socket.gethostname()
        lines = {
            "ClusterName": "fiducial", "SlurmctldHost": f"{host}(127.0.0.1)", "SlurmUser": "root", "SlurmdUser": "root",
            "AuthType": "auth/munge", "CryptoType": "crypto/munge", "AuthInfo": f"socket={folder}/run/munge.sock",
            "SlurmctldPort": controller, "StateSaveLocation": folder / "state", "SlurmdSpoolDir": folder / "spool/%n",
            "SlurmctldPidFile": folder / "run/slurmctld.pid", "SlurmdPidFile": folder / "run/slurmd.%n.pid",
            "SlurmctldLogFile": folder / "log/slurmctld.log", "SlurmdLogFile": folder / "log/slurmd.%n.log",
            "ProctrackType": "proctrack/pgid", "TaskPlugin": "task/none", "SelectType": "select/cons_tres",
            "SelectTypeParameters": "CR_Core", "JobAcctGatherType": "jobacct_gather/none",
            "AccountingStorageType": "accounting_storage/none", "MpiDefault": "none", "ReturnToService": 2, "SlurmdTimeout": 60,
            "KillWait": 5, "SchedulerParameters": "batch_sched_delay=0,sched_interval=1", "JobRequeue": 1}
        text = "".join(f"{key}={value}\n" for key, value in lines.items())
        for name, port in zip(NODES, nodes):
            text += f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 RealMemory=100 State=UNKNOWN\n"
        text += f"PartitionName=batch Nodes={','.join(NODES)} Default=YES MaxTime=INFINITE State=UP\n"
        (folder / "slurm.conf").write_text(text)
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}

    def start(self):
        run = self.folder / "run"
        self.daemon("munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key", f"--socket={run}/munge.sock",
                    f"--pid-file={run}/munged.pid", f"--log-file={self.folder}/log/munged.log", f"--seed-file={run}/munge.seed")
        wait_for("munged", (run / "munge.sock").exists, 20)
        self.daemon("slurmctld", "-D", "-c", "-i")
        for name in NODES:
            self.daemon("slurmd", "-D", "-N", name)
        wait_for("two idle nodes", lambda: self.says("sinfo", "-h", "-N", "-o", "%N %t").split() == ["n0", "idle", "n1", "idle"], 40)

    def daemon(self, *words):
        log = (self.folder / "log" / f"{words[0]}.{len(self.started)}.out").open("wb")
        self.started.append(subprocess.Popen(words, stdout=log, stderr=log, env=self.environment, start_new_session=True))

    def says(self, *words):
        return subprocess.run(list(map(str, words)), capture_output=True, text=True, env=self.environment).stdout

    def stop(self):
        self.says("scancel", "--user", "root", "--full")
        for process in reversed(self.started):
            process.terminate()
        for process in self.started:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def log(self):
        return "\n".join(f"-- {path.name}\n{path.read_text(errors='replace')[-1500:]}" for path in sorted((self.folder / "log").iterdir()))


def held_pid(job, wanted=lambda pid: True):
    """A worker that holds a unit without a result, and is one that is wanted."""
    done = {path.name.split(".")[0] for path in (job / "units").iterdir()}
    if len(done) < 4:
        return None
    for claim in sorted((job / "claims").iterdir()):
        text = claim.read_text().split("\n")[0].split()
        if claim.name.split(".")[0] not in done and len(text) == 2 and wanted(int(text[1])):
            return int(text[1])
    return None


def told_by_slurm(pid, name):
    try:
        words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    return next((word.partition(b"=")[2].decode() for word in words if word.startswith(f"{name}=".encode())), None)


def has_number_of_array(pid):
    """The task that a careless requeue by number takes for the whole array."""
    number = told_by_slurm(pid, "SLURM_JOB_ID")
    return number is not None and number == told_by_slurm(pid, "SLURM_ARRAY_JOB_ID")


def stopped_at_work(begin, wanted=lambda pid: True, tries=20):
    """A job whose worker is stopped in the middle of a unit, its number and that worker. Units take some milliseconds here: where
    all were done before one was seen at work, the next job is begun."""
    for index in range(tries):
        job, number = begin(index)
        units = json.loads((job / "plan.json").read_text())["units"]
        pid = wait_for("a worker at work", lambda: held_pid(job, wanted) or (len(list((job / "units").iterdir())) >= units and -1))
        if pid < 0:
            continue
        os.kill(pid, signal.SIGSTOP)
        if held_pid(job, lambda each: each == pid):
            return job, number, pid
        os.kill(pid, signal.SIGCONT)
    raise TimeoutError(f"no worker was seen at work in {tries} jobs")


def lose_a_node(cluster, pid):
    """Takes the node of a stopped worker away, which can therefore not end first."""
    node = told_by_slurm(pid, "SLURMD_NODENAME")
    expect(node in NODES, f"process {pid} runs on no node of the cluster")
    cluster.says("scontrol", "update", f"nodename={node}", "state=down", "reason=lost")
    wait_for("the end of the worker on the lost node", lambda: not pathlib.Path(f"/proc/{pid}").exists())
    return node


def stop_a_worker(cluster, run, begin):
    """A worker that is told to end, as before its time is over, goes back into the queue and loses nothing."""
    job, number, pid = stopped_at_work(begin)
    cluster.says("scancel", "--batch", "--signal=TERM", f"{number}_0")
    wait_for("the signal to reach the worker", lambda: is_pending(pid, signal.SIGTERM))
    os.kill(pid, signal.SIGCONT)
    wait_for("the script to put the worker back", lambda: "Restarts=1" in cluster.says("scontrol", "show", "job", number))
    cluster.says("scancel", number)
    claimed = {path.name.split(".")[0] for path in (job / "claims").iterdir()}
    expect(claimed == {path.name.split(".")[0] for path in (job / "units").iterdir()}, "a worker that was stopped keeps a claim")
    run("work", job)
    return job


def is_pending(pid, number):
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return any(int(line.split()[1], 16) >> (number - 1) & 1 for line in lines if line.startswith("ShdPnd"))


def check(fiducial, cluster, folder):
    corpus = every_task.finding_masks(folder / "corpus")
    words = [corpus.data, corpus.predictions, "--max-failures", "100%"]

    def run(*words):
        done = subprocess.run([fiducial, *map(str, words)], capture_output=True, text=True)
        expect(done.returncode == 0, done.stderr)
        return done.stdout

    run("score", *words, "-o", folder / "plain")

    def begin(name, workers):
        """Plans a job and hands it to Slurm."""
        def at(index):
            job = folder / f"{name}{index}"
            run("plan", "score", *words, "--units", 60, "-o", job, "--slurm", "--workers", workers)
            number = cluster.says("sbatch", "--parsable", "--export=ALL", job / "work.sbatch").strip()
            expect(number.isdigit(), f"sbatch says \"{number}\"")
            return job, number
        return at

    job, number, pid = stopped_at_work(begin("job", 2), has_number_of_array)
    node = lose_a_node(cluster, pid)
    wait_for("the other node to do all units", lambda: run("status", job, "--missing") == "", 120)
    told = cluster.says("scontrol", "show", "job", number)
    expect("Restarts=1" in told, f"Slurm did not put the lost worker back into the queue: {told}")
    expect("Restarts=0" in told, f"the lost worker took the other with it: {told}")
    cluster.says("scontrol", "update", f"nodename={node}", "state=resume")
    stopped = stop_a_worker(cluster, run, begin("stopped", 1))
    for each in (job, stopped):
        merged = folder / f"{each.name}_merged"
        run("merge", each, "-o", merged)
        for path in sorted((folder / "plain").iterdir()):
            expect(path.read_bytes() == (merged / path.name).read_bytes(), f"{path.name} differs from a plain run")
    expect("done here" in "".join(path.read_text() for path in (job / "log").iterdir()), "the script's log does not tell what was done")
    wait_for("a free queue", lambda: cluster.says("scancel", number) == "" and not cluster.says("squeue", "-h", "-t", "R"))


def main():
    fiducial = str(pathlib.Path(sys.argv[1]).resolve())
    missing = [name for name in ("munged", "slurmctld", "slurmd", "sbatch") if shutil.which(name) is None]
    if missing:
        skip(f"{', '.join(missing)} not installed (Debian: slurm-wlm munge)")
    if os.geteuid() != 0:
        skip("slurmd starts as root only")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "corpus").mkdir()
        cluster = Cluster(folder / "cluster")
        try:
            try:
                cluster.start()
            except (TimeoutError, OSError) as error:
                skip(f"Slurm does not start here: {error}\n{cluster.log()}")
            try:
                check(fiducial, cluster, folder)
            except (TimeoutError, SystemExit) as error:
                print(cluster.log())
                print("\n".join(path.read_text() for path in folder.glob("*/log/*.out")))
                raise SystemExit(f"{error}") from error
        finally:
            cluster.stop()
    print("passed")


if __name__ == "__main__":
    main()
