import { html } from './harness.ts';
import type { Site } from './server.ts';

const SHEETS = ['1', '2', '3', '4'];

/** What its files take tells how fast a link is, also on a machine that sees round trips late. */
export const FAST_SITE: Site = {
  '/': html('<p>text</p>', SHEETS.map((name) => `<link rel=stylesheet href=${name}.css>`).join('')),
  ...Object.fromEntries(SHEETS.map((name) => [`/${name}.css`, { type: 'text/css', body: Buffer.from(`/*${'x'.repeat(400_000)}*/`) }])),
};
