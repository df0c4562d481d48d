// The table: how the game stands, the fireworks, the hands, and what we can do.
import { Card, HintSign, Shape, canDiscard, canPlay, faceOf } from "./cards.js";
import { bit, deckSize, hintColours, pace, range, ranksOf, reachable, touchedBy } from "./game.js";
import { NoteField } from "./notes.js";
import { bringTable } from "./replays.js";
import { act, actor, goTo, html, isLegal, isLive, isOver, legalMoves, mine, now, ownHand, say, shown, shownTurn, state, update } from "./store.js";
import { colour, ending, hintName, inWords, letter, suitClass } from "./words.js";

export const names = () => state.room.seats.map((seat) => seat.name);

const Token = ({ label, value, title, tone }) =>
  html`<div class=${`token ${tone || ""}`} title=${title}><span class="value">${value}</span><span class="label">${label}</span></div>`;

export function Status() {
  const { rules } = state.room;
  const table = shown();
  const left = deckSize(rules) - table.drawn;
  return html`<section class="status" aria-label="How the game stands">
    <${Token} label="score" value=${`${table.score}/${table.maxScore}`} title="points, and how many can still be reached" />
    <${Token} label="hints" value=${`${table.clues}/${rules.hint_tokens}`} tone=${table.clues ? "" : "bad"} title="hint tokens" />
    <${Token} label="strikes" value=${`${table.strikes}/${rules.lives}`} tone=${table.strikes ? "bad" : ""} title="lives lost" />
    <${Token} label="deck" value=${left} tone=${left ? "" : "bad"} title="cards left to draw" />
    <${Token} label="pace" value=${pace(rules, table)} title="how many discards the team can still afford" />
  </section>`;
}

export function Fireworks() {
  const { rules } = state.room;
  const table = shown();
  return html`<section class="fireworks" aria-label="Fireworks">${table.fireworks.map((top, suit) => {
    const end = reachable(rules, table, suit);
    return html`<div class=${`stack ${suitClass(suit)} ${top ? "" : "empty"}`} aria-label=${`${colour(suit)}: ${top || "nothing"} of ${end}`} role="img">
      <span class="number">${top}</span><span class="letter">${letter(suit)}</span><${Shape} suit=${suit} />
      ${end < rules.ranks && html`<span class="limit">≤${end}</span>`}
    </div>`;
  })}</section>`;
}

function Bot({ seat, number }) {
  if (seat.agent) return html`<span class="badge" title=${seat.convention}>bot: ${seat.title}</span>`;
  if (!seat.isTaken) return html`<span class="badge wait">not here yet</span>`;
  return seat.isHere || number === mine() ? null : html`<span class="badge wait">away</span>`;
}

function look(seat, isLooking) {
  const eyes = new Set(state.eyes);
  isLooking ? eyes.add(seat) : eyes.delete(seat);
  update({ eyes });
}

// A hand is shown as its holder knows it as long as the button is held; a short press keeps it so until the next one.
const HOLD = 300;
let held = { since: 0, wasOn: false };

const looking = (seat) => ({
  onPointerDown: () => {
    held = { since: performance.now(), wasOn: state.eyes.has(seat) };
    look(seat, true);
  },
  onPointerLeave: () => held.since && look(seat, held.wasOn),
  onClick: (event) => {
    const isByKey = event.detail === 0;
    look(seat, isByKey ? !state.eyes.has(seat) : !held.wasOn && performance.now() - held.since < HOLD);
    held = { since: 0, wasOn: false };
  },
});

export function Hand({ number }) {
  const seat = state.room.seats[number];
  const table = shown();
  const isMine = number === mine();
  const isAsKnown = state.eyes.has(number) || (state.eyes.has("all") && !isMine) || (isMine && !isOver());
  const isMover = table.mover === number;
  return html`<section class=${["hand", isMine && "mine", isMover && "mover", state.target === number && "target"].filter(Boolean).join(" ")}
      aria-label=${`Hand of ${seat.name}${isMine ? ", you" : ""}${isMover ? ", to move" : ""}`}>
    <header><span class="who">${isMover && html`<span class="turn" aria-hidden="true">▶</span>`}<b>${seat.name}</b>${isMine && " (you)"}</span>
      <${Bot} seat=${seat} number=${number} />
      ${(!isMine || isOver()) && html`<button type="button" class="eye" aria-pressed=${state.eyes.has(number)} ...${looking(number)}
        title="Show the hand as its holder knows it: press, or hold (all: hold Space)">what ${seat.name} knows</button>`}
    </header>
    <div class="cards">${table.hands[number].map((order, place) =>
      html`<${Card} key=${order} order=${order} seat=${number} slot=${place + 1} isAsKnown=${isAsKnown} />`)}</div>
  </section>`;
}

export function Hands() {
  const { players } = state.room.rules;
  const own = Math.max(0, mine());
  const order = range(players).map((offset) => (own + offset + (mine() >= 0 ? 1 : 0)) % players);
  return html`<div class=${`hands of${players}`}>${order.map((number) => html`<${Hand} key=${number} number=${number} />`)}</div>`;
}

// The cards of a hand that a hint would touch.
export const wouldTouch = (seat, clue) =>
  shown().hands[seat].filter((order) => {
    const face = faceOf(order);
    return face && touchedBy(state.room.rules, clue) & bit(face.suit, face.rank);
  });

export const consider = (seat, clue) => update({ target: seat, hint: clue && { ...clue, touched: wouldTouch(seat, clue) } });
export const give = (seat, clue) => act(clue.type ? 3 : 2, seat, clue.value);

