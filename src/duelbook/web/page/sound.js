// Short tones for moves and endings, made by the browser itself. They are off until the player turns them on.

/** @typedef {"own" | "other" | "won" | "lost" | "drawn"} Tone */

/** @type {Record<Tone, [hertz: number, start: number, seconds: number][]>} */
const TONES = {
  own: [[520, 0, 0.07]],
  other: [[390, 0, 0.09]],
  won: [
    [523, 0, 0.12],
    [659, 0.12, 0.12],
    [784, 0.24, 0.3],
  ],
  lost: [
    [392, 0, 0.18],
    [311, 0.18, 0.3],
  ],
  drawn: [
    [440, 0, 0.15],
    [440, 0.22, 0.2],
  ],
};
const VOLUME = 0.08;

/** @type {AudioContext | null} */
let context = null;

/**
 * Play a tone.
 * @param {Tone} name
 */
export function playTone(name) {
  context ??= new AudioContext();
  for (const [hertz, start, seconds] of TONES[name]) {
    const at = context.currentTime + start;
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.type = "triangle";
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(VOLUME, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + seconds);
  }
}
