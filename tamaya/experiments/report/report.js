// Tables of a report. A click on a head sorts: numbers as numbers, the highest first at the first click; empty cells
// stay below. Where a table fits, nothing is scrolled, its heads stay in sight and no sign says that it can be scrolled.

const number = text => parseFloat(text.replaceAll(",", ""));
const sort = head => {
  const body = head.closest("table").tBodies[0];
  const sorted = head.getAttribute("aria-sort");
  const text = row => row.cells[head.cellIndex].textContent.replace("not played", "");
  const texts = new Map([...body.rows].map(row => [row, text(row)]));
  const isNumeric = [...texts.values()].every(one => !one || !isNaN(number(one)));
  const isFalling = sorted ? sorted == "ascending" : isNumeric;
  const order = (one, two) => isNumeric ? number(one) - number(two) : one.localeCompare(two, "en", {numeric: true});
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", isFalling ? "descending" : "ascending");
  const rows = [...texts].sort(([, one], [, two]) => !one - !two || (isFalling ? order(two, one) : order(one, two)));
  for (const [row] of rows) body.append(row);
};
for (const button of document.querySelectorAll("th button")) button.onclick = () => sort(button.parentElement);

const look = box => {
  box.parentElement.classList.toggle("fits", box.firstElementChild.offsetWidth <= box.clientWidth);
  box.parentElement.classList.toggle("end", box.scrollLeft + box.clientWidth >= box.scrollWidth - 2);
};
const boxes = [...document.querySelectorAll(".wide")];
const watch = new ResizeObserver(seen => { for (const one of seen) look(one.target); });
for (const box of boxes) {
  watch.observe(box);
  box.onscroll = () => look(box);
}