const HintButton = ({ seat, clue }) => html`<button type="button" class="hint" disabled=${!isLegal(clue.type ? 3 : 2, seat, clue.value)}
  aria-label=${`Tell ${names()[seat]} ${hintName(clue)}`} onClick=${() => give(seat, clue)}
  onMouseEnter=${() => consider(seat, clue)} onFocus=${() => consider(seat, clue)} onMouseLeave=${() => consider(seat, null)}>
  <${HintSign} clue=${clue} /></button>`;

function Hints({ seat }) {
  const { rules } = state.room;
  return html`<div class="hints" role="group" aria-label=${`Hints to ${names()[seat]}`}>
    <span class="to">Tell ${names()[seat]}</span>
    <span class="row">${hintColours(rules).map((suit) => html`<${HintButton} seat=${seat} clue=${{ type: 0, value: suit }} />`)}</span>
    <span class="row">${ranksOf(rules).map((rank) => html`<${HintButton} seat=${seat} clue=${{ type: 1, value: rank }} />`)}</span>
  </div>`;
}

function Invitation() {
  const others = range(state.room.rules.players).filter((seat) => seat !== actor());
  if (!legalMoves().length) return null;
  return html`<span class="to">${state.study ? `What if? A card of ${names()[actor()]}, or a hint to` : "Choose one of your cards, or whom to tell:"}</span>
    ${others.map((seat) => html`<button type="button" onClick=${() => update({ target: seat, picked: null })}
      disabled=${!legalMoves().some((one) => one.type > 1 && one.target === seat)}>${names()[seat]}</button>`)}`;
}

// The hints that have touched a card, each with the turn to go to.
const Told = ({ order }) => {
  const { clues } = shown().cards[order];
  return clues.length > 0 && html`<span class="to">told ${clues.map((clue) => html`<button type="button" class="jump" onClick=${() => goTo(clue.turn)}
    aria-label=${`told ${hintName(clue)} at turn ${clue.turn}; go there`}><${HintSign} clue=${clue} /> turn ${clue.turn}</button>`)}</span>`;
};

const About = ({ order }) => html`<${NoteField} order=${order} /><${Told} order=${order} />`;

function Choices() {
  if (state.picked !== null && ownHand().includes(state.picked)) {
    const slot = ownHand().indexOf(state.picked) + 1;
    return html`<div class="choices"><span class="to">${state.study ? `Slot ${slot} of ${names()[actor()]}` : `Your slot ${slot}`}</span>
      <button type="button" class="big" disabled=${!canPlay(state.picked)} onClick=${() => act(0, state.picked)}>Play <kbd>a</kbd></button>
      <button type="button" class="big" disabled=${!canDiscard(state.picked)} onClick=${() => act(1, state.picked)}>Discard <kbd>d</kbd></button>
      <${About} order=${state.picked} /></div>`;
  }
  if (state.armed !== null)
    return html`<div class="choices"><span class="to">${state.armed ? "Discard" : "Play"} which slot? Press <kbd>1</kbd> to <kbd>${ownHand().length}</kbd>.</span></div>`;
  return html`<div class="choices">${state.target === null ? html`<${Invitation} />` : html`<${Hints} seat=${state.target} />`}
    ${state.picked !== null && html`<${About} order=${state.picked} />`}</div>`;
}

function headline() {
  const table = shown();
  if (!isLive()) return `Turn ${shownTurn()} of ${now()}`;
  if (table.mover < 0) return ending(table, state.room.rules);
  if (state.study) return `${names()[table.mover]} is to move${state.study.line ? "" : "; the record ends here"}`;
  if (state.sent) return "…";
  const seat = state.room.seats[table.mover];
  if (table.mover === mine() && !seat.agent) return "Your turn";
  return `${seat.name} ${seat.agent ? "thinks" : seat.isTaken ? "is to move" : "has not come yet"}…`;
}

export function Banner() {
  const table = shown();
  const words = headline();
  const isOurs = words === "Your turn";
  document.title = `${isOurs ? "● Your turn" : isOver() ? `${table.score} points` : words} – tamaya`;
  return html`<div class=${`banner ${isOurs ? "ours" : ""} ${isLive() ? "" : "past"}`}>
    <p role="status" aria-live="polite"><b>${words}</b>${table.last && html` <span class="said">${inWords(table.last, names())}</span>`}</p>
    ${!isLive() && !isOver() && html`<button type="button" onClick=${() => goTo(now())}>back to now</button>`}
    ${state.trouble && html`<p class="trouble" role="alert">${state.trouble}</p>`}
    ${!state.isConnected && html`<p class="trouble" role="alert">The connection is lost; trying again…</p>`}
  </div>`;
}

export function Actions() {
  if (state.study) return html`<${Choices} />`;
  if (isOver()) return html`<div class="choices"><button type="button" class="big primary" onClick=${bringTable}>replay, what if, analysis</button></div>`;
  const seat = state.room.seats[mine()];
  if (!seat || !isLive()) return null;
  if (seat.agent)
    return html`<div class="choices"><span class="to">A bot plays for you.</span>
      <button type="button" class="big" onClick=${() => say("return")}>Take my seat back</button></div>`;
  return html`<${Choices} />`;
}

export function Slider() {
  return html`<div class="slider">
    <button type="button" aria-label="first turn" onClick=${() => goTo(0)}>«</button>
    <button type="button" aria-label="turn before" onClick=${() => goTo(shownTurn() - 1)}>‹</button>
    <input type="range" min="0" max=${now()} value=${shownTurn()} aria-label="turn" aria-valuetext=${`turn ${shownTurn()} of ${now()}`}
      onInput=${(event) => goTo(Number(event.target.value))} />
    <button type="button" aria-label="next turn" onClick=${() => goTo(shownTurn() + 1)}>›</button>
    <button type="button" aria-label="last turn" onClick=${() => goTo(now())}>»</button>
  </div>`;
}
