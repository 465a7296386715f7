# Verdicts, their error rates and forecasts against simulated truth: the short
# form of tests/perf/verdicts.sh, the same numbers each time.
. "$(dirname "$0")/../lib.sh"

n=${LONG:+20}
for kind in gauss heavy modes drift bursts; do
	run "$B/verdicts-sim" series "${n:-3}" 11 $kind
	status 0 "$kind: effects of 1 % found, no false verdict, forecasts"
	run "$B/verdicts-sim" comparisons "${LONG:+10}80" 11 $kind
	status 0 "$kind: false alarms, coverage, sameness"
done
done_testing
