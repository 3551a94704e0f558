import { createServer, type Server } from 'node:http';
import { endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';

export const IMAGES = 1000;

/** Named as a photograph, which is held. Simple to draw, for the measure is the scripts' time; of the size that images of these dimensions have, for the scheduler's sake. */
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="150"><rect width="200" height="150" fill="#08c"/><!--${'.'.repeat(6000)}--></svg>`;

/** On a fast link nothing is held, and a short round trip speaks for one. */
const ANSWER_MS = 75;

/** Serves a page of 1,000 images on loopback; each call of `imagePage` has image URLs of its own, so that no cache answers. */
export class ImageServer {
  private readonly server: Server;
  private pages = 0;

  private constructor(server: Server) {
    this.server = server;
  }

  static async start(): Promise<ImageServer> {
    const server = await listenLocally(createServer((request, response) => {
      const url = request.url ?? '';
      const page = /^\/page(\d+)$/.exec(url)?.[1];
      setTimeout(() => {
        if (url.endsWith('.jpg')) response.setHeader('content-type', 'image/svg+xml').end(SVG);
        else response.setHeader('content-type', 'text/html; charset=utf-8').end(page === undefined ? '<!doctype html>' : imagePageOf(page));
      }, ANSWER_MS);
    }));
    return new ImageServer(server);
  }

  imagePage(): string {
    this.pages += 1;
    return this.url(`/page${this.pages}`);
  }

  async close(): Promise<void> {
    await endServer(this.server);
  }

  private url(pathname: string): string {
    return `http://127.0.0.1:${portOf(this.server)}${pathname}`;
  }
}

function imagePageOf(page: string): string {
  const images = Array.from({ length: IMAGES }, (_, index) => `<p>${index} <img src="/${page}/${index}.jpg" width=200 height=150 alt=""></p>`);
  return `<!doctype html><meta charset=utf-8><title>images</title>${images.join('\n')}`;
}
