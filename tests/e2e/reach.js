/* What is wrong with how a table lies on the screen. `large`: everything is enlarged, what is asked may be scrolled. */
(large) => {
  const faults = new Set();
  const SLACK = 2;
  // What is clipped to nothing is only read out.
  const clipped = (element) => !!element && (getComputedStyle(element).clipPath === "inset(50%)" || clipped(element.parentElement));
  const shown = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest(".visually-hidden") && !clipped(element);
  const name = (element) => `${element.className || element.nodeName} "${element.textContent.trim().slice(0, 30)}"`;
  const inside = (box, frame) =>
    box.left >= frame.left - SLACK && box.right <= frame.right + SLACK
    && box.top >= frame.top - SLACK && box.bottom <= frame.bottom + SLACK;
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);

  const page = document.documentElement;
  if (page.scrollWidth > innerWidth) faults.add(`the page is ${page.scrollWidth} px wide`);

  // What answers is on the screen, and nothing lies over it.
  for (const control of all("#stage .acts :is(button, summary), #stage .well")) {
    const box = control.getBoundingClientRect();
    if (!inside(box, screen)) faults.add(`off the screen: ${name(control)}`);
    const points = [[box.left + 4, box.top + 4], [box.right - 4, box.top + 4], [box.left + 4, box.bottom - 4], [box.right - 4, box.bottom - 4]];
    if (!points.every(([x, y]) => control.contains(document.elementFromPoint(x, y)))) faults.add(`covered: ${name(control)}`);
    if (box.height < (innerWidth > 860 ? 43.9 : 45.9)) faults.add(`only ${box.height} px high: ${name(control)}`);
  }
  for (const control of all("#stage :is(.chip, .card-choice, .pay-choice, .die-choice)")) {
    const { height, width } = control.getBoundingClientRect();
    if (height < (innerWidth > 860 ? 31.9 : 43.9) || width < 31.9) faults.add(`${width} x ${height} px: ${name(control)}`);
  }
  if (!large)
    for (const body of all("#stage .body"))
      if (body.scrollHeight > body.clientHeight + 1) faults.add(`scrolls: ${body.scrollHeight} in ${body.clientHeight} px`);

  // The own hand: whole cards, or on a phone the heads of their groups.
  const hand = document.getElementById("hand").getBoundingClientRect();
  for (const part of all("#hand :is(.card, .group-head)")) {
    const box = part.getBoundingClientRect();
    if (!inside(box, hand) || !inside(box, screen)) faults.add(`cut: ${name(part)} of the hand`);
  }
  for (const fan of all("#hand .fan")) {
    const cards = [...fan.querySelectorAll(".card")].map((card) => card.getBoundingClientRect());
    for (let at = 1; at < cards.length; at++)
      if (cards[at].left - cards[at - 1].left < 12) faults.add(`a card of the hand shows ${cards[at].left - cards[at - 1].left} px`);
  }

  // Everybody has a face and a name; those of this table are short.
  for (const seat of all("#canon .seat:not(#own-seat)")) {
    const [face, who] = [seat.querySelector(".avatar"), seat.querySelector(".seat-name")];
    if (innerHeight > 480 && !shown(face)) faults.add(`no face: ${name(who)}`);
    if (!inside(who.querySelector("bdi").getBoundingClientRect(), who.getBoundingClientRect())) faults.add(`cut: ${name(who)}`);
  }

  // Texts: none over another, none cut, each in its box.
  const ELLIPSIS = "[id^=did-], .seat-name, .gone, .news li, .die-lead, .bidder, [id^=bid-] > span";
  const BOXES = ".leaf, .canon-frame, .button, .well, .card-choice, .die-column, .die-choice, .chip, th, td, .bids li, .hand, .bar";
  const texts = [];
  for (const root of document.querySelectorAll(".bar, #canon, #stage, #hand")) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      const of = text.parentElement;
      if (!text.data.trim() || !shown(of) || of.closest(".card, .to-totals")) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const soft = of.closest(ELLIPSIS);
      const frame = soft?.getBoundingClientRect();
      for (const rect of range.getClientRects()) {
        const box = frame
          ? { left: Math.max(rect.left, frame.left), right: Math.min(rect.right, frame.right), top: rect.top, bottom: rect.bottom }
          : rect;
        // Lines are higher than their letters.
        const trim = (box.bottom - box.top) * 0.18;
        texts.push({ of, left: box.left, right: box.right, top: box.top + trim, bottom: box.bottom - trim });
      }
    }
  }
  for (const text of texts) {
    const { of } = text;
    if (large && of.closest(".body")) continue;
    for (let around = of; around && around !== document.body; around = around.parentElement) {
      if (of.matches("kbd") && around.matches(".well")) break; // it lies on the edge
      const clips = getComputedStyle(around).overflow !== "visible" || around.matches(BOXES);
      if (clips && !inside(text, around.getBoundingClientRect())) {
        faults.add(`cut by ${around.id || around.className || around.nodeName}: ${name(of)}`);
        break;
      }
    }
  }
  texts.sort((a, b) => a.top - b.top);
  texts.forEach((one, at) => {
    for (let next = at + 1; next < texts.length && texts[next].top < one.bottom - 1; next++) {
      const other = texts[next];
      if (other.of === one.of || (large && (one.of.closest(".body") || other.of.closest(".body")))) continue;
      if (Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 && Math.min(one.bottom, other.bottom) - other.top > 1)
        faults.add(`one over the other: ${name(one.of)}, ${name(other.of)}`);
    }
  });
  return [...faults];
}
