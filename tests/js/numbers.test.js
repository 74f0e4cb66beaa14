/* Numbers in the scripts: as accounts/text/numbers.py writes them (tests/faces/test_numbers.py). */

import assert from "node:assert/strict";
import { test } from "node:test";

/** The module, as it is loaded on a page in this language. */
async function spoken(lang) {
  globalThis.document = { documentElement: { lang } };
  return import(`../../static/js/numbers.js?${lang}`);
}

test("numbers, changes and clocks in English", async () => {
  const { digits, number, signed, time } = await spoken("en");
  assert.deepEqual([12345, -3, 1.5].map(number), ["12345", "−3", "1.5"]);
  assert.deepEqual([2, 0, -2].map(signed), ["+2", "0", "−2"]);
  assert.deepEqual([0, 425_000, 3_729_001].map((ms) => time(ms)), ["0:00", "7:05", "1:02:10"]);
  assert.equal(digits("A1"), "A1");
});

test("numbers, changes and clocks in Persian", async () => {
  const { digits, number, signed, time } = await spoken("fa");
  assert.deepEqual([12345, -3, 1.5].map(number), ["۱۲۳۴۵", "\u200e−۳", "۱٫۵"]);
  assert.deepEqual([2, 0, -2].map(signed), ["\u200e+۲", "۰", "\u200e−۲"]);
  assert.equal(time(425_000), "۷:۰۵");
  assert.equal(digits("A1"), "A۱");
});
