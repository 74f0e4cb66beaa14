/* The question of sealed offers. */

import { ask, chosen } from "../js/answer.js";
import { word } from "../js/words.js";

ask({
  offer: {
    ready(form) {
      const [offer] = chosen(form);
      return offer ? [word("toy-offer", { n: offer.value.slice(6) }), true] : ["", false];
    },
  },
});
