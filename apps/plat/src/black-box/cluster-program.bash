#!/usr/bin/env bash
# Stands for kubectl or helm, by its own name: notes the call in calls/, and answers by the first script whose expression
# matches. Written for bash, since it starts in a twentieth of the time of Node.
here=${0%/*}
caller=$PPID
call=("${0##*/}" "$@")
line="${call[*]}"

input=
for word in "$@"; do
  if [[ $word == - ]]; then
    IFS= read -r -d '' input
    break
  fi
done

# Calls have the numbers in which they came, also those made at once. The last field is not empty: only then is it whole.
number=1000
set -o noclobber
until { : > "$here/calls/$number"; } 2> /dev/null; do number=$((number + 1)); done
set +o noclobber
printf '%s\0' "${#call[@]}" "${call[@]}" "$input" whole > "$here/calls/$number"

for script in "$here"/scripts/*; do
  if [[ -e $script/when && $line =~ $(< "$script/when") ]]; then
    cat "$script/stdout"
    cat "$script/stderr" >&2
    code=$(< "$script/code")
    signals=$(< "$script/signals")
    hangs=$(< "$script/hangs")
    if [[ -s $script/once ]]; then rm -r "$script"; fi
    if [[ -n $signals ]]; then kill -s "${signals#SIG}" "$caller"; fi
    # A caller that was killed cannot end its programs, and no test would.
    if [[ -n $signals$hangs ]]; then while kill -0 "$caller" 2> /dev/null; do sleep 0.1; done; fi
    exit "$code"
  fi
done
