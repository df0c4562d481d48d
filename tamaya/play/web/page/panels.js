// Beside the table: what was said and done, the discards, the reasons of bots, the settings, the keys.
import { HintSign, Shape } from "./cards.js";
import { copies, isUseless, lostCopies, bit, range, ranksOf, suitsOf } from "./game.js";
import { Cost, costWords } from "./analysis.js";
import { withNotes } from "./notes.js";
import { ask, goTo, html, isOver, maker, mine, reasonOf, say, shown, shownTurn, state, update } from "./store.js";
import { names } from "./table.js";
import { colour, inWords, letter, suitClass } from "./words.js";

const Did = ({ last }) => {
  const who = names()[last.player];
  if (last.type === "clue")
    return html`<b>${who}</b> → ${names()[last.target]} <${HintSign} clue=${last.clue} /> <small>${last.slots.length ? `slot ${last.slots.join(", ")}` : "no card"}</small>`;
  const verb = last.type === "play" ? "plays" : last.failed ? "misplays" : "discards";
  return html`<b>${who}</b> ${verb} <span class=${`chip ${suitClass(last.suit)}`}><${Shape} suit=${last.suit} />${letter(last.suit)}${last.rank}</span>`;
};

function Entry({ table }) {
  const turn = table.turn;
  const canAsk = maker(turn - 1);
  return html`<li class=${[shownTurn() === turn && "current", table.last.failed && "bad"].filter(Boolean).join(" ")}
      ref=${(element) => shownTurn() === turn && element && stayVisible(element)}>
    <button type="button" onClick=${() => (canAsk ? ask(turn - 1) : goTo(turn))} aria-current=${shownTurn() === turn}
      aria-label=${`turn ${turn}: ${inWords(table.last, names())}${costWords(turn - 1)}${canAsk ? "; why?" : ""}`}>
      <span class="num">${turn}</span><span class="did"><${Did} last=${table.last} /></span><${Cost} turn=${turn - 1} />${canAsk && html`<span class="why" aria-hidden="true">why?</span>`}</button>
  </li>`;
}

function stayVisible(element) {
  const list = element.parentElement;
  if (element.offsetTop < list.scrollTop || element.offsetTop + element.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = element.offsetTop - list.clientHeight / 2;
}

export function Log() {
  const entries = state.states.slice(1).filter((table) => !state.onlyHints || table.last.type === "clue");
  return html`<section class="log panel" aria-label="Moves">
    <header><h2>Moves</h2><label><input type="checkbox" checked=${state.onlyHints} onChange=${(event) => update({ onlyHints: event.target.checked })} /> hints only</label></header>
    <ol tabindex="-1">${entries.map((table) => html`<${Entry} key=${table.turn} table=${table} />`)}</ol>
  </section>`;
}

export function Discards() {
  const { rules } = state.room;
  const table = shown();
  const lost = lostCopies(table);
  return html`<section class="discards panel" aria-label="Discards"><header><h2>Discards</h2><small>${table.lost.length}</small></header>
    ${range(suitsOf(rules)).map((suit) => {
      const ranks = ranksOf(rules).filter((rank) => lost[bit(suit, rank)]);
      const words = ranks.map((rank) => `${lost[bit(suit, rank)]} of ${copies(rules, suit, rank)} ${rank}s`).join(", ");
      return html`<div class=${`row ${suitClass(suit)}`} aria-label=${`${colour(suit)}: ${words || "none"}`} role="img"><${Shape} suit=${suit} /><span class="letter">${letter(suit)}</span>
        ${ranks.flatMap((rank) => range(lost[bit(suit, rank)]).map((index) => {
          const isLast = lost[bit(suit, rank)] === copies(rules, suit, rank) && index === 0 && rank > table.fireworks[suit];
          const isNext = !isUseless(rules, table, suit, rank) && lost[bit(suit, rank)] === copies(rules, suit, rank) - 1;
          return html`<span class=${`chip ${isLast ? "dead" : isNext ? "critical" : ""}`}>${rank}${isLast ? "✕" : isNext ? "!" : ""}</span>`;
        }))}</div>`;
    })}</section>`;
}

export function Reason() {
  if (state.asked === null || !isOver()) return null;
  const reason = reasonOf(state.asked);
  const table = state.states[state.asked + 1];
  if (!table) return null;
  return html`<section class="reason panel" aria-label="Why" aria-live="polite"><header><h2>Why?</h2>
      <button type="button" onClick=${() => update({ asked: null })} aria-label="close">✕</button></header>
    <p>${inWords(table.last, names())}.</p>
    ${!reason ? html`<p>…</p>` : html`<ul>${reason.lines.map((line) => html`<li>${line}</li>`)}</ul>
    ${reason.candidates.length > 0 && html`<table><thead><tr><th>move</th><th>value</th><th>tried</th></tr></thead>
      <tbody>${reason.candidates.slice(0, 8).map((one) => html`<tr class=${one.move === reason.made ? "made" : ""}><td>${reason.words[one.move]}</td>
        <td>${one.value.toFixed(2)}${one.standard_error === null ? "" : ` ± ${one.standard_error.toFixed(2)}`}</td><td>${one.visits}</td></tr>`)}</tbody></table>`}`}
  </section>`;
}

const DELAYS = [0, 0.5, 1.5, 3];
const link = (token = "") => `${location.origin}/table/${state.room.id}${token && `#${token}`}`;

export function Link({ label, to }) {
  const copy = (event) => {
    event.target.previousElementSibling.select();
    navigator.clipboard?.writeText(to);
  };
  return html`<label class="link">${label}<input type="text" readonly value=${to} onFocus=${(event) => event.target.select()} />
    <button type="button" onClick=${copy}>copy</button></label>`;
}

export function Invitations() {
  const open = Object.entries(state.room.invitations);
  return open.length > 0 && html`<section class="panel invitations" aria-label="Invitations"><header><h2>Invite</h2></header>
    <p>Send each link to one person. It works once.</p>
    ${open.map(([seat, token]) => html`<${Link} label=${names()[seat]} to=${link(token)} />`)}</section>`;
}

function Takeover({ seat, number }) {
  const bot = state.lobby?.bots[0].agent;
  if (!seat.isPersons || seat.agent || !bot) return null;
  const isMine = number === mine();
  if (!isMine && seat.isHere) return null;
  return html`<button type="button" onClick=${() => say("replace", { seat: number, agent: bot })}>
    let a bot play for ${isMine ? "me" : seat.name}</button>`;
}

export function save(record) {
  const file = new Blob([JSON.stringify(withNotes(record))], { type: "application/json" });
  const anchor = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: `tamaya-${state.room.id}.json` });
  anchor.click();
  URL.revokeObjectURL(anchor.href);
}

