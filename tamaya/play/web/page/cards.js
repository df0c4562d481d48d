// Cards: faces with colour, shape and letter; backs with what is known.
import { bit, isCritical, isUseless, possible, range, ranksOf, suitsOf } from "./game.js";
import { Noted, noteOn, readNote } from "./notes.js";
import { actor, html, isLegal, isOver, legalMoves, mine, shown, state, update } from "./store.js";
import { cardName, hintName, knowledge, letter, suitClass } from "./words.js";

export const Shape = ({ suit }) => html`<svg class="shape" aria-hidden="true"><use href="#${suitClass(suit)}" /></svg>`;

export const HintSign = ({ clue }) =>
  html`<span class=${`sign ${clue.type ? "rank" : suitClass(clue.value)}`}>${clue.type ? clue.value : html`<${Shape} suit=${clue.value} />${letter(clue.value)}`}</span>`;

const Pips = ({ rules, mask }) => {
  const suits = range(suitsOf(rules)).filter((suit) => ranksOf(rules).some((rank) => mask & bit(suit, rank)));
  const ranks = ranksOf(rules).filter((rank) => range(suitsOf(rules)).some((suit) => mask & bit(suit, rank)));
  return html`<span class=${`pips ${suitsOf(rules) > 5 ? "six" : ""}`} aria-hidden="true">
    <span class="pip-suits">${range(suitsOf(rules)).map(
      (suit) => html`<span class=${`pip ${suitClass(suit)} ${suits.includes(suit) ? "" : "out"}`}><${Shape} suit=${suit} /></span>`,
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

const isSingle = (mask) => (mask & (mask - 1)) === 0;
const cardOf = (mask) => ({ suit: Math.floor(Math.log2(mask) / 5), rank: (Math.log2(mask) % 5) + 1 });

export function Card({ order, seat, slot, isAsKnown }) {
  const { rules } = state.room;
  const table = shown();
  const card = table.cards[order];
  const told = possible(rules, table, seat, order);
  const text = noteOn(order);
  const said = text ? readNote(rules, text) : { mark: "", mask: 0 };
  const single = isSingle(told);
  const seen = isAsKnown ? null : faceOf(order);
  // A note changes a card that we cannot see: to what it names, as far as that is possible.
  const isGuess = !seen && !single && said.mask !== 0;
  const mask = isGuess ? said.mask & told || said.mask : told;
  const face = seen || (isSingle(mask) ? cardOf(mask) : null);
  const isCertain = face && !isGuess && (isOver() || card.suit >= 0 || single);
  const critical = face && isCritical(rules, table, face.suit, face.rank);
  const useless = face && isUseless(rules, table, face.suit, face.rank);
  const isTouched = card.clues.length > 0;
  const words = [
    `slot ${slot}`,
    face ? `${isGuess ? "noted as " : ""}${cardName(face.suit, face.rank)}` : knowledge(rules, mask),
    isTouched ? `told ${card.clues.map(hintName).join(", ")}` : "",
    seat !== mine() && !isAsKnown && !single ? `its holder knows: ${knowledge(rules, told)}` : "",
    critical ? "last copy" : useless ? "of no more use" : "",
    text ? `note: ${text}` : "",
    said.mark,
  ];
  const isPreview = state.hint && state.target === seat && state.hint.touched.includes(order);
  const classes = ["card", face ? suitClass(face.suit) : "back", isTouched && "touched", useless && isCertain && "useless",
    state.picked === order && "picked", isPreview && "preview", isGuess && "guess", said.mark.replace(" ", "-")];
  return html`<button type="button" class=${classes.filter(Boolean).join(" ")} aria-label=${words.filter(Boolean).join("; ")}
      aria-pressed=${state.picked === order} data-order=${order} title=${words.filter(Boolean).join("\n")}
      onClick=${() => pick(order, seat)}>
    <${Arrow} card=${card} table=${table} />
    ${face
      ? html`<span class="face" aria-hidden="true"><span class="number">${face.rank}</span><span class="letter">${letter(face.suit)}</span><${Shape} suit=${face.suit} /></span>`
      : html`<span class="unknown" aria-hidden="true">?</span>`}
    ${!single && html`<${Pips} rules=${rules} mask=${isGuess && face ? told : mask} />`}
    ${critical && html`<span class="mark" aria-hidden="true">!</span>`}
    ${text && html`<${Noted} text=${text} mark=${said.mark} />`}
  </button>`;
}

function pick(order, seat) {
  const isSame = state.picked === order;
  const target = seat === actor() || isSame || !legalMoves().length ? null : seat;
  update({ picked: isSame ? null : order, target, hint: null });
}

export const canPlay = (order) => isLegal(0, order);
export const canDiscard = (order) => isLegal(1, order);
