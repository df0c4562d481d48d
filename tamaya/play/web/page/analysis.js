// The analysis of a line: the curve of the expected score, the cost of each move, and what the search would have done.
import { range } from "./game.js";
import { goTo, html, say, shownTurn, state, update } from "./store.js";
import { names } from "./table.js";

export function heardAnalysis(message) {
  const { line, since } = message;
  const old = since ? state.study.analyses[line].moves : [];
  const one = { ...message, moves: [...old.slice(0, since), ...message.moves] };
  update({ study: { ...state.study, analyses: { ...state.study.analyses, [line]: one } } });
}

const shownAnalysis = () => state.study?.analyses[state.study.line];
const analysisOf = (turn) => shownAnalysis()?.moves[turn]?.analysis;

const mistakesIn = (one) => one.moves.map(({ analysis }) => analysis).filter((each) => each.is_mistake);
const points = (number) => number.toFixed(1);
const costOf = (one) => `${one.cost > 0 ? "−" : "+"}${Math.abs(one.cost).toFixed(1)}`;

// How bad a move was, for the list of moves.
export function Cost({ turn }) {
  const one = analysisOf(turn);
  if (!one || one.best === one.made || Math.abs(one.cost) < 0.05) return null;
  return html`<span class=${`cost ${one.is_mistake ? "mistake" : ""}`} title="points that the move has cost">${one.is_mistake ? "✗ " : ""}${costOf(one)}</span>`;
}

export const costWords = (turn) => {
  const one = analysisOf(turn);
  return one?.is_mistake ? `; a mistake that costs ${one.cost.toFixed(1)} points` : "";
};

const WIDTH = 320;
const HEIGHT = 120;

// The expected score before each move that was analysed, and the score in the end.
function curveOf(one) {
  const values = one.moves.map(({ analysis }) => [analysis.turn, analysis.expected]);
  const isWhole = one.points !== null && one.moves.length === state.study.lines[one.line].states.length - 1;
  return isWhole ? [...values, [values.length, one.points]] : values;
}

function Curve({ one }) {
  const { rules } = state.room;
  const best = (rules.colours + (rules.multicolour !== "none")) * rules.ranks;
  const turns = state.states.length - 1;
  const x = (turn) => 24 + (turn / Math.max(1, turns)) * (WIDTH - 30);
  const values = curveOf(one);
  const game = state.study.line && state.study.analyses[0] ? curveOf(state.study.analyses[0]) : [];
  const low = 5 * Math.floor(Math.max(0, Math.min(best - 1, ...[...values, ...game].map(([, score]) => score - 1)) / 5));
  const step = Math.max(1, Math.ceil((best - low) / 5));
  const y = (score) => HEIGHT - 16 - ((Math.max(low, score) - low) / (best - low)) * (HEIGHT - 24);
  const path = (pairs) => pairs.map(([turn, score], index) => `${index ? "L" : "M"}${x(turn).toFixed(1)} ${y(score).toFixed(1)}`).join("");
  const steps = one.inReach.flatMap(({ bound }, turn) => (turn ? [[turn, one.inReach[turn - 1].bound], [turn, bound]] : [[0, bound]]));
  const choose = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    goTo(Math.round((((event.clientX - box.left) / box.width) * WIDTH - 24) / (WIDTH - 30) * turns));
  };
  const words = values.length ? `from ${points(values[0][1])} at turn ${values[0][0]} to ${points(values.at(-1)[1])} at turn ${values.at(-1)[0]}` : "";
  return html`<svg class="curve" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${`Expected score by turn, ${words}`} onClick=${choose}>
    ${range(best + 1, low).filter((score) => (best - score) % step === 0).map((score) => html`<line class="grid" x1="24" x2=${WIDTH - 6} y1=${y(score)} y2=${y(score)} />
      <text x="20" y=${y(score) + 4} text-anchor="end">${score}</text>`)}
    <path class="reach" d=${path(steps)} /><path class="game" d=${path(game.filter(([turn]) => turn <= turns))} /><path class="expected" d=${path(values)} />
    ${mistakesIn(one).map((each) => html`<circle class="mistake" cx=${x(each.turn)} cy=${y(each.expected)} r="3.5" />`)}
    <line class="here" x1=${x(shownTurn())} x2=${x(shownTurn())} y1="4" y2=${HEIGHT - 16} />
    <text x="24" y=${HEIGHT - 3}>turn 0</text><text x=${WIDTH - 6} y=${HEIGHT - 3} text-anchor="end">${turns}</text></svg>`;
}

const isHint = (move) => move.startsWith("tell");