const deal = (fresh) => (isOver() || confirm("Give up this game?")) && say("again", { fresh });

export function Menu() {
  const { room } = state;
  const isSeated = mine() >= 0;
  const people = room.seats.filter((seat) => seat.isPersons).length;
  const mayDeal = isSeated && (isOver() || people === 1);
  return html`<section class="panel menu" aria-label="Table"><header><h2>Table</h2></header>
    ${isSeated && html`<label>bots wait <select value=${room.delay} onChange=${(event) => say("pace", { seconds: Number(event.target.value) })}>
      ${[...new Set([...DELAYS, room.delay])].sort((one, other) => one - other).map((delay) => html`<option value=${delay} selected=${delay === room.delay}>${delay} s</option>`)}</select></label>`}
    <div class="buttons">
      ${mayDeal && html`<button type="button" onClick=${() => deal(false)}>same deal again</button>
        <button type="button" onClick=${() => deal(true)}>new deal</button>`}
      ${isSeated && !isOver() && room.seats.map((seat, number) => html`<${Takeover} seat=${seat} number=${number} />`)}
      <a class="button" href="/">new table</a>
      <button type="button" onClick=${() => update({ help: true })}>keys <kbd>?</kbd></button>
    </div>
    ${isOver() && html`<p>seed <code>${String(state.record.tamaya?.seed ?? "")}</code> <button type="button" onClick=${() => save(state.record)}>save as JSON</button></p>
      ${state.link && html`<${Link} label="share" to=${state.link} />`}`}
    <${Link} label="to watch" to=${link()} />
    ${room.seats.some((seat) => seat.agent) && html`<details open=${!isOver()}><summary>how the bots play</summary><ul>${[
      ...new Map(room.seats.filter((seat) => seat.agent).map((seat) => [seat.agent, seat])).values(),
    ].map((seat) => html`<li><b>${seat.title}</b>: ${seat.convention}</li>`)}</ul></details>`}
  </section>`;
}

const KEYS = [
  ["a or +, then 1–5", "play the card in a slot"],
  ["d or -, then 1–5", "discard the card in a slot"],
  ["; or Tab", "choose whom to tell"],
  ["1–5", "a rank to tell"],
  ["q w e r t y", "a colour to tell"],
  ["Enter or Ctrl+Enter", "give the hint"],
  ["Esc", "think again"],
  ["← →", "a turn back or on"],
  ["[ ]", "a round back or on"],
  ["Home End", "first turn, now"],
  ["n", "the next line of a study"],
  ["Space (hold)", "all hands as their holders know them"],
  ["?", "these keys"],
];

export const Help = () =>
  state.help && html`<div class="veil" onClick=${() => update({ help: false })}><section class="panel help" role="dialog" aria-modal="true" aria-label="Keys" onClick=${(event) => event.stopPropagation()}>
    <header><h2>Keys</h2><button type="button" ref=${(element) => element?.focus()} onClick=${() => update({ help: false })} aria-label="close">✕</button></header>
    <dl>${KEYS.map(([keys, what]) => html`<dt><kbd>${keys}</kbd></dt><dd>${what}</dd>`)}</dl></section></div>`;
