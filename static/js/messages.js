/* In a conversation, Enter sends. */

const field = document.querySelector(".write textarea");
field?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  field.form?.requestSubmit();
});
