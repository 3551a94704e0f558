import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { endServer, listenLocally, portOf } from '../../shared/src/node/testing/localServer.ts';

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.js': 'text/javascript', '.png': 'image/png' };
/** What both browsers give to an extension's own pages, so that what they refuse there is refused here. */
const POLICY = "script-src 'self'; object-src 'self'";

/** The files of a built extension on loopback. */
export class PageServer {
  readonly origin: string;
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
    this.origin = `http://127.0.0.1:${portOf(server)}`;
  }

  static async start(dir: string): Promise<PageServer> {
    return new PageServer(await listenLocally(createServer(({ url = '/' }, response) => {
      const { pathname } = new URL(url, 'http://127.0.0.1');
      const type = TYPES[path.extname(pathname)];
      readFile(path.join(dir, pathname)).then(
        (body) => response.writeHead(200, { 'content-type': type ?? 'application/octet-stream', 'content-security-policy': POLICY }).end(body),
        () => response.writeHead(404).end(),
      );
    })));
  }

  async close(): Promise<void> {
    await endServer(this.server);
  }
}
