/* How moves are written, in words or in notation: the switch is a pair of radio buttons, kept for the next page. */

import { keepHabit } from "./habits.js";

document.addEventListener("change", ({ target }) => {
  if (target.name !== "written") return;
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `written=${target.value}; path=/; max-age=31536000; samesite=lax${secure}`;
  keepHabit("written", target.value);
});
