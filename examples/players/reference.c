// A player for Duelbook in C: the reference for the protocol (docs/programs.md). It needs C99 and POSIX, nothing else.
// It searches Crystal Capture, and plays every other game at random, by the seed of the match.
//
//     cc -std=c99 -O2 -o reference examples/players/reference.c
//     duelbook check-player ./reference
//     duelbook play crystal-capture --p2 process:./reference

#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// JSON: enough to find a value in a line that Duelbook wrote

// Return the place after the value that begins here.
static const char *after(const char *at) {
    int nested = 0;
    do {
        if (*at == '"') {
            for (at++; *at && *at != '"'; at++)
                if (*at == '\\' && at[1])
                    at++;
        } else if (*at == '{' || *at == '[')
            nested++;
        else if (*at == '}' || *at == ']')
            nested--;
        at++;
    } while (*at && (nested > 0 || !strchr(",]}", *at)));
    return at;
}

// Return the value of a field of the object that begins here, or NULL.
static const char *field(const char *object, const char *name) {
    size_t length = strlen(name);
    for (const char *at = object; *at && *at != '}'; at = after(at)) {
        at += strspn(at, "{, ");
        if (*at != '"')
            return NULL;
        const char *key = at + 1;
        at = strchr(key, '"');
        int found = (size_t)(at - key) == length && !strncmp(key, name, length);
        at += 1 + strspn(at + 1, ": ");
        if (found)
            return at;
    }
    return NULL;
}

static int is_text(const char *value, const char *text) {
    size_t length = strlen(text);
    return value && *value == '"' && !strncmp(value + 1, text, length) && value[length + 1] == '"';
}

static long number(const char *value) { return value ? strtol(value, NULL, 10) : 0; }

// Return the next value of a list, or NULL at its end. Begin with the list itself.
static const char *next(const char *at) {
    at = *at == '[' ? at + 1 : after(at);
    at += strspn(at, ", ");
    return *at == ']' || !*at ? NULL : at;
}

// Crystal Capture: the player to move and the opponent hold some points, and want exactly the goal

static const long MAX_POSITIONS = 2000000; // after which the search stops; a count, so that it never depends on time
static long goal, positions;
static int deadlock_draws, cut_off;

// Return what the position is worth to the player to move: 1 for a win, 0 for a draw or unknown, -1 for a loss.
static int search(uint32_t pool, long mine, long theirs, int seat, int depth, int alpha, int beta) {
    positions++;
    if (theirs == goal)
        return -1;
    uint32_t room = goal - mine >= 32 ? ~0u : (1u << (goal - mine)) - 1;
    uint32_t room_of_both = goal - theirs >= 32 ? ~0u : room | ((1u << (goal - theirs)) - 1);
    if (!(pool & room_of_both)) { // nobody can capture another crystal
        if (deadlock_draws)
            return 0;
        return mine == theirs ? (seat ? 1 : -1) : mine > theirs ? 1 : -1;
    }
    if (depth == 0 || positions > MAX_POSITIONS) {
        cut_off = 1;
        return 0;
    }
    if (!(pool & room)) // a pass
        return -search(pool, theirs, mine, 1 - seat, depth - 1, -beta, -alpha);
    for (int crystal = 31; crystal >= 0; crystal--) {
        if (!(pool & room & (1u << crystal)))
            continue;
        int value = -search(pool & ~(1u << crystal), theirs, mine + crystal + 1, 1 - seat, depth - 1, -beta, -alpha);
        alpha = value > alpha ? value : alpha;
        if (alpha >= beta)
            break;
    }
    return alpha;
}

// Search deeper and deeper, say what was found, and return the best of the legal moves.
static const char *best_crystal(const char *turn) {
    const char *state = field(turn, "state"), *best = NULL;
    int seat = is_text(field(turn, "seat"), "second"), value = -2;
    const char *totals = field(state, "totals");
    long points[2] = {number(next(totals)), number(next(next(totals)))};
    uint32_t pool = 0;
    for (const char *at = next(field(state, "pool")); at; at = next(at))
        pool |= 1u << (number(at) - 1);
    goal = number(field(state, "goal"));
    positions = 0;
    cut_off = 1;
    for (int depth = 1; cut_off && positions < MAX_POSITIONS; depth++) {
        const char *found = NULL;
        int highest = -2;
        cut_off = 0;
        for (const char *at = next(field(turn, "legal")); at; at = next(at)) {
            int crystal = (int)strtol(at + 1, NULL, 10) - 1;
            int worth = -search(pool & ~(1u << crystal), points[1 - seat], points[seat] + crystal + 1, 1 - seat,
                                depth - 1, -1, highest < -1 ? 1 : -highest);
            if (worth > highest) {
                highest = worth;
                found = at;
            }
        }
        if (positions > MAX_POSITIONS && best)
            break; // this depth was not finished
        best = found;
        value = highest;
        printf("{\"type\": \"info\", \"evaluation\": %d, \"depth\": %d}\n", value, depth);
        if (value == 1)
            break;
    }
    printf("{\"type\": \"info\", \"text\": \"%ld positions searched\"}\n", positions);
    return best;
}

// Any other game

static uint64_t random_state;

static const char *random_move(const char *turn) {
    const char *legal = field(turn, "legal"), *chosen = NULL;
    int count = 0;
    for (const char *at = next(legal); at; at = next(at)) {
        random_state = random_state * 6364136223846793005u + 1442695040888963407u;
        if ((random_state >> 33) % ++count == 0) // each move with the same chance
            chosen = at;
    }
    return chosen;
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    int searches = 0;
    setvbuf(stdout, NULL, _IOLBF, 1 << 16); // every line is sent at once
    puts("{\"type\": \"hello\", \"protocol\": 1, \"name\": \"Reference in C\", \"author\": \"Duelbook\", "
         "\"can\": [\"matches\", \"seed\", \"info\"]}");
    while (getline(&line, &size, stdin) > 0) {
        const char *type = field(line, "type");
        if (is_text(type, "game")) {
            const char *options = field(line, "options");
            searches = is_text(field(line, "game"), "crystal-capture");
            deadlock_draws = options && is_text(field(options, "deadlock"), "draw");
            random_state = strtoull(field(line, "seed"), NULL, 10);
            puts("{\"type\": \"ready\"}"); // whatever takes long goes before this line
        } else if (is_text(type, "turn")) {
            const char *move = searches ? best_crystal(line) : random_move(line);
            printf("{\"move\": %.*s}\n", (int)(after(move) - move), move);
        } // a result needs no answer, and a type that is not known gets none
    }
    free(line);
    return 0;
}
