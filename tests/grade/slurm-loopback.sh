#!/usr/bin/env bash
# A Slurm cluster of this machine only: slurmctld and two slurmd on the loopback, with everything in one folder.
#   slurm-loopback.sh start DIR   writes DIR/slurm.conf (export SLURM_CONF=...) and waits until both nodes are idle
#   slurm-loopback.sh kill DIR N  kills slurmd of node N (1 or 2) and what it runs, as a lost node. The controller would
#                                 see it within half a minute and start the task again two minutes later: it is told
#                                 at once, and told not to wait.
#   slurm-loopback.sh stop DIR
# Debian packages: slurmctld slurmd slurm-client munge. Needs root.
set -euo pipefail
what=$1 dir=$(realpath -m "$2")
export SLURM_CONF=$dir/slurm.conf

stop() {
  local f p
  for f in "$dir"/*.pid; do
    [ -e "$f" ] || continue
    p=$(cat "$f"); [ -n "$p" ] && kill -TERM "$p" 2>/dev/null || true
  done
  sleep 0.5
  for f in "$dir"/*.pid; do
    [ -e "$f" ] && kill -KILL "$(cat "$f")" 2>/dev/null || true
  done
}

case $what in
start)
  mkdir -p "$dir"/{state,spool1,spool2,munge}
  chmod 700 "$dir/munge"
  dd if=/dev/urandom of="$dir/munge/key" bs=64 count=1 status=none
  chmod 400 "$dir/munge/key"
  base=$((20000 + $$ % 10000 * 4))
  cat >"$dir/slurm.conf" <<C
ClusterName=loopback
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$base
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$dir/state
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd-%n.pid
SlurmdSpoolDir=$dir/spool-%n
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=6
SlurmctldTimeout=10
KillWait=2
InactiveLimit=0
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((base + 1)) CPUs=1 RealMemory=1000 State=UNKNOWN
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((base + 2)) CPUs=1 RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
C
  munged --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" --pid-file="$dir/munged.pid" \
    --log-file="$dir/munge/log" --seed-file="$dir/munge/seed" --num-threads=2
  slurmctld -f "$dir/slurm.conf" -i
  for n in 1 2; do mkdir -p "$dir/spool-n$n"; slurmd -f "$dir/slurm.conf" -N "n$n" -b; done
  for _ in $(seq 60); do
    [ "$(sinfo -h -N -o %T 2>/dev/null | grep -c '^idle$')" = 2 ] && exit 0
    sleep 0.5
  done
  sinfo -N >&2 || true
  tail -n 5 "$dir"/*.log >&2
  stop
  exit 1
  ;;
kill)
  p=$(cat "$dir/slurmd-n$3.pid")
  # The steps that the node runs are children of init, found by the spool folder in their environment.
  for s in $(pgrep -x slurmstepd || true); do
    if tr '\0' '\n' <"/proc/$s/environ" 2>/dev/null | grep -q "SLURM_CONF=$dir/slurm.conf" &&
      tr '\0' ' ' <"/proc/$s/cmdline" | grep -q "slurmstepd"; then
      for c in $(pgrep -P "$s" || true); do
        tr '\0' '\n' <"/proc/$c/environ" 2>/dev/null | grep -q "^SLURMD_NODENAME=n$3$" && { kill -KILL "$c" "$s" || true; }
      done
    fi
  done
  kill -KILL "$p"
  scontrol update NodeName="n$3" State=DOWN Reason=lost
  for _ in $(seq 50); do
    waiting=$(squeue --noheader --states=PD --array --format='%i %r' | sed -n 's/ BeginTime$//p')
    for j in $waiting; do scontrol update JobId="$j" StartTime=now; done
    [ -z "$waiting" ] || break
    sleep 0.2
  done
  ;;
stop) stop ;;
esac
