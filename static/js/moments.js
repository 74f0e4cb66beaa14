/* Moments on the pages of a ladder, by the clock on the wall: the site itself speaks UTC, and says so.

<time data-moment> is shown in local time. A field for a moment holds UTC as the server wrote it, shows local time, and
is sent as UTC. */

const language = document.documentElement.lang || undefined;
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const shape = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
const words = new Intl.DateTimeFormat(language, { ...shape, timeZoneName: "short" });
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/;

/** Show what is in UTC as it is here. */
function show(root) {
  for (const time of root.querySelectorAll("time[data-moment]")) {
    const text = words.format(new Date(time.dateTime));
    if (time.textContent !== text) time.textContent = text;
  }
}

/** A moment as a field shows it. */
function local(moment) {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** What a field shows, in UTC, in the shape that a field can hold: the site may send it back to be mended. */
const utc = (value) => new Date(value).toISOString().slice(0, 16);

show(document);
// What the site sends anew is in UTC again.
const watched = { childList: true, characterData: true, subtree: true };
new MutationObserver(() => show(document)).observe(document.getElementById("main"), watched);

const fields = (root) => root.querySelectorAll("input[type=datetime-local]");

function prepare() {
  for (const field of fields(document)) {
    const written = field.defaultValue;
    // What the browser has brought back from an earlier visit is local time already.
    if (MOMENT.test(written) && field.value === written) field.value = local(new Date(`${written}Z`));
    field.min = local(new Date());
  }
  for (const note of document.querySelectorAll("[data-zone]")) note.textContent = note.dataset.local.replace("%(zone)s", zone);
}

prepare();
document.addEventListener("htmx:afterSwap", prepare);
document.addEventListener("formdata", ({ target, formData }) => {
  for (const field of fields(target)) if (MOMENT.test(field.value)) formData.set(field.name, utc(field.value));
});
