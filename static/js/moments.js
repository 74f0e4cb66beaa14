/* A field for a moment holds UTC as the server wrote it, shows the time by the clock on the wall, and is sent as UTC.
   In a form that names its `zone` it is sent as it is shown: the site wrote it by that zone, or, if it knew none, the
   form learns here which zone it is.
   Moments that the server tells in UTC, to somebody whose zone it does not ask for, are told by that clock too. */

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/;

/** A moment as a field shows it.
@param {Date} moment */
function local(moment) {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** What a field shows, in UTC, in the shape that a field can hold: the site may send it back to be mended.
@param {string} value */
const utc = (value) => new Date(value).toISOString().slice(0, 16);

const fields = (/** @type {ParentNode} */ root) => root.querySelectorAll("input[type=datetime-local]");

const { lang } = document.documentElement;
const reads = navigator.languages.find((each) => each.split("-")[0] === lang.split("-")[0]) ?? lang;
/** @param {Date} moment @param {Intl.DateTimeFormatOptions} parts */
const told = (moment, parts) => new Intl.DateTimeFormat(reads, parts).format(moment);
/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { hour: "numeric", minute: "2-digit" };
const DAY = 86_400_000;
const midnight = (/** @type {Date} */ moment) => new Date(moment).setHours(0, 0, 0, 0);

/** How `accounts.web.datetimes` tells a moment to come, and any moment.
@type {Record<string, (at: Date) => string>} */
const WAYS = {
  moment: (at) => told(at, { weekday: "short", day: "numeric", month: "short", ...CLOCK }),
  when(at) {
    const days = Math.round((midnight(at) - midnight(new Date())) / DAY);
    if (Math.abs(days) > 1) return told(at, { dateStyle: "medium" });
    return `${new Intl.RelativeTimeFormat(reads, { numeric: "auto" }).format(days, "day")} ${told(at, CLOCK)}`;
  },
};

/* What a field shows that nobody has touched since. */
const shown = new WeakMap();

/**
 * The field in which a form names its zone.
 * @param {HTMLFormElement | null} form
 */
const named = (form) => /** @type {HTMLInputElement | null} */ (form?.elements.namedItem("zone") ?? null);

function prepare() {
  for (const field of fields(document)) {
    if (named(field.form)?.value) continue;
    const written = field.defaultValue;
    field.min = local(new Date());
    // What the browser has brought back from an earlier visit is local time already.
    if (field.value !== written && field.value !== shown.get(field)) continue;
    field.value = MOMENT.test(written) ? local(new Date(`${written}Z`)) : written;
    shown.set(field, field.value);
  }
  for (const form of document.forms) {
    const field = named(form);
    if (field && !field.value) field.value = zone;
  }
  for (const time of document.querySelectorAll("time[data-told]")) {
    const { told: way = "" } = time.dataset;
    const at = new Date(time.dateTime);
    time.textContent = WAYS[way](at);
    time.title = told(at, { dateStyle: "medium", timeStyle: "short" });
  }
  for (const note of document.querySelectorAll("[data-zone]"))
    note.textContent = (note.dataset.local ?? "").replace("%(zone)s", zone);
}

prepare();
document.addEventListener("htmx:load", prepare);
document.addEventListener("formdata", ({ target, formData }) => {
  if (named(target)) return;
  for (const field of fields(target)) if (MOMENT.test(field.value)) formData.set(field.name, utc(field.value));
});
