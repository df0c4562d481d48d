// The page: the lobby, or a table.
import { press, release } from "./keys.js";
import { Lobby } from "./lobby.js";
import { Discards, Help, Invitations, Log, Menu, Reason } from "./panels.js";
import { connect, html, start, state, update } from "./store.js";
import { Actions, Banner, Fireworks, Hands, Slider, Status } from "./table.js";

const found = location.pathname.match(/^\/table\/([\w-]+)$/);

function Table() {
  if (!state.room || !state.states.length)
    return html`<main class="lobby"><h1>tamaya</h1><p role="status">${state.trouble || "…"}</p>${state.trouble && html`<a class="button" href="/">new table</a>`}</main>`;
  return html`<div class="page">
    <main class="table"><${Status} /><${Fireworks} /><${Banner} /><${Hands} /><${Slider} /><div class="actions"><${Actions} /></div></main>
    <aside><${Invitations} /><${Reason} /><${Log} /><${Discards} /><${Menu} /></aside>
    <${Help} /></div>`;
}

start(() => (found ? html`<${Table} />` : html`<${Lobby} />`));
document.addEventListener("keydown", press);
document.addEventListener("keyup", release);
fetch("/lobby").then((answer) => answer.json()).then((lobby) => update({ lobby }));
if (found) connect(found[1]);