// Exact chances, with one row for all moves that leave the same; one hint stands for all.
function Chances({ one, words }) {
  const rows = new Map();
  for (const each of one.chances) {
    const isMade = each.move === one.made || (isHint(each.move) && isHint(one.made));
    const name = isHint(each.move) ? "any hint" : words[each.move].replace(" its ", " the ");
    const key = `${each.perfect} ${each.points}`;
    const row = rows.get(key) ?? { ...each, moves: [], isMade: false };
    rows.set(key, { ...row, moves: [...row.moves, name], isMade: row.isMade || isMade });
  }
  const named = (moves) => (rows.size === 1 ? "every move" : moves.join(", "));
  return html`<table><thead><tr><th>exact chances</th><th>perfect</th><th>points</th></tr></thead>
    <tbody>${[...rows.values()].map((row) => html`<tr class=${row.isMade ? "made" : ""}><td>${named(row.moves)}${row.isMade && rows.size > 1 ? " (made)" : ""}</td>
      <td>${(100 * row.perfect).toFixed(0)} %</td><td>${row.points.toFixed(2)}</td></tr>`)}</tbody></table>`;
}

// The move that led to the turn that is shown: what it has cost, and what the search would have done.
function Verdict({ move }) {
  if (!move) return null;
  const { analysis: one, words } = move;
  const isBest = one.best === one.made;
  const tryBest = () => say("try", { line: state.study.line, turn: one.turn, move: move.best });
  return html`<div class="verdict"><p><b>Move ${one.turn + 1}</b>, expected ${one.expected.toFixed(2)} ± ${one.expected_error.toFixed(2)}:
      ${isBest ? " the search does the same." : html` the search would ${words[one.best].replace(" its ", " the ")}.
      The move made costs <b>${one.cost.toFixed(2)} ± ${one.error.toFixed(2)}</b> points${one.is_mistake ? ": a mistake" : ""}.`}</p>
    <div class="buttons"><button type="button" onClick=${() => goTo(one.turn)}>try again from turn ${one.turn}</button>
      ${!isBest && html`<button type="button" onClick=${tryBest}>make the move of the search</button>`}</div>
    ${one.chances.length > 0 && html`<${Chances} one=${one} words=${words} />`}
    ${one.candidates.length > 0 && html`<details><summary>what the search thought</summary><table><thead><tr><th>move</th><th>value</th><th>tried</th></tr></thead>
      <tbody>${one.candidates.slice(0, 8).map((each) => html`<tr class=${each.move === one.made ? "made" : ""}><td>${words[each.move]}</td>
        <td>${each.value.toFixed(2)}${each.standard_error === null ? "" : ` ± ${each.standard_error.toFixed(2)}`}</td><td>${each.visits}</td></tr>`)}</tbody></table></details>`}</div>`;
}

function lostWords(one, best) {
  if (!one.inReach.length) return "";
  if (one.lost === 0) return `This deal never allowed ${best} points.`;
  if (one.lost) return `With all cards face up, ${best} points were in reach until move ${one.lost}.`;
  return one.inReach.at(-1).score === best ? "" : `No move is known that put ${best} points out of reach.`;
}

export function Analysis() {
  const { study } = state;
  const one = shownAnalysis();
  const { rules } = state.room;
  const turns = state.states.length - 1;
  const isDone = one && one.moves.length === turns;
  const lost = one && lostWords(one, (rules.colours + (rules.multicolour !== "none")) * rules.ranks);
  const mistakes = one ? mistakesIn(one) : [];
  return html`<section class="panel analysis" aria-label="Analysis"><header><h2>Analysis</h2>${one && !isDone && html`<small role="status">${one.moves.length} of ${turns} moves</small>`}</header>
    ${!isDone && !study.busy && html`<button type="button" class="primary" disabled=${!turns} onClick=${() => say("analyse", { line: study.line })}>${one ? "go on" : "analyse this line"}</button>`}
    ${!one && study.busy === "analysing" && html`<p role="status">Working on the first move… (The first analysis of a server takes half a minute longer.)</p>`}
    ${one && html`<${Curve} one=${one} />
      <p class="to">Line: the expected score if ${one.assumption}. Steps: the most that was in reach.${study.line && study.analyses[0] ? " Dotted: the game." : ""}</p>
      ${lost && html`<p>${lost}${one.lost > 0 && html` <button type="button" onClick=${() => goTo(one.lost - 1)}>try again from turn ${one.lost - 1}</button>`}</p>`}
      ${mistakes.length > 0 && html`<p>Mistakes: ${mistakes.map((each) => html`<button type="button" class="jump" onClick=${() => goTo(each.turn + 1)} aria-label=${`mistake at move ${each.turn + 1}`}>${each.turn + 1} (${costOf(each)})</button>`)}</p>`}
      ${isDone && !mistakes.length && html`<p>No mistake was found.</p>`}
      <${Verdict} move=${one.moves[shownTurn() - 1]} />
      ${isDone && html`<ul class="totals">${one.totals.map((each) => html`<li>${names()[each.seat]}: ${each.cost.toFixed(1)} ± ${each.error.toFixed(1)} points, ${each.mistakes} ${each.mistakes === 1 ? "mistake" : "mistakes"}</li>`)}</ul>`}`}
  </section>`;
}
