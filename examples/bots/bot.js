// A bot in JavaScript, the twin of bot.py: it plays what it knows, tells of what is playable, or discards.
// It speaks the protocol of docs/bots.md. In this folder: tamaya match "pipe(node bot.js)"

const readline = require("readline");

const PLAY = 0, DISCARD = 1, COLOUR = 2;

// What one seat has seen of a game; a card is known by its order, its place in the deck.
class Table {
  constructor(init) {
    const suits = init.rules.colours + (init.rules.multicolour === "none" ? 0 : 1);
    this.hands = init.playerNames.map(() => []);
    this.fireworks = Array(suits).fill(0);
    this.cards = {}; // the suit and rank of each card that it sees
    this.told = {}; // the suit and rank that hints have named of each card, or null
  }

  hear(event) {
    const hand = this.hands[event.playerIndex];
    if (event.type === "draw") {
      hand.push(event.order);
      this.cards[event.order] = [event.suitIndex, event.rank];
      this.told[event.order] = [null, null];
    } else if (event.type === "play" || event.type === "discard") {
      hand.splice(hand.indexOf(event.order), 1);
      if (event.type === "play") this.fireworks[event.suitIndex] = event.rank;
    } else if (event.type === "clue") {
      for (const order of event.list) this.told[order][event.clue.type] = event.clue.value;
    }
  }

  // Whether a card comes next; if its suit is not known, whether it does in every suit.
  isPlayable([suit, rank]) {
    const tops = suit === null ? this.fireworks : [this.fireworks[suit]];
    return rank !== null && tops.every((top) => top === rank - 1);
  }

  // Whether a hint says something new about a playable card.
  isNews(order, hint) {
    const which = hint.type - COLOUR;
    const isTouched = this.cards[order][which] === hint.value;
    return isTouched && this.told[order][which] === null && this.isPlayable(this.cards[order]);
  }

  // How good a move is: a safe play, then a useful hint, then a discard, the oldest card first.
  worth(move) {
    if (move.type === PLAY) return this.isPlayable(this.told[move.target]) ? 3 : -1;
    if (move.type === DISCARD) return 1 - move.target / 100;
    return this.hands[move.target].some((order) => this.isNews(order, move)) ? 2 : 0;
  }
}

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");
let table = null;

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    say({ type: "hello", protocol: 1, name: "example in JavaScript" });
  } else if (message.type === "init") {
    table = new Table(message);
  } else if (message.type === "act") {
    say(message.legal.reduce((best, move) => (table.worth(move) > table.worth(best) ? move : best)));
  } else {
    table.hear(message);
  }
});
