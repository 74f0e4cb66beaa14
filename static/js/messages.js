/* A conversation: its end is what one sees first, and what is new. Enter sends. */

const letters = document.getElementById("letters");
let height = 0;

function look() {
  if (letters.scrollHeight !== height) letters.scrollTop = height = letters.scrollHeight;
}

look();
letters.addEventListener("htmx:afterSwap", look);
document.querySelector(".write textarea")?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});
