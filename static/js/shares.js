/* The player's part in the shuffle: 16 bytes that only their browser knew, in every form that asks for them. */

document.addEventListener("formdata", ({ formData }) => {
  if (!formData.has("share")) return;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  formData.set("share", [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
});
