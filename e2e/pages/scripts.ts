import { type Random } from './random.ts';

/** Words in the search index: with them the script weighs about 45 kB, a common size of a site's own first script. */
const INDEX_ENTRIES = 900;

const SYLLABLES = ['mar', 'ten', 'lo', 'vik', 'sel', 'an', 'dor', 'fjell', 'ham', 'ost', 'ring', 'by', 'ka', 'lund', 'er', 'strand'];

/** The script that blocks the parser in the head: the search index, and the date in the page's first line. */
export function headScript(random: Random): string {
  const index = Array.from({ length: INDEX_ENTRIES }, () => {
    const word = Array.from({ length: random.whole(2, 4) }, () => random.pick(SYLLABLES)).join('');
    return [word, random.whole(1, 9999), random.whole(1, 9999), random.whole(1, 400)];
  });
  return `"use strict";
var demo = { index: ${JSON.stringify(index)} };
demo.search = function (text) {
  return demo.index.filter(function (entry) { return entry[0].indexOf(text) === 0; }).map(function (entry) { return entry[1]; });
};
document.documentElement.className += " js";
`;
}

/** Deferred: moves the carousel, and counts a visit. */
export const TAIL_SCRIPT = `"use strict";
(function () {
  var slides = document.querySelector(".carousel .slides"), shown = 0;
  if (!slides) return;
  setInterval(function () {
    shown = (shown + 1) % slides.children.length;
    slides.style.transition = "transform .6s";
    slides.style.transform = "translateX(-" + shown * 100 + "%)";
  }, 20000);
})();
`;
