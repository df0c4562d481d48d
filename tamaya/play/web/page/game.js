// The table after each turn, worked out from the events that our seat has seen. A card is known by its order in the deck.

export const suitsOf = (rules) => rules.colours + (rules.multicolour !== "none");
export const bit = (suit, rank) => 1 << (suit * 5 + rank - 1);
export const isWild = (rules, suit) => rules.multicolour === "wild" && suit === rules.colours;
export const hintColours = (rules) => range(suitsOf(rules)).filter((suit) => !isWild(rules, suit));
export const range = (end, start = 0) => Array.from({ length: end - start }, (_, index) => start + index);
export const ranksOf = (rules) => range(rules.ranks + 1, 1);

export function copies(rules, suit, rank) {
  if (rules.multicolour === "single" && suit === suitsOf(rules) - 1) return 1;
  return rank === 1 ? 3 : rank === rules.ranks ? 1 : 2;
}

export function deckSize(rules) {
  return range(suitsOf(rules)).reduce((sum, suit) => sum + ranksOf(rules).reduce((all, rank) => all + copies(rules, suit, rank), 0), 0);
}

const allCards = (rules) =>
  range(suitsOf(rules)).reduce((mask, suit) => mask | ranksOf(rules).reduce((all, rank) => all | bit(suit, rank), 0), 0);

// The cards that a hint of hanab.live's type (0 colour, 1 rank) touches, as a mask.
export function touchedBy(rules, clue) {
  let mask = 0;
  for (const suit of range(suitsOf(rules)))
    for (const rank of ranksOf(rules))
      if (clue.type ? rank === clue.value : suit === clue.value || isWild(rules, suit)) mask |= bit(suit, rank);
  return mask;
}

function first(rules) {
  return {
    turn: 0, mover: 0, clues: rules.hint_tokens, score: 0, maxScore: 0, strikes: 0, drawn: 0,
    hands: range(rules.players).map(() => []), cards: {}, fireworks: range(suitsOf(rules)).map(() => 0), lost: [], last: null,
  };
}

function take(state, event) {
  const hand = state.hands[event.playerIndex];
  state.hands[event.playerIndex] = hand.filter((order) => order !== event.order);
  const { suitIndex: suit, rank } = event;
  state.cards[event.order] = { ...state.cards[event.order], suit, rank };
  state.last = { ...event, player: event.playerIndex, suit, slot: hand.indexOf(event.order) + 1 };
}

const APPLY = {
  draw(state, event, rules) {
    state.hands[event.playerIndex] = [event.order, ...state.hands[event.playerIndex]];
    state.cards[event.order] = { suit: event.suitIndex, rank: event.rank, possible: allCards(rules), clues: [] };
    state.drawn = Math.max(state.drawn, event.order + 1);
  },
  play(state, event) {
    take(state, event);
    state.fireworks[event.suitIndex] = event.rank;
  },
  discard(state, event) {
    take(state, event);
    state.lost = [...state.lost, event.order];
  },
  strike(state, event) {
    state.strikes = event.num;
  },
  clue(state, event, rules) {
    const mask = touchedBy(rules, event.clue);
    const fresh = event.list.filter((order) => !state.cards[order].clues.length);
    const slots = [];
    state.hands[event.target].forEach((order, place) => {
      const card = state.cards[order];
      const isTouched = event.list.includes(order);
      if (isTouched) slots.push(place + 1);
      const clues = isTouched ? [...card.clues, { ...event.clue, turn: state.turn + 1 }] : card.clues;
      state.cards[order] = { ...card, clues, possible: card.possible & (isTouched ? mask : ~mask) };
    });
    state.last = { ...event, player: event.giver, fresh, slots };
  },
  status(state, event) {
    Object.assign(state, { clues: event.clues, score: event.score, maxScore: event.maxScore });
  },
  turn(state, event) {
    Object.assign(state, { turn: event.num, mover: event.currentPlayerIndex });
  },
};

