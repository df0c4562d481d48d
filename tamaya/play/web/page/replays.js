// Games that people bring: by a file, by a link, from a table, or from what the server offers.
import { moveNotes } from "./notes.js";
import { html, state, update } from "./store.js";

const form = { text: "", games: null, content: "", error: "", isOver: false };

// Begins the study of a game and goes there; a file with several games is shown as a list first.
async function bring(query, content = "") {
  const answer = await fetch(`/studies?${new URLSearchParams(query)}`, { method: "POST", body: content }).then(
    (one) => one.json(),
    () => ({ error: "the server does not answer" }),
  );
  Object.assign(form, { error: answer.error || "", games: answer.games ?? form.games, content });
  update({});
  return answer.id;
}

const show = (id) => id && location.assign(`/study/${id}`);

export async function bringTable() {
  const id = await bring({ table: state.room.id });
  if (form.error) update({ trouble: form.error });
  if (id) moveNotes(id);
  show(id);
}

async function bringFile(file) {
  if (file) show(await bring({}, file));
}

async function submit(event) {
  event.preventDefault();
  if (form.text.trim()) show(await bring({}, form.text));
}

function drop(event) {
  event.preventDefault();
  form.isOver = false;
  const { files } = event.dataTransfer;
  if (files.length) bringFile(files[0]);
  else bring({}, event.dataTransfer.getData("text")).then(show);
}

function hover(isOver) {
  return (event) => {
    event.preventDefault();
    if (form.isOver !== isOver) update((form.isOver = isOver) && {});
  };
}

const Game = ({ one, choose }) => html`<li><button type="button" disabled=${Boolean(one.trouble)} onClick=${choose}>
  <b>${one.game}</b> ${one.names}<small>${one.trouble || `${one.players} players, ${one.ending}`}</small></button></li>`;

export function Replays() {
  const offered = state.lobby.games;
  const games = form.games ?? offered;
  const choose = (one) => async () => show(await (form.games ? bring({ game: one.game }, form.content) : bring({ offered: one.game })));
  return html`<section class=${`replays ${form.isOver ? "over" : ""}`} aria-label="Replay" onDragOver=${hover(true)} onDragLeave=${hover(false)} onDrop=${drop}>
    <h2>Replay a game</h2>
    <p>From hanab.live, JaxMARL or tamaya: paste a share link or JSON, or drop a file here. Then look at it, try other moves, and have it analysed.</p>
    <form onSubmit=${submit} class="bring">
      <input type="text" aria-label="link or JSON" placeholder="https://hanab.live/shared-replay-json/…" value=${form.text}
        onInput=${(event) => { form.text = event.target.value; }} />
      <button type="submit">Open</button>
      <label class="button file">choose a file<input type="file" onChange=${(event) => bringFile(event.target.files[0])} /></label>
    </form>
    ${form.error && html`<p class="trouble" role="alert">${form.error}</p>`}
    ${games.length > 0 && html`<ol class="games">${games.map((one) => html`<${Game} key=${one.game} one=${one} choose=${choose(one)} />`)}</ol>`}
  </section>`;
}
