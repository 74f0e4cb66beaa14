/* The sounds of the table, made on the spot: each short, each with a twin that can be seen. */

import { habits, keepHabit } from "./habits.js";
import { all } from "./page.js";
import { word } from "./words.js";

/** @type {Record<string, number>} */
const LEVELS = { off: 0, quiet: 25, full: 80 };
const names = Object.keys(LEVELS);
let volume = +(habits.volume ?? localStorage.getItem("volume") ?? LEVELS.quiet); // 0 to 100
const level = () => (!volume ? "off" : volume > 50 ? "full" : "quiet");
/** @type {AudioContext} */
let context;
/** @type {AudioBuffer | undefined} */
let hiss;

/** @type {Sounds} */
const sounds = {
  tick: [["rub", 0, 0.025, 4200, 0.8], ["rub", 0.05, 0.02, 5200, 0.5]],
  turn: [["bell", 0, 0.38, 988, 0.5]],
  late: [["bell", 0, 0.2, 784, 0.5], ["bell", 0.18, 0.2, 784, 0.5]],
  over: [["tone", 0, 0.14, 294, 0.5], ["tone", 0.12, 0.14, 349, 0.5], ["tone", 0.24, 0.16, 440, 0.5]],
};

/** A game adds its own sounds, by the names that its boards give.
@param {Sounds} more */
export const sounding = (more) => Object.assign(sounds, more);

/** Play a sound, as loud as the player likes. */
export function play(name = "") {
  if (!volume || !sounds[name] || document.visibilityState === "hidden" && name !== "turn") return;
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  context.resume();
  for (const [kind, after, lasts, pitch, loud, glide] of sounds[name]) {
    const start = context.currentTime + after;
    if (kind === "rub") sound(rub(pitch), start, lasts, loud);
    else sound(tone(pitch, glide, start, lasts), start, lasts, loud);
    if (kind === "bell") sound(tone(pitch * 2.76), start, lasts / 2, loud / 3);
  }
}

/** @type {Sings} */
function sound([source, end = source], start, lasts, loud) {
  const gain = context.createGain();
  gain.gain.setValueAtTime((loud * volume) / 100, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + lasts);
  end.connect(gain).connect(context.destination);
  source.start(start);
  source.stop(start + lasts);
}

/** @param {number} pitch @returns {Voice} */
function tone(pitch, glide = 0, start = 0, lasts = 0) {
  const tone = new OscillatorNode(context, { type: "sine", frequency: pitch });
  if (glide) tone.frequency.setValueAtTime(pitch, start), tone.frequency.linearRampToValueAtTime(glide, start + lasts);
  return [tone];
}

/** @param {number} pitch @returns {Voice} */
function rub(pitch) {
  if (!hiss) {
    hiss = context.createBuffer(1, context.sampleRate / 4, context.sampleRate);
    const data = hiss.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  }
  const source = new AudioBufferSourceNode(context, { buffer: hiss });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 1.2 });
  source.connect(filter);
  return [source, filter];
}

/** @param {number} value */
function set(value) {
  volume = value;
  localStorage.setItem("volume", String(volume));
  keepHabit("volume", String(volume));
  show();
  play("tick");
}

function show() {
  const label = word(`sound-${level()}`);
  for (const button of all("[data-sound-button]")) {
    button.dataset.level = level();
    button.setAttribute("aria-label", label);
    button.title = label;
  }
  for (const slider of all("input[data-volume]")) {
    slider.value = String(volume);
    if (slider.parentElement) slider.parentElement.hidden = false;
  }
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-sound-button]")) set(LEVELS[names[(names.indexOf(level()) + 1) % names.length]]);
});
document.addEventListener("change", ({ target }) => target.matches("[data-volume]") && set(Number(target.value)));
show();
