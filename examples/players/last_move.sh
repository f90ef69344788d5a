#!/bin/sh
# A player for Duelbook that needs nothing but a shell: of the legal moves it plays the last one.
# duelbook play crystal-capture --p2 process:examples/players/last_move.sh

while read -r line; do
    case $line in
    *'"type": "turn"'*)
        line=${line%'"]}'}                            # what is legal stands last in the line
        printf '{"move": "%s"}\n' "${line##*'"'}"
        ;;
    esac
done
