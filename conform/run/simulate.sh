#!/bin/sh
# Written by `tilefly conform @COMMAND@`. Builds the device with the bench, and runs tests of the kit on it.
#
#   simulate.sh SIMULATOR [TEST ...]     verilator, questa, vcs or xcelium; without tests those of tests.txt
#
@ABOUT@# Exit code: 0 all tests pass, 1 some do not, 2 wrong use, or the simulator cannot build the device.
set -u
here=$(cd "$(dirname "$0")" && pwd)
simulator=${1:-}
[ $# -eq 0 ] || shift
@PREPARE@case $simulator in
  verilator | questa | vcs | xcelium) ;;
  *)
    echo "simulate.sh: '$simulator': verilator, questa, vcs or xcelium" >&2
    exit 2 ;;
esac
work=$here/$simulator
mkdir -p "$work" && cd "$work" || exit 2
case $simulator in
  verilator)
    verilator --binary --timing -j 2 --assert --x-assign unique --x-initial unique -Wno-fatal -Wno-lint --top-module tilefly_tb \
      --Mdir "$work" @VERILATOR@-f "$here/files.f" \
      > build.log 2>&1
    built=$?
    simulate() { ./Vtilefly_tb "$@"; } ;;
  questa)
    { vlib work && vlog -sv -f "$here/files.f"; } > build.log 2>&1
    built=$?
    simulate() { vsim -c @QUESTA@tilefly_tb "$@" -do "onfinish exit; run -all; exit -code 1"; } ;;
  vcs)
    vcs -full64 -sverilog -f "$here/files.f" @VCS@-top tilefly_tb -o simv > build.log 2>&1
    built=$?
    simulate() { ./simv "$@"; } ;;
  xcelium)
    xrun -64bit -sv -elaborate -f "$here/files.f" @XCELIUM@-top tilefly_tb > build.log 2>&1
    built=$?
    simulate() { xrun -64bit -R "$@"; } ;;
esac
if [ $built -ne 0 ]; then
  tail -n 20 build.log >&2
  echo "simulate.sh: $simulator cannot build the device; all of it: $work/build.log" >&2
  exit 2
fi
[ $# -gt 0 ] || set -- $(cat "$here/tests.txt")
failed=0
for test in "$@"; do
  log=$work/$test.log
  simulate @PLUSARGS@ > "$log" 2>&1
  line=$(grep -E '^(# )?(PASS|FAIL|UNDECIDED): ' "$log" | tail -n 1 | sed 's/^# //')
  echo "${line:-FAIL: $test: the simulation ended without a verdict; all of it: $log}"
  case $line in PASS:*) ;; *) failed=1 ;; esac
done
exit $failed
