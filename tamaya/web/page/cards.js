// Cards: faces with colour, shape and letter; backs with what is known.
import { bit, isCritical, isUseless, possible, range, ranksOf, suitsOf } from "./game.js";
import { html, isLegal, isOver, mine, notes, shown, state, update } from "./store.js";
import { LETTERS, cardName, hintName, knowledge } from "./words.js";

export const Shape = ({ suit }) => html`<svg class="shape" aria-hidden="true"><use href="#suit${suit}" /></svg>`;

export const HintSign = ({ clue }) =>
  html`<span class=${`sign ${clue.type ? "rank" : `suit${clue.value}`}`}>${clue.type ? clue.value : html`<${Shape} suit=${clue.value} />${LETTERS[clue.value]}`}</span>`;

const Pips = ({ rules, mask }) => {
  const suits = range(suitsOf(rules)).filter((suit) => ranksOf(rules).some((rank) => mask & bit(suit, rank)));
  const ranks = ranksOf(rules).filter((rank) => range(suitsOf(rules)).some((suit) => mask & bit(suit, rank)));
  return html`<span class=${`pips ${suitsOf(rules) > 5 ? "six" : ""}`} aria-hidden="true">
    <span class="pip-suits">${range(suitsOf(rules)).map(
      (suit) => html`<span class=${`pip suit${suit} ${suits.includes(suit) ? "" : "out"}`}><${Shape} suit=${suit} /></span>`,
    )}</span>
    <span class="pip-ranks">${ranksOf(rules).map((rank) => html`<span class=${`pip ${ranks.includes(rank) ? "" : "out"}`}>${rank}</span>`)}</span>
  </span>`;
};

// What we may see of a card: its face, or, once the game is over, whatever the deck had there.
export function faceOf(order) {
  const card = shown().cards[order];
  if (card.suit >= 0) return card;
  const hidden = state.record?.deck[order];
  return hidden ? { suit: hidden.suitIndex, rank: hidden.rank } : null;
}

// The hint that touched a card since our last move: dark if it was the first to touch it.
const Arrow = ({ card, table }) => {
  const clue = card.clues.at(-1);
  if (!clue || table.turn - clue.turn >= Math.max(1, state.room.rules.players - 1)) return null;
  return html`<span class=${`arrow ${card.clues.length === 1 ? "fresh" : ""}`} aria-hidden="true"><${HintSign} clue=${clue} /></span>`;
};

export function Card({ order, seat, slot, isAsKnown }) {
  const { rules } = state.room;
  const table = shown();
  const card = table.cards[order];
  const mask = possible(rules, table, seat, order);
  const single = (mask & (mask - 1)) === 0;
  const known = single ? { suit: Math.floor(Math.log2(mask) / 5), rank: (Math.log2(mask) % 5) + 1 } : null;
  const face = isAsKnown ? known : faceOf(order) || known;
  const isCertain = face && (isOver() || card.suit >= 0 || single);
  const critical = face && isCritical(rules, table, face.suit, face.rank);
  const useless = face && isUseless(rules, table, face.suit, face.rank);
  const isTouched = card.clues.length > 0;
  const text = notes()[order];
  const words = [
    `slot ${slot}`,
    face ? cardName(face.suit, face.rank) : knowledge(rules, mask),
    isTouched ? `told ${card.clues.map(hintName).join(", ")}` : "",
    seat !== mine() && !isAsKnown && !single ? `its holder knows: ${knowledge(rules, mask)}` : "",
    critical ? "last copy" : useless ? "of no more use" : "",
    text ? `note: ${text}` : "",
  ];
  const isPreview = state.hint && state.target === seat && state.hint.touched.includes(order);
  const classes = ["card", face ? `suit${face.suit}` : "back", isTouched && "touched", useless && isCertain && "useless",
    state.picked === order && "picked", isPreview && "preview"];
  return html`<button type="button" class=${classes.filter(Boolean).join(" ")} aria-label=${words.filter(Boolean).join("; ")}
      aria-pressed=${state.picked === order} data-order=${order} title=${words.filter(Boolean).join("\n")}
      onClick=${() => pick(order, seat)}>
    <${Arrow} card=${card} table=${table} />
    ${face
      ? html`<span class="face" aria-hidden="true"><span class="number">${face.rank}</span><span class="letter">${LETTERS[face.suit]}</span><${Shape} suit=${face.suit} /></span>`
      : html`<span class="unknown" aria-hidden="true">?</span>`}
    ${!single && html`<${Pips} rules=${rules} mask=${mask} />`}
    ${critical && html`<span class="mark" aria-hidden="true">!</span>`}
    ${text && html`<span class="note">${text}</span>`}
  </button>`;
}

function pick(order, seat) {
  const isSame = state.picked === order;
  const target = seat === mine() || isSame || !state.legal.length ? null : seat;
  update({ picked: isSame ? null : order, target, hint: null });
}

export const canPlay = (order) => isLegal(0, order);
export const canDiscard = (order) => isLegal(1, order);
