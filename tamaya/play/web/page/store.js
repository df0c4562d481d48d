// What the page knows and shows, and the connection to the table. Every change draws the page again.
import { h, render } from "./vendor/preact.mjs";
import htm from "./vendor/htm.mjs";
import { actionOf, legalAt, timeline } from "./game.js";
import { hearOfStudy, writeAddress } from "./study.js";

export const html = htm.bind(h);

export const state = {
  lobby: null, // the bots and rules of the server
  room: null, // the table and who sits there
  study: null, // the lines of play, if this is a study and no table
  game: 0, // which game of the table
  events: [], // what has happened in it, as our seat has seen it
  states: [], // the table after each turn
  legal: [], // our legal moves
  record: null, // the whole game, once it is over
  link: "", // its share link
  at: null, // the turn that is looked at; null for now
  picked: null, // our card, or somebody else's, by its order
  target: null, // the seat that a hint is for
  hint: null, // the hint that is being considered
  eyes: new Set(), // the seats whose hands are shown as they know them
  armed: null, // play (0) or discard (1), until a slot is named
  sent: null, // our move, until the server has made it
  reasons: {}, // why bots made their moves, by line and turn
  asked: null, // the turn whose reason is shown
  trouble: "",
  isConnected: true,
  onlyHints: false, // whether the list of moves shows hints only
  help: false,
};

let draw = () => {};
let isWaiting = false;

export function start(view) {
  const root = document.getElementById("root");
  root.textContent = "";
  draw = () => {
    isWaiting = false;
    render(view(state), root);
  };
  draw();
}

export function update(change) {
  Object.assign(state, change);
  if (!isWaiting) {
    isWaiting = true;
    requestAnimationFrame(draw);
  }
}

// The connection: it is opened again whenever it is lost, and the server then tells everything anew.
let socket = null;
let pause = 250;

export function connect(path) {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);
  socket.onopen = () => {
    pause = 250;
    update({ isConnected: true, study: state.study && { ...state.study, lines: {}, analyses: {} } });
    if (path.startsWith("/table")) say("sit", { token: location.hash.slice(1) });
  };
  socket.onmessage = (message) => hear(JSON.parse(message.data));
  socket.onclose = (closing) => {
    if (closing.code === 1008) return;
    update({ isConnected: false });
    setTimeout(() => connect(path), pause);
    pause = Math.min(5000, pause * 2);
  };
}

export const say = (type, fields = {}) =>
  socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify({ type, ...fields }));

const HEARD = {
  room(message) {
    if (message.token) history.replaceState(null, "", `#${message.token}`);
    update({ room: message });
  },
  news(message) {
    const isNew = message.since < 0;
    const events = isNew ? message.events : [...state.events, ...message.events];
    if (message.game !== state.game) update({ record: null, at: null, reasons: {}, asked: null, picked: null, target: null });
    update({ game: message.game, events, legal: message.legal, sent: null, hint: null });
    update({ states: timeline(state.room.rules, events), trouble: "" });
  },
  over(message) {
    update({ record: message.record, link: message.link, legal: [], at: state.at ?? state.states.length - 1 });
  },
  reason(message) {
    update({ reasons: { ...state.reasons, [`${message.game} ${message.turn}`]: message } });
  },
  trouble(message) {
    update({ trouble: message.text, legal: state.sent ? state.sent.legal : state.legal, sent: null });
  },
};

const hear = (message) => (HEARD[message.type] ?? hearOfStudy[message.type])?.(message);

export const now = () => state.states.length - 1;
export const shownTurn = () => Math.min(state.at ?? now(), now());
export const shown = () => state.states[shownTurn()];
export const isLive = () => shownTurn() === now();
export const isOver = () => state.record !== null;
export const mine = () => state.room.seat;

// Who moves by our hands: we at a table, and whoever is to move in a study.
export const actor = () => (state.study ? shown().mover : mine());
export const ownHand = () => shown().hands[actor()] ?? [];
export const legalMoves = () => (state.study ? (state.study.busy ? [] : legalAt(state.room.rules, shown())) : isLive() ? state.legal : []);
export const isLegal = (type, target, value = 0) =>
  legalMoves().some((one) => one.type === type && one.target === target && one.value === value);

const CHOSEN_NOTHING = { picked: null, hint: null, target: null, armed: null };

export function act(type, target, value = 0) {
  if (!isLegal(type, target, value)) return;
  const move = { type, target, value };
  if (state.study) tryMove(move);
  else {
    say("act", { turn: now(), move });
    update({ sent: { ...move, legal: state.legal }, legal: [], ...CHOSEN_NOTHING });
  }
}

// A move in a study; one that the line has already is only looked at.
function tryMove(move) {
  const next = state.states[shownTurn() + 1];
  const made = next && { value: 0, ...actionOf(next.last) };
  if (made && made.type === move.type && made.target === move.target && made.value === move.value) goTo(shownTurn() + 1);
  else say("try", { line: state.study.line, turn: shownTurn(), move });
  update(CHOSEN_NOTHING);
}

export const goTo = (turn) => {
  const to = Math.max(0, Math.min(now(), turn));
  update({ at: to === now() && (state.study || !isOver()) ? null : to, hint: null });
  if (state.study) writeAddress();
};

// The agent that made a move, as far as it can be asked.
export function maker(turn) {
  if (state.study) return state.study.lines[state.study.line]?.makers[turn];
  const seat = state.room.seats[state.states[turn + 1].last.player];
  return isOver() && (seat.agent || !seat.isPersons);
}

const place = () => `${state.study ? state.study.line : state.game}`;
export const reasonOf = (turn) => state.reasons[`${place()} ${turn}`];

export function ask(turn) {
  goTo(turn + 1);
  update({ asked: turn });
  if (reasonOf(turn)) return;
  if (state.study) say("explain", { line: state.study.line, turn });
  else say("why", { turn });
}
