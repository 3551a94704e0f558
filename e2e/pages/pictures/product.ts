import { type Random } from '../random.ts';

const BACKDROPS: readonly (readonly [string, string])[] = [
  ['#f4f1ec', '#dcd5ca'],
  ['#eef2f3', '#cfd9dc'],
  ['#f6efe9', '#e3cfc0'],
  ['#eef0e8', '#cdd3bd'],
  ['#f1eef4', '#d3cbdc'],
];
const GLAZES: readonly (readonly [string, string])[] = [
  ['#3f5f6e', '#1e3540'],
  ['#b4583a', '#7a3320'],
  ['#d9b24c', '#9c7a22'],
  ['#6d7f5b', '#3f4e33'],
  ['#efe9df', '#b9ae9c'],
  ['#2b2b2f', '#0f0f12'],
  ['#a9b7c6', '#6c7d90'],
];

/** Forms on a field of 100 x 120, lit from the left. `url(#glaze)` is the body colour, `url(#wood)` wood. */
const FORMS: Readonly<Record<string, string>> = {
  mug: '<path d="M30 48h34v38q0 10-10 10H40q-10 0-10-10z" fill="url(#glaze)"/><path d="M64 56q16 0 14 14t-15 14" fill="none" stroke="url(#glaze)" stroke-width="5"/><ellipse cx="47" cy="48" rx="17" ry="4.5" fill="#0006"/>',
  vase: '<path d="M43 26q4 16-7 30-12 18 0 34 4 6 14 6t14-6q12-16 0-34-11-14-7-30z" fill="url(#glaze)"/><ellipse cx="50" cy="26" rx="7" ry="2" fill="#0007"/>',
  lamp: '<path d="M34 28h32l10 30H24z" fill="url(#glaze)"/><path d="M48.5 58h3v34h-3z" fill="#555"/><ellipse cx="50" cy="94" rx="15" ry="4" fill="#444"/><path d="M24 58h52l-3 4H27z" fill="#fff5"/>',
  bowl: '<path d="M20 62q2 32 30 34 28-2 30-34z" fill="url(#glaze)"/><ellipse cx="50" cy="62" rx="30" ry="7" fill="#0005"/>',
  stool: '<path d="M26 50h48v7H26z" fill="url(#wood)"/><path d="M31 57h5l-5 40h-5zM64 57h5l5 40h-5zM47 57h6v38h-6z" fill="url(#wood)"/><path d="M31 76h38v3H31z" fill="url(#wood)"/>',
  cushion: '<path d="M24 44q26-6 52 0 6 24 0 46-26 6-52 0-6-22 0-46z" fill="url(#glaze)"/><path d="M30 50q20-4 40 0M30 84q20 4 40 0M34 48v38M66 48v38" stroke="#fff4" fill="none" stroke-width="1.5"/>',
  plant: '<g fill="#4d7a4a"><path d="M50 66Q30 50 26 26q20 8 24 40z"/><path d="M50 66q20-16 24-42-20 8-24 42z" fill="#3d6640"/><path d="M50 66Q42 40 50 16q8 24 0 50z" fill="#5f8f57"/></g><path d="M36 64h28l-4 30H40z" fill="url(#glaze)"/>',
  clock: '<circle cx="50" cy="60" r="32" fill="url(#wood)"/><circle cx="50" cy="60" r="27" fill="#faf7f1"/><path d="M50 60V40M50 60l13 8" stroke="#222" stroke-width="2.5" stroke-linecap="round"/><g stroke="#888"><path d="M50 35v4M50 81v4M25 60h4M71 60h4"/></g>',
  books: '<path d="M22 84h56v10H22z" fill="url(#glaze)"/><path d="M26 73h50v11H26z" fill="#b98a4d"/><path d="M24 63h46v10H24z" fill="#56707c"/><path d="M30 55h44v8H30z" fill="url(#glaze)"/>',
  candle: '<path d="M38 56h24v38H38z" fill="url(#glaze)"/><path d="M49.3 48h1.4v8h-1.4z" fill="#333"/><path d="M50 34q6 8 0 14-6-6 0-14z" fill="#f6b04a"/>',
};

export const PRODUCT_FORMS: readonly string[] = Object.keys(FORMS);

/** Draws a product as a studio photograph, an SVG of the given size. */
export function drawProduct(random: Random, form: string, width: number, height: number): string {
  const [wall, floor] = random.pick(BACKDROPS);
  const [bright, dark] = random.pick(GLAZES);
  const size = random.between(0.86, 1.02);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 100 120" preserveAspectRatio="xMidYMid slice">
<defs>
<linearGradient id="wall" x2="0" y2="1"><stop stop-color="${wall}"/><stop offset=".7" stop-color="${floor}"/><stop offset="1" stop-color="${wall}"/></linearGradient>
<linearGradient id="glaze"><stop stop-color="${bright}"/><stop offset=".28" stop-color="#fff" stop-opacity=".92"/><stop offset=".36" stop-color="${bright}"/><stop offset="1" stop-color="${dark}"/></linearGradient>
<linearGradient id="wood"><stop stop-color="#c79a63"/><stop offset=".5" stop-color="#b08148"/><stop offset="1" stop-color="#7d5628"/></linearGradient>
<radialGradient id="shadow"><stop stop-color="#000" stop-opacity=".42"/><stop offset="1" stop-color="#000" stop-opacity="0"/></radialGradient>
</defs>
<rect x="-60" y="-60" width="220" height="240" fill="url(#wall)"/>
<ellipse cx="55" cy="97" rx="38" ry="6" fill="url(#shadow)"/>
<g transform="translate(50 96) scale(${size.toFixed(3)}) translate(-50 -96)">${FORMS[form] ?? ''}</g>
</svg>`;
}
