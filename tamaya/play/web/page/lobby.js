// The way in: who plays, by which rules, with which deal.
import { Replays } from "./replays.js";
import { html, state, update } from "./store.js";
import { range } from "./game.js";

const NAMES = ["Alice", "Bob", "Cathy", "Donald", "Emily"];
const MULTI = { none: "no extra suit", suit: "a sixth suit", single: "a sixth suit, one of each", wild: "a rainbow suit" };

export const form = { players: 3, seats: [], name: localStorage.getItem("name") || "", mine: 0, seed: "", delay: 0.5, rules: {}, error: "" };

const who = (seat) => form.seats[seat] ?? (seat === form.mine ? "me" : state.lobby.bots[0].agent);

function choose(seat, value) {
  form.seats[seat] = value;
  if (value === "me") {
    if (form.mine >= 0 && form.mine !== seat && who(form.mine) === "me") form.seats[form.mine] = state.lobby.bots[0].agent;
    form.mine = seat;
  } else if (seat === form.mine) form.mine = range(form.players).find((one) => form.seats[one] === "me") ?? -1;
  update({});
}

async function open(event) {
  event.preventDefault();
  localStorage.setItem("name", form.name);
  const seats = range(form.players).map((seat) => {
    const one = who(seat);
    if (one === "me") return { name: form.name };
    return one === "person" ? { name: NAMES[seat] } : { agent: one };
  });
  const mine = form.mine < form.players ? form.mine : -1;
  const answer = await fetch("/tables", {
    method: "POST",
    body: JSON.stringify({ seats, mine, rules: form.rules, seed: form.seed.trim(), delay: form.delay }),
  }).then((one) => one.json(), () => ({ error: "the server does not answer" }));
  form.error = answer.error || "";
  if (answer.id) location.assign(`/table/${answer.id}${answer.token && `#${answer.token}`}`);
  update({});
}

const set = (key, read = (target) => target.value) => (event) => {
  form[key] = read(event.target);
  update({});
};

const rule = (key, value) => {
  form.rules = { ...form.rules, [key]: value };
  if (value === undefined) delete form.rules[key];
  update({});
};

const Seat = ({ seat }) => html`<label class="seat">${NAMES[seat]}
  <select value=${who(seat)} onChange=${(event) => choose(seat, event.target.value)} aria-label=${`seat ${seat + 1}`}>
    <option value="me" selected=${who(seat) === "me"}>me</option>
    <option value="person" selected=${who(seat) === "person"}>another person, by a link</option>
    ${state.lobby.bots.map((bot) => html`<option value=${bot.agent} selected=${who(seat) === bot.agent}>${bot.title ? `${bot.title} – ${bot.agent}` : bot.agent}</option>`)}
  </select></label>`;

function Conventions() {
  const chosen = new Set(range(form.players).map(who));
  return html`<ul class="conventions">${state.lobby.bots.filter((bot) => chosen.has(bot.agent)).map(
    (bot) => html`<li><b>${bot.title || bot.agent}</b>: ${bot.convention}</li>`,
  )}</ul>`;
}

const Rules = () => html`<details><summary>Rules and deal</summary><div class="rules">
  <label>seed <input type="text" inputmode="numeric" pattern="[0-9]{0,20}" value=${form.seed} onInput=${set("seed")} placeholder="a new deal" /></label>
  <label>bots wait <select onChange=${set("delay", (target) => Number(target.value))}>${[0, 0.5, 1.5, 3].map((delay) => html`<option value=${delay} selected=${delay === form.delay}>${delay} s</option>`)}</select></label>
  <label>extra suit <select onChange=${(event) => rule("multicolour", event.target.value === "none" ? undefined : event.target.value)}>${Object.entries(MULTI).map(
    ([value, words]) => html`<option value=${value} selected=${value === (form.rules.multicolour || "none")}>${words}</option>`)}</select></label>
  ${[["colours", 2, 5], ["ranks", 2, 5], ["hand_size", 2, 6], ["hint_tokens", 1, 30], ["lives", 1, 10]].map(
    ([key, low, high]) => html`<label>${key.replace("_", " ")} <input type="number" min=${low} max=${high} value=${form.rules[key] ?? ""}
      placeholder=${key === "hand_size" ? (form.players < 4 ? 5 : 4) : state.lobby.rules[key]} onInput=${(event) => rule(key, event.target.value ? Number(event.target.value) : undefined)} /></label>`)}
  <label><input type="checkbox" checked=${form.rules.empty_hints} onChange=${(event) => rule("empty_hints", event.target.checked || undefined)} /> hints may touch no card</label>
</div></details>`;

export function Lobby() {
  if (!state.lobby) return html`<main class="lobby"><h1>tamaya</h1><p>…</p></main>`;
  return html`<main class="lobby"><h1>tamaya</h1>
    <p>Hanabi: you see every hand but your own.</p>
    <form onSubmit=${open}>
      <label>your name <input type="text" maxlength="24" value=${form.name} onInput=${set("name")} placeholder=${NAMES[Math.max(0, form.mine)]} autocomplete="nickname" /></label>
      <fieldset class="count"><legend>players</legend>${range(6, 2).map((count) => html`<label><input type="radio" name="players" value=${count} checked=${form.players === count}
        onChange=${() => { form.players = count; update({}); }} /> ${count}</label>`)}</fieldset>
      <fieldset class="seats"><legend>who plays</legend>${range(form.players).map((seat) => html`<${Seat} key=${seat} seat=${seat} />`)}</fieldset>
      <${Conventions} />
      <${Rules} />
      ${form.error && html`<p class="trouble" role="alert">${form.error}</p>`}
      <button type="submit" class="big primary">Play</button>
    </form>
    <${Replays} /></main>`;
}
