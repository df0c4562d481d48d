// Notes on cards: kept in this browser, read as on hanab.live, and written into saved games.
import { bit, cardsIn, range, ranksOf, suitsOf } from "./game.js";
import { html, mine, state, update } from "./store.js";
import { colour, letter } from "./words.js";

const place = (id = state.room.id, game = state.game) => `notes ${id} ${game}`;
const kept = () => JSON.parse(localStorage.getItem(place()) || "{}");

export function note(order, text) {
  localStorage.setItem(place(), JSON.stringify({ seat: Math.max(0, mine()), ...kept(), [order]: text || undefined }));
  update({});
}

// Takes the notes of a table along to the study of its game.
export const moveNotes = (id) => localStorage.setItem(place(id, 0), JSON.stringify(kept()));

// Our note on a card, or else what the players of a recorded game have noted.
export function noteOn(order) {
  const own = kept()[order];
  if (own !== undefined) return own;
  const theirs = (state.record?.notes ?? []).map((row) => row?.[order]).filter(Boolean);
  return theirs.length ? theirs[0].slice(0, 60) : "";
}

// A record with our notes: hanab.live has one list of them per player, by the order of the cards.
export function withNotes(record) {
  const own = kept();
  const orders = Object.keys(own).filter((key) => key !== "seat").map(Number);
  if (!orders.length) return record;
  const notes = record.players.map((_, seat) => range(record.deck.length).map((order) => record.notes?.[seat]?.[order] ?? ""));
  for (const order of orders) notes[own.seat][order] = own[order];
  return { ...record, notes };
}

const MARKS = [
  ["trash", /^(kt|trash)$/],
  ["chop moved", /^(cm|chop ?moved?)$/],
  ["finessed", /^(f|finessed?)$/],
];

const escape = (text) => text.replace(/[^\w ]/g, "\\$&");

// The cards that a word such as r1, blue 3, 3 or !r2 leaves, as a mask; none if it names no card.
function cardsNamed(rules, word) {
  const suits = range(suitsOf(rules)).map((suit) => `${escape(colour(suit))}|${escape(letter(suit))}`);
  const found = word.match(new RegExp(`^(!?)(?:(?:(${suits.join(")|(")})) ?([1-5])?|([1-5]))$`, "i"));
  if (!found) return 0;
  const suit = found.slice(2, 2 + suits.length).findIndex(Boolean);
  const rank = Number(found.at(-2) || found.at(-1) || 0);
  const all = cardsIn(rules, -1);
  const named = all.filter((card) => ((suit < 0 || card.suit === suit) && (!rank || card.rank === rank)) === !found[1]);
  return named.reduce((mask, card) => mask | bit(card.suit, card.rank), 0);
}

// What a note says: a mark, and the cards that it leaves. What stands in brackets is read by itself; only what comes after the last stroke counts.
export function readNote(rules, text) {
  const newest = text.split("|").at(-1).trim().toLowerCase();
  const parts = [...newest.matchAll(/\[([^\]]*)\]/g)].map((one) => one[1].trim());
  parts.push(newest.replace(/\[[^\]]*\]/g, "").trim());
  const said = { mark: "", mask: 0 };
  for (const part of parts) {
    const mark = MARKS.find(([, pattern]) => pattern.test(part));
    if (mark) said.mark = mark[0];
    const masks = part.split(/[,/]\s*/).map((word) => cardsNamed(rules, word.trim()));
    if (!masks.length || masks.some((mask) => !mask)) continue;
    const isNegative = part.includes("!");
    said.mask = masks.reduce((all, mask) => (isNegative ? all & mask : all | mask));
  }
  return said;
}

export const Noted = ({ text, mark }) =>
  html`<span class=${`note ${mark.replace(" ", "-")}`}>${mark === "trash" ? "✕ " : ""}${text.split("|").at(-1).trim()}</span>`;

export const NoteField = ({ order }) => html`<label class="noting">note
  <input type="text" maxlength="60" value=${noteOn(order)} onInput=${(event) => note(order, event.target.value)} /></label>`;
