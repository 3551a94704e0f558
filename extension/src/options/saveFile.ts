import { create } from '../ui/elements.ts';

/** Offers a text to be saved, as the browser does with downloads. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  create('a', { href: url, download: name }).click();
  // the browser has taken the text by the next turn
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