const copyOf = (state) => ({
  ...state, hands: [...state.hands], cards: { ...state.cards }, fireworks: [...state.fireworks], last: null,
});

export function timeline(rules, events) {
  const states = [];
  let state = first(rules);
  for (const event of events) {
    APPLY[event.type]?.(state, event, rules);
    if (event.type === "turn") {
      states.push(state);
      state = copyOf(state);
    }
  }
  return states;
}

// What is known about the cards that lie on the table, by counting.
export function lostCopies(state) {
  const count = {};
  for (const order of state.lost) {
    const { suit, rank } = state.cards[order];
    count[bit(suit, rank)] = (count[bit(suit, rank)] || 0) + 1;
  }
  return count;
}

export function reachable(rules, state, suit) {
  const lost = lostCopies(state);
  let top = state.fireworks[suit];
  while (top < rules.ranks && (lost[bit(suit, top + 1)] || 0) < copies(rules, suit, top + 1)) top += 1;
  return top;
}

// The legal moves of whoever is to move, in hanab.live's numbers, if all cards are shown.
export function legalAt(rules, state) {
  if (state.mover < 0) return [];
  const own = state.hands[state.mover];
  const moves = own.map((target) => ({ type: 0, target, value: 0 }));
  if (state.clues < rules.hint_tokens || rules.discard_at_limit) moves.push(...own.map((target) => ({ type: 1, target, value: 0 })));
  const clues = [...hintColours(rules).map((value) => ({ type: 0, value })), ...ranksOf(rules).map((value) => ({ type: 1, value }))];
  for (const target of range(state.clues ? rules.players : 0).filter((seat) => seat !== state.mover))
    for (const clue of clues) {
      const mask = touchedBy(rules, clue);
      const isTouched = (order) => mask & bit(state.cards[order].suit, state.cards[order].rank);
      if (rules.empty_hints || state.hands[target].some(isTouched)) moves.push({ type: clue.type + 2, target, value: clue.value });
    }
  return moves;
}

// A move that was made, in hanab.live's numbers.
export const actionOf = (last) =>
  last.type === "clue"
    ? { type: last.clue.type + 2, target: last.target, value: last.clue.value }
    : { type: last.type === "play" || last.failed ? 0 : 1, target: last.order };

export const isPlayable = (state, suit, rank) => state.fireworks[suit] === rank - 1;
export const isUseless = (rules, state, suit, rank) => rank <= state.fireworks[suit] || rank > reachable(rules, state, suit);
export const isCritical = (rules, state, suit, rank) =>
  !isUseless(rules, state, suit, rank) && (lostCopies(state)[bit(suit, rank)] || 0) === copies(rules, suit, rank) - 1;

// What a card can be for its holder: by hints, and by counting what both its holder and we can see.
export function possible(rules, state, seat, order) {
  const seen = {};
  const see = (suit, rank) => suit >= 0 && (seen[bit(suit, rank)] = (seen[bit(suit, rank)] || 0) + 1);
  state.fireworks.forEach((top, suit) => ranksOf(rules).forEach((rank) => rank <= top && see(suit, rank)));
  state.lost.forEach((lost) => see(state.cards[lost].suit, state.cards[lost].rank));
  state.hands.forEach((hand, holder) => holder !== seat && hand.forEach((held) => see(state.cards[held].suit, state.cards[held].rank)));
  let mask = state.cards[order].possible;
  for (const suit of range(suitsOf(rules)))
    for (const rank of ranksOf(rules)) if ((seen[bit(suit, rank)] || 0) >= copies(rules, suit, rank)) mask &= ~bit(suit, rank);
  return mask || state.cards[order].possible;
}

export const cardsIn = (rules, mask) =>
  range(suitsOf(rules)).flatMap((suit) => ranksOf(rules).filter((rank) => mask & bit(suit, rank)).map((rank) => ({ suit, rank })));

export const pace = (rules, state) => state.score + deckSize(rules) - state.drawn + rules.players - state.maxScore;
