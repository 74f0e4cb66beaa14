/* The theme button of every page: vellum or candle light, instead of what the device says. */

import { token } from "./csrf.js";

const root = document.documentElement;
const night = matchMedia("(prefers-color-scheme: dark)");
const chosen = () => root.dataset.theme !== "auto" && root.dataset.theme;
const current = () => chosen() || (night.matches ? "dark" : "light");

function label() {
  for (const button of document.querySelectorAll("[data-theme-toggle]"))
    button.setAttribute("aria-pressed", String(current() === "dark"));
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-theme-toggle]")) return;
  event.preventDefault(); // the form that it is without us
  const theme = current() === "dark" ? "light" : "dark";
  root.dataset.theme = theme;
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `theme=${theme}; path=/; max-age=31536000; samesite=lax${secure}`;
  label();
  const body = new URLSearchParams({ theme, csrfmiddlewaretoken: token() });
  fetch("/account/theme", { method: "POST", body, redirect: "manual" }).catch(() => {}); // the cookie keeps it anyway
});
night.addEventListener("change", label);
label();
