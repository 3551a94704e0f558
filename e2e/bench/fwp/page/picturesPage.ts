import { htmlDocument } from '../../../pages/designs/document.ts';
import type { Random } from '../../../pages/random.ts';
import { jpegOfSize } from '../../../pages/sweeps/paddedJpeg.ts';
import type { RecordedObject } from '../../../pages/warcWriter.ts';

/** Of the first screen, three columns of two rows; as many are below. */
const IN_VIEW = 6;
const COLUMNS = 3;
const PICTURE = { widthPx: 440, heightPx: 340 } as const;
const GAP_PX = 10;
const HOST = 'http://pictures.test';

const STYLE = `body{margin:${GAP_PX}px;background:#fff}main{display:grid;grid-template-columns:repeat(${COLUMNS},${PICTURE.widthPx}px);gap:${GAP_PX}px}img{display:block}`;

/** A page of large pictures of a server of plain HTTP, as of a photographer: what FWP is for. They have strong validators (RFC 9110, 8.8.1). @param bytes of each picture */
export async function picturesPage(random: Random, bytes: number): Promise<RecordedObject[]> {
  const pictures: RecordedObject[] = [];
  for (let number = 1; number <= 2 * IN_VIEW; number++) {
    const body = await jpegOfSize(random.fork(String(number)), PICTURE.widthPx, PICTURE.heightPx, bytes);
    pictures.push({ url: `${HOST}/${number}.jpg`, contentType: 'image/jpeg', body, headers: { ETag: `"${number}-${bytes}"` } });
  }
  const images = pictures.map(({ url }) => `<img src="${url}" width="${PICTURE.widthPx}" height="${PICTURE.heightPx}" alt="">`);
  const html = htmlDocument('Large pictures', ['<link rel="icon" href="data:,">', `<style>${STYLE}</style>`], `<main>\n${images.join('\n')}\n</main>`);
  return [{ url: `${HOST}/`, contentType: 'text/html; charset=utf-8', body: Buffer.from(html) }, ...pictures];
}
