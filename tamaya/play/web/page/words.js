// What things are called.
import { cardsIn } from "./game.js";

// The suits by their numbers; games of hanab.live bring names of their own.
let colours = ["red", "yellow", "green", "white", "blue", "multi"];
let letters = "RYGWBM";
export const nameSuits = (names, initials) => ([colours, letters] = [names, initials]);

export const colour = (suit) => colours[suit];
export const letter = (suit) => letters[suit];
export const suitClass = (suit) => `suit${letters[suit]}`;
export const cardName = (suit, rank) => `${colours[suit]} ${rank}`;
export const short = (suit, rank) => `${letters[suit]}${rank}`;
export const hintName = (clue) => (clue.type ? String(clue.value) : colours[clue.value]);

export const listing = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

export function inWords(last, names) {
  const who = names[last.player];
  if (last.type === "clue") {
    const slots = last.slots.length ? `slot${last.slots.length > 1 ? "s" : ""} ${listing(last.slots)}` : "no card";
    return `${who} tells ${names[last.target]} ${hintName(last.clue)}: ${slots}`;
  }
  const verb = last.type === "play" ? "plays" : last.failed ? "misplays" : "discards";
  return `${who} ${verb} ${cardName(last.suit, last.rank)} from slot ${last.slot}`;
}

export function knowledge(rules, mask) {
  const cards = cardsIn(rules, mask);
  if (cards.length === 1) return cardName(cards[0].suit, cards[0].rank);
  if (cards.length <= 6) return `one of ${cards.map((one) => short(one.suit, one.rank)).join(" ")}`;
  const suits = [...new Set(cards.map((one) => one.suit))];
  const ranks = [...new Set(cards.map((one) => one.rank))];
  const parts = [];
  if (suits.length < rules.colours) parts.push(suits.length === 1 ? colours[suits[0]] : suits.map(letter).join(""));
  if (ranks.length < rules.ranks) parts.push(ranks.length === 1 ? `a ${ranks[0]}` : `${ranks.join("/")}`);
  return parts.length ? parts.join(", ") : "unknown";
}

export function ending(state, rules) {
  const best = rules.colours + (rules.multicolour !== "none");
  if (state.score === best * rules.ranks) return `Tamaya! A perfect game: ${state.score} points.`;
  if (state.strikes >= rules.lives) return `The last life is lost at ${state.score} points.`;
  return `The game is over: ${state.score} of ${best * rules.ranks} points.`;
}
