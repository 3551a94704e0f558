import { htmlDocument } from '../designs/document.ts';
import { type Random } from '../random.ts';
import { type RecordedObject } from '../warcWriter.ts';
import { GAP_PX, heightPx, inColumns, type Row } from './columns.ts';
import { objectSizes } from './objectSizes.ts';
import { jpegOfSize } from './paddedJpeg.ts';

/** A page by what the report's figures vary (NSF report, section VI-D). */
export interface PageSpec {
  /** Images in the first viewport. */
  readonly inView: number;
  /** Images below it. */
  readonly offScreen: number;
  /** Of the images in view, and of those below, each by themselves. */
  readonly meanBytes: number;
  readonly sdBytes: number;
  readonly servers: number;
}

/** The viewport that pages are laid out for. */
export const VIEWPORT = { width: 1_366, height: 768 } as const;
const HEAD_PX = 40;
const COLUMNS = 3;
const COLUMN_GAP_PX = 10;
const COLUMN_PX = 448;
/** Between the first screen's end and what is below it. */
const BELOW_PX = 32;
const DOMAIN = 'figures.test';

const STYLE = `body{margin:0;background:#fff;color:#222;font:14px/20px sans-serif}
header{height:${HEAD_PX}px;line-height:${HEAD_PX}px;padding:0 12px;box-sizing:border-box}
main{display:flex;gap:${COLUMN_GAP_PX}px}
.column{width:${COLUMN_PX}px;flex:none}
.screen{height:${VIEWPORT.height - HEAD_PX}px;margin-bottom:${BELOW_PX}px}
.row{display:flex;gap:${GAP_PX}px;margin-bottom:${GAP_PX}px}
img{display:block;flex:none}
`;

/**
 * A page of images in three columns, each with images in view and, below them, images that are not. It is written column by column, so that images below the first column's fold
 * are asked for before images in view of the others: the "directionality" of tables that the report finds behind screen contention (section VI-B).
 *
 * The document, the style sheet and the images are spread over servers of plain HTTP/1.1; a server's share falls with its number (1, 1/2, 1/3, ...), and each has an image.
 *
 * Rejects with RangeError when the images in view do not fit into the first viewport, or there are more servers than images.
 */
export async function sweepPage(random: Random, spec: PageSpec): Promise<RecordedObject[]> {
  const { inView, offScreen, meanBytes, sdBytes, servers } = spec;
  const above = inColumns(objectSizes(random.fork('in view'), inView, meanBytes, sdBytes), COLUMNS, COLUMN_PX);
  const below = inColumns(objectSizes(random.fork('off screen'), offScreen, meanBytes, sdBytes), COLUMNS, COLUMN_PX);
  const highestPx = Math.max(...above.map(heightPx));
  if (HEAD_PX + highestPx > VIEWPORT.height) throw new RangeError(`the images in view are ${highestPx} px high, and the view has ${VIEWPORT.height - HEAD_PX} px for them`);
  const hosts = hostsOfPictures(random.fork('servers'), servers, inView + offScreen);
  const pictures = new Pictures(random.fork('pictures'), hosts);
  let body = '';
  for (const [column, rows] of above.entries()) {
    body += `<div class="column"><div class="screen">\n${await pictures.write(rows)}</div>\n${await pictures.write(below[column] ?? [])}</div>\n`;
  }
  const title = `${inView} of ${inView + offScreen} images in view`;
  const style = urlOn(1, 'style.css');
  const head = ['<link rel="icon" href="data:,">', `<link rel="stylesheet" href="${style}">`];
  const html = htmlDocument(title, head, `<header>${title}, ${meanBytes} bytes on average</header>\n<main>\n${body}</main>`);
  return [
    { url: urlOn(1, ''), contentType: 'text/html; charset=utf-8', body: Buffer.from(html) },
    { url: style, contentType: 'text/css', body: Buffer.from(STYLE) },
    ...pictures.objects,
  ];
}

/** Makes the pictures of rows, in the order of the document. */
class Pictures {
  readonly objects: RecordedObject[] = [];
  readonly #random: Random;
  readonly #hosts: readonly number[];

  constructor(random: Random, hosts: readonly number[]) {
    this.#random = random;
    this.#hosts = hosts;
  }

  /** @returns the elements */
  async write(rows: readonly Row[]): Promise<string> {
    let text = '';
    for (const row of rows) {
      text += '<div class="row">';
      for (const { bytes, widthPx, heightPx: height } of row) {
        const place = this.objects.length;
        const url = urlOn(this.#hosts[place] ?? 1, `${String(place + 1).padStart(3, '0')}.jpg`);
        this.objects.push({ url, contentType: 'image/jpeg', body: await jpegOfSize(this.#random.fork(url), widthPx, height, bytes) });
        text += `<img src="${url}" width="${widthPx}" height="${height}" alt="">`;
      }
      text += '</div>\n';
    }
    return text;
  }
}

/** The server of each picture, numbered from 1: one for each server, the others by share, in random order. */
function hostsOfPictures(random: Random, servers: number, pictures: number): number[] {
  if (servers > pictures) throw new RangeError(`${pictures} images can not be spread over ${servers} servers`);
  const shares = Array.from({ length: servers }, (_, place) => 1 / (place + 1));
  const total = shares.reduce((sum, share) => sum + share, 0);
  const drawn = (): number => {
    let left = random.between(0, total);
    const place = shares.findIndex((share) => (left -= share) < 0);
    return place === -1 ? servers : place + 1;
  };
  return random.shuffled(Array.from({ length: pictures }, (_, place) => (place < servers ? place + 1 : drawn())));
}

function urlOn(server: number, file: string): string {
  return `http://s${server}.${DOMAIN}/${file}`;
}
