/* The questions of Biblios: what is chosen in their forms so far, and what that means. */

import { ask, chosen, refresh } from "../js/answer.js";
import { number } from "../js/numbers.js";
import { all, byId, find, one } from "../js/page.js";
import { list, word } from "../js/words.js";

const bidOf = (/** @type {HTMLFormElement} */ form) => Number(chosen(form)[0]?.value.match(/^bid (\d+)$/)?.[1] ?? 0);

/** @type {Question} */
const take = {
  ready(form) {
    const [card] = chosen(form);
    return [card?.dataset.label, !!card];
  },
};

// A second press on a card takes it.
document.addEventListener("click", ({ target }) => {
  const card = target.closest(".card-choice")?.querySelector("input");
  if (card?.checked && target !== card && card.form) card.form.requestSubmit(card.form.querySelector("[data-primary]"));
});

/** @type {Question} */
const bid = {
  ready(form) {
    const more = form.querySelector("input[data-more]");
    const radio = form.querySelector("input[data-bluff]"); // for what has no chip of its own
    if (more && radio) {
      radio.value = more.value ? `bid ${more.value}` : "";
      more.disabled = !radio.checked;
      one("[data-more-row]", form).hidden = !radio.checked;
    }
    const late = form.querySelector("[data-bid]"); // nothing can be paid: ↵ passes until one has chosen to bluff
    if (late) {
      const [bluffs, passes] = [!!radio?.checked, one("[value=pass]", form)];
      late.hidden = !bluffs;
      for (const [button, first] of /** @type {const} */ ([[late, bluffs], [passes, !bluffs]])) {
        button.classList.toggle("primary", first);
        button.toggleAttribute("data-primary", first);
      }
    }
    const bid = bidOf(form);
    const valid = bid > 0 && (!radio?.checked || !!more?.checkValidity());
    const bluff = valid && bid > Number(form.dataset.own);
    const warning = form.querySelector("[data-warn]");
    if (warning) warning.hidden = !bluff;
    if (form.dataset.warned !== String(bid)) delete form.dataset.warned;
    if (!valid) return [word("bid-none"), false];
    const n = number(bid);
    const [choice] = chosen(form);
    const plain = "bluff" in choice.dataset ? word("bid", { n }) : choice.getAttribute("aria-label") ?? "";
    return [form.dataset.warned || late ? word("bid-anyway", { n }) : plain, true];
  },

  pick(form, n) {
    let radio = all("input", form).find(({ value, dataset }) => value === `bid ${n}` && !("bluff" in dataset)) ?? null;
    const more = form.querySelector("input[data-more]");
    if (!radio && more && n >= +more.min && n <= +more.max) {
      radio = form.querySelector("input[data-bluff]");
      more.value = String(n);
    }
    if (!radio) return false;
    radio.checked = true;
    radio.focus();
    refresh();
    return true;
  },

  /* A bid of more than one owns. */
  warn(form) {
    const bid = bidOf(form);
    if (!(bid > Number(form.dataset.own)) || form.dataset.warned || form.querySelector("[data-bid]")) return false;
    form.dataset.warned = String(bid);
    return true;
  },
};

/** @type {Question} */
const pay = {
  ready(form) {
    const cards = chosen(form);
    const worth = cards.map((card) => Number(card.dataset.worth));
    const paid = worth.reduce((sum, value) => sum + value, 0);
    const { due, unit } = form.dataset;
    const over = paid - Number(due);
    const spare = worth.some((value) => over >= value); // it could stay in hand
    meter(form.querySelector("[data-meter]"), paid, over, spare);
    effects(form.querySelector("[data-effects]"), cards);
    for (const card of all("#hand [data-card]"))
      card.toggleAttribute("data-chosen", !!choiceOf(card, form)?.checked);
    if (over < 0) return [word(unit === "gold" ? "gold-to-go" : "cards-to-go", { n: number(-over) }), false];
    return [unit === "gold" ? word("pay", { sum: worth.map(number).join(" + ") }) : form.dataset.full, !spare];
  },
};

/** The choice that a card of the hand is in the form: of equal cards each has its own.
@param {HTMLElement} card @param {HTMLFormElement} form */
function choiceOf({ dataset: { card = "" } }, form) {
  const [code, number = 1] = card.split(".");
  return [...form.elements].filter(({ value }) => value === `pay ${code}`)[Number(number) - 1];
}

// One may press the cards in the hand, too.
document.addEventListener("click", ({ target }) => {
  const card = target.closest("#hand [data-card]");
  const form = find("form[data-answer=pay]");
  if (card && form) choiceOf(card, form)?.click();
});

/** What the hand loses with these cards: totals, and best letters.
@param {Element | null} place @param {HTMLInputElement[]} cards */
function effects(place, cards) {
  if (!place) return;
  const lost = Map.groupBy(cards, (card) => card.value[4]);
  const totals = [...lost].map(([category, cards]) => {
    const group = byId(`grp-${category}`);
    const old = Number(one(".group-total", group).dataset.total);
    const now = old - cards.reduce((sum, card) => sum + Number(card.dataset.value), 0);
    return `${one(".group-name", group).textContent} ${number(old)} → ${number(now)}`;
  });
  const best = cards.flatMap((card) => card.dataset.best ?? []);
  place.replaceChildren(totals.join(", "));
  if (best.length) {
    const warning = document.createElement("b");
    warning.className = "warn";
    warning.textContent = word("best-goes", { cards: list(best) });
    place.append(" ", warning);
  }
}

/** @type {Question} */
const dice = {
  ready(form) {
    const dice = chosen(form);
    const { count, ways } = form.dataset;
    for (const column of all(".die-column", form)) {
      const move = dice.find((die) => die.value[5] === column.dataset.cat)?.value[6];
      column.classList.toggle("up", move === "+");
      column.classList.toggle("down", move === "-");
    }
    for (const die of all("input[name=move]", form)) {
      if (count === "1" || die.closest(".off")) continue;
      // Two different dice; of the card that moves one up and one down, one each way.
      /** @param {HTMLInputElement} other */
      const barred = (other) => other.value[5] === die.value[5] || (ways === "both" && other.value[6] === die.value[6]);
      die.disabled = !die.checked && (dice.length >= Number(count) || dice.some(barred));
    }
    /** @param {string} way @param {string} name */
    const moved = (way, name) => {
      const names = dice.filter((die) => die.value[6] === way).map((die) => die.dataset.name ?? "");
      return names.length ? [word(name, { dice: list(names) })] : [];
    };
    const text = list([...moved("+", "raise"), ...moved("-", "lower")]);
    return [text || word(count === "1" ? "dice-one" : "dice-two"), dice.length === Number(count)];
  },

  pick(form, n) {
    const die = form.querySelectorAll("[name=move]")[n - 1];
    die?.click();
    die?.focus();
    return !!die;
  },
};

/** @type {Measures} */
function meter(meter, paid, over, spare) {
  if (!meter) return;
  one("b", meter).textContent = number(paid);
  one("progress", meter).value = paid;
  const verdict = one(".tag", meter);
  const name = over < 0 ? "short" : spare ? "spare" : over ? "over" : "exact";
  verdict.textContent = word(name, { n: number(Math.abs(over)) });
  verdict.classList.toggle("ok", !over);
  verdict.classList.toggle("warn", over > 0);
}

ask({ take, bid, pay, dice });
