// The page: the lobby, a table, or a study.
import { Analysis } from "./analysis.js";
import { press, release } from "./keys.js";
import { Lobby } from "./lobby.js";
import { Discards, Help, Invitations, Log, Menu, Reason } from "./panels.js";
import { connect, html, start, state, update } from "./store.js";
import { Lines, StudyMenu } from "./study.js";
import { Actions, Banner, Fireworks, Hands, Slider, Status } from "./table.js";

const isPlace = /^\/(table|study)\/[\w-]+$/.test(location.pathname);

function Table() {
  if (!state.room || !state.states.length)
    return html`<main class="lobby"><h1>tamaya</h1><p role="status">${state.trouble || "…"}</p>${state.trouble && html`<a class="button" href="/">new table</a>`}</main>`;
  return html`<div class=${`page ${state.study ? "study" : ""}`}>
    <main class="table"><${Status} /><${Fireworks} /><${Banner} /><${Hands} /><${Slider} /><div class="actions"><${Actions} /></div>
      ${state.study && html`<div class="below"><${Lines} /><${Analysis} /></div>`}</main>
    <aside>${!state.study && html`<${Invitations} />`}<${Reason} /><${Log} /><${Discards} />${state.study ? html`<${StudyMenu} />` : html`<${Menu} />`}</aside>
    <${Help} /></div>`;
}

start(() => (isPlace ? html`<${Table} />` : html`<${Lobby} />`));
document.addEventListener("keydown", press);
document.addEventListener("keyup", release);
fetch("/lobby").then((answer) => answer.json()).then((lobby) => update({ lobby }));
if (isPlace) connect(location.pathname);
