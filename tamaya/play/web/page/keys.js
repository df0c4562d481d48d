// The keys, which are those of hanab.live.
import { act, actor, goTo, isLegal, legalMoves, now, ownHand, shownTurn, state, update } from "./store.js";
import { nextLine } from "./study.js";
import { consider, give } from "./table.js";
import { hintColours, range } from "./game.js";

const COLOUR_KEYS = "qwerty";

function useSlot(slot) {
  const order = ownHand()[slot - 1];
  if (order !== undefined) act(state.armed, order);
  update({ armed: null });
}

function nextTarget() {
  const { players } = state.room.rules;
  const from = state.target ?? actor();
  for (const offset of range(players + 1, 1)) {
    const seat = (from + offset) % players;
    if (seat !== actor() && legalMoves().some((one) => one.type > 1 && one.target === seat)) {
      update({ target: seat, picked: null, hint: null, armed: null });
      return;
    }
  }
}

function arm(kind) {
  const { picked } = state;
  if (picked !== null && ownHand().includes(picked) && isLegal(kind, picked)) act(kind, picked);
  else if (legalMoves().length) update({ armed: kind, target: null, hint: null, picked: null });
}

function digit(number) {
  if (state.armed !== null) useSlot(number);
  else if (state.target !== null) number <= state.room.rules.ranks && consider(state.target, { type: 1, value: number });
  else if (ownHand()[number - 1] !== undefined) update({ picked: ownHand()[number - 1] });
}

function colour(index) {
  const suit = hintColours(state.room.rules)[index];
  if (suit === undefined) return;
  if (state.target === null && state.room.rules.players === 2) nextTarget();
  if (state.target !== null) consider(state.target, { type: 0, value: suit });
}

function forget() {
  update({ armed: null, target: null, hint: null, picked: null, help: false });
}

const rounds = (count) => goTo(shownTurn() + count * state.room.rules.players);

const KEYS = {
  a: () => arm(0), "+": () => arm(0), d: () => arm(1), "-": () => arm(1), ";": nextTarget,
  Enter: () => state.hint && give(state.target, state.hint),
  n: nextLine, Escape: forget, "?": () => update({ help: !state.help }),
  ArrowLeft: () => goTo(shownTurn() - 1), ArrowRight: () => goTo(shownTurn() + 1),
  "[": () => rounds(-1), "]": () => rounds(1), Home: () => goTo(0), End: () => goTo(now()),
  " ": () => update({ eyes: new Set([...state.eyes, "all"]) }),
};

const isTyping = (element) => element.matches("input[type=text], select, textarea");
const isControl = (element) => element.matches("button, a, input, summary");

export function press(event) {
  const { key, target } = event;
  if (!state.states.length || isTyping(target) || event.altKey || event.metaKey) return;
  if (event.ctrlKey && key !== "Enter") return;
  if (state.help && key !== "Escape" && key !== "?") return;
  const isOwn = isControl(target);
  if (isOwn && (key === " " || (key === "Enter" && !event.ctrlKey && !state.hint))) return;
  if (target.matches("input[type=range]") && key.startsWith("Arrow")) return;
  if (key === "Tab") {
    if (isOwn || event.shiftKey || !legalMoves().length) return;
    nextTarget();
  } else if (/^[1-6]$/.test(key)) digit(Number(key));
  else if (COLOUR_KEYS.includes(key)) colour(COLOUR_KEYS.indexOf(key));
  else if (KEYS[key]) KEYS[key]();
  else return;
  event.preventDefault();
}

export function release(event) {
  if (event.key !== " " || !state.eyes.has("all")) return;
  const eyes = new Set(state.eyes);
  eyes.delete("all");
  update({ eyes });
}
