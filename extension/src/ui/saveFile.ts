import { create } from './elements.ts';

/** In which a person has said where the browser is to save it. */
const KEPT_MS = 600_000;

/** Offers JSON to be saved, as the browser does with downloads. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  create('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
