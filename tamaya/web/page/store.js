// What the page knows and shows, and the connection to the table. Every change draws the page again.
import { h, render } from "./vendor/preact.mjs";
import htm from "./vendor/htm.mjs";
import { timeline } from "./game.js";

export const html = htm.bind(h);

export const state = {
  lobby: null, // the bots and rules of the server
  room: null, // the table and who sits there
  game: 0, // which game of the table
  events: [], // what has happened in it, as our seat has seen it
  states: [], // the table after each turn
  legal: [], // our legal moves
  record: null, // the whole game, once it is over
  at: null, // the turn that is looked at; null for now
  picked: null, // our card, or somebody else's, by its order
  target: null, // the seat that a hint is for
  hint: null, // the hint that is being considered
  eyes: new Set(), // the seats whose hands are shown as they know them
  armed: null, // play (0) or discard (1), until a slot is named
  sent: null, // our move, until the server has made it
  reasons: {}, // why bots made their moves, by turn
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

export function connect(id) {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/table/${id}`);
  socket.onopen = () => {
    pause = 250;
    update({ isConnected: true });
    say("sit", { token: location.hash.slice(1) });
  };
  socket.onmessage = (message) => hear(JSON.parse(message.data));
  socket.onclose = (closing) => {
    if (closing.code === 1008) return;
    update({ isConnected: false });
    setTimeout(() => connect(id), pause);
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
    update({ record: message.record, legal: [], at: state.at ?? state.states.length - 1 });
  },
  reason(message) {
    update({ reasons: { ...state.reasons, [message.turn]: message } });
  },
  trouble(message) {
    update({ trouble: message.text, legal: state.sent ? state.sent.legal : state.legal, sent: null });
  },
};

const hear = (message) => HEARD[message.type]?.(message);

export const now = () => state.states.length - 1;
export const shownTurn = () => Math.min(state.at ?? now(), now());
export const shown = () => state.states[shownTurn()];
export const isLive = () => shownTurn() === now();
export const isOver = () => state.record !== null;
export const mine = () => state.room.seat;

export const isLegal = (type, target, value = 0) =>
  isLive() && state.legal.some((one) => one.type === type && one.target === target && one.value === value);

export function act(type, target, value = 0) {
  if (!isLegal(type, target, value)) return;
  say("act", { turn: now(), move: { type, target, value } });
  update({ sent: { type, target, value, legal: state.legal }, legal: [], picked: null, hint: null, target: null, armed: null });
}

export const goTo = (turn) => {
  const to = Math.max(0, Math.min(now(), turn));
  update({ at: to === now() && !isOver() ? null : to, hint: null });
};

export function ask(turn) {
  update({ asked: turn, at: turn + 1 });
  if (!state.reasons[turn]) say("why", { turn });
}

// Notes are kept in this browser only.
const place = () => `notes ${state.room.id} ${state.game}`;
export const notes = () => JSON.parse(localStorage.getItem(place()) || "{}");
export function note(order, text) {
  localStorage.setItem(place(), JSON.stringify({ ...notes(), [order]: text || undefined }));
  update({});
}
