#!/bin/sh
# A player for Duelbook written in shell. It plays the last of the legal moves.
# duelbook play crystal-capture --p2 process:examples/players/last_move.sh

echo '{"type": "hello", "protocol": 1, "name": "Last move", "author": "Duelbook"}'
while read -r line; do
    case $line in
    *'"type": "game"'*)
        echo '{"type": "ready"}'
        ;;
    *'"type": "turn"'*)
        line=${line%'"]}'}                            # the legal moves are last in the line
        printf '{"move": "%s"}\n' "${line##*'"'}"
        ;;
    esac
done
