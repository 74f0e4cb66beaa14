/* Private messages: what is new appears by itself, and Enter sends.

The elements with [data-live] are fetched anew when the bell rings. */

let fetching = false;
let again = false;

async function refresh() {
  again = true;
  if (fetching || document.hidden) return;
  fetching = true;
  while (again) {
    again = false;
    const answer = await fetch(location.href).catch(() => null);
    if (!answer?.ok) continue;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const old of document.querySelectorAll("[data-live]")) {
      const fresh = page.getElementById(old.id);
      if (!fresh || fresh.innerHTML === old.innerHTML) continue;
      old.innerHTML = fresh.innerHTML;
      old.scrollTop = old.scrollHeight;
    }
  }
  fetching = false;
}

let first = true; // the bell rings once when it connects
document.addEventListener("bell", () => (first ? (first = false) : refresh()));
document.addEventListener("visibilitychange", () => again && refresh());

const letters = document.getElementById("letters");
if (letters) letters.scrollTop = letters.scrollHeight;
document.querySelector("[data-write] textarea")?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});
