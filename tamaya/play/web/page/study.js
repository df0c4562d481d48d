// A study: lines of play that leave a game at its turns, what the server tells of them, and how they compare.
import { actionOf, timeline } from "./game.js";
import { heardAnalysis } from "./analysis.js";
import { Link, save } from "./panels.js";
import { goTo, html, now, say, shown, shownTurn, state, update } from "./store.js";
import { names } from "./table.js";
import { inWords, nameSuits } from "./words.js";

const GAME = 0;

// The address says which turn of which line is shown: #12 is turn 12 of the game, #2.12 of line 2.
const found = location.hash.match(/^#(?:(\d+)\.)?(\d+)$/);
let wanted = found && { line: Number(found[1] || GAME), turn: Number(found[2]) };
let writing = null;

export function writeAddress() {
  clearTimeout(writing);
  writing = setTimeout(() => {
    const { line } = state.study;
    history.replaceState(null, "", `#${line === GAME ? "" : `${line}.`}${shownTurn()}`);
  }, 300);
}

export const hearOfStudy = {
  study(message) {
    const { id, rules, seats, record, busy } = message;
    nameSuits(message.colours, message.letters);
    const room = { id, rules, seats, seat: -1, delay: 0, invitations: {} };
    const before = state.study ?? { id, lines: {}, line: GAME, agent: "", links: {}, analyses: {} };
    update({ room, record, study: { ...before, busy } });
  },
  line(message) {
    const { line, parent, turn, since } = message;
    const old = since < 0 ? { events: [], makers: [] } : state.study.lines[line];
    const events = [...old.events, ...message.events];
    const one = { parent, turn, events, makers: [...old.makers, ...message.makers], states: timeline(state.room.rules, events) };
    const links = { ...state.study.links, [line]: undefined };
    update({ study: { ...state.study, links, lines: { ...state.study.lines, [line]: one } }, trouble: "" });
    if (line === state.study.line) update({ states: one.states });
    if (wanted && line === wanted.line && one.states.length > wanted.turn) {
      look(line, wanted.turn);
      wanted = null;
    }
  },
  gone({ line }) {
    const { [line]: dropped, ...lines } = state.study.lines;
    update({ study: { ...state.study, lines } });
    if (line === state.study.line) look(lines[dropped.parent] ? dropped.parent : GAME, dropped.turn);
  },
  shown({ line, turn }) {
    look(line, turn);
  },
  analysis: heardAnalysis,
  shared({ line, link }) {
    update({ study: { ...state.study, links: { ...state.study.links, [line]: link || "none" } } });
  },
};

// Shows a line at a turn; without one, at the turn that is looked at.
export function look(line, turn = shownTurn()) {
  update({ study: { ...state.study, line }, states: state.study.lines[line].states, asked: null, picked: null, target: null, hint: null });
  goTo(turn);
}

export function nextLine() {
  if (!state.study) return;
  const numbers = Object.keys(state.study.lines).map(Number);
  look(numbers[(numbers.indexOf(state.study.line) + 1) % numbers.length]);
}

const last = (one) => one.states.at(-1);
const difference = (one) => last(one).score - last(state.study.lines[GAME]).score;
const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "±0");

function title(agent) {
  return state.lobby?.bots.find((bot) => bot.agent === agent)?.title || agent;
}

// What makes a line differ: its first move of its own, and who played on.
function about(one) {
  const made = one.states[one.turn + 1];
  const players = [...new Set(one.makers.slice(one.turn))].map((agent) => (agent ? title(agent) : "you"));
  return made ? `${inWords(made.last, names())} (${players.join(", ")})` : "no move yet";
}

function LineRow({ number }) {
  const one = state.study.lines[number];
  const isShown = number === state.study.line;
  const end = last(one);
  const points = `${end.score}${end.mover < 0 ? "" : "…"}`;
  const words = number === GAME ? "the game" : `from turn ${one.turn}: ${about(one)}`;
  return html`<li class=${isShown ? "current" : ""}>
    <button type="button" class="pick" aria-current=${isShown} onClick=${() => look(number)}
      aria-label=${`${number === GAME ? "the game" : `line ${number}, ${words}`}: ${end.score} points${end.mover < 0 ? "" : " so far"}`}>
      <span class="points">${points}</span>${number !== GAME && html`<span class=${`gain ${difference(one) < 0 ? "bad" : difference(one) > 0 ? "good" : ""}`}>${signed(difference(one))}</span>`}
      <span class="what">${words}</span></button>
    ${number !== GAME && html`<button type="button" aria-label=${`where line ${number} parts`} title="go to where it parts" onClick=${() => look(number, one.turn)}>←${one.turn}</button>
      <button type="button" aria-label=${`delete line ${number}`} title="delete" onClick=${() => say("drop", { line: number })}>✕</button>`}</li>`;
}

function PlayOn() {
  const { study } = state;
  if (study.busy) return html`<p class="busy" role="status">${study.busy}… <button type="button" onClick=${() => say("stop")}>stop</button></p>`;
  if (shown().mover < 0 || !state.lobby) return null;
  const own = state.room.seats.map((seat) => seat.agent);
  const isKnown = own.every(Boolean) && new Set(own).size > 1;
  const chosen = study.agent || (isKnown ? "own" : own.every(Boolean) ? own[0] : state.lobby.bots[0].agent);
  const go = (moves) => say("continue", { line: study.line, turn: shownTurn(), agents: chosen === "own" ? own : [chosen], moves });
  return html`<div class="playon"><label>from here, let <select onChange=${(event) => update({ study: { ...study, agent: event.target.value } })}>
      ${isKnown && html`<option value="own" selected=${chosen === "own"}>those who played it</option>`}
      ${state.lobby.bots.map((bot) => html`<option value=${bot.agent} selected=${chosen === bot.agent}>${bot.title || bot.agent}</option>`)}</select></label>
    <button type="button" onClick=${() => go(1)}>make a move</button>
    <button type="button" onClick=${() => go(10_000)}>play on</button></div>`;
}

export function Lines() {
  return html`<section class="panel lines" aria-label="What if"><header><h2>What if?</h2></header>
    <p class="to">Turn ${shownTurn()} of ${now()}: make another move at the table, or let bots play.</p>
    <${PlayOn} />
    <ol>${Object.keys(state.study.lines).map((number) => html`<${LineRow} key=${number} number=${Number(number)} />`)}</ol>
  </section>`;
}

// The record of the line that is shown; whoever played the game has not played a branch.
function recordShown() {
  const { line } = state.study;
  if (line === GAME) return state.record;
  const { agents, ...tamaya } = state.record.tamaya ?? {};
  return { ...state.record, actions: state.states.slice(1).map((one) => actionOf(one.last)), tamaya: state.record.tamaya && tamaya };
}

export function StudyMenu() {
  const { line, links } = state.study;
  const seed = state.record.tamaya?.seed ?? state.record.seed;
  return html`<section class="panel menu" aria-label="Game"><header><h2>Game</h2></header>
    <div class="buttons">
      ${!links[line] && html`<button type="button" onClick=${() => say("share", { line })}>share link</button>`}
      <button type="button" onClick=${() => save(recordShown())}>save as JSON</button>
      <a class="button" href="/">new table</a>
      <button type="button" onClick=${() => update({ help: true })}>keys <kbd>?</kbd></button></div>
    ${links[line] && (links[line] === "none" ? html`<p>hanab.live does not know the rules of this game.</p>` : html`<${Link} label="share" to=${links[line]} />`)}
    ${seed != null && html`<p>seed <code>${String(seed)}</code></p>`}
  </section>`;
}
