import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { rows, timesAsked, toldBy } from '../case.ts';
import { LOADED, file, page, scripted } from '../page.ts';

const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };
/** RFC 6455, section 1.3. */
const WEBSOCKET_KEY = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const CHUNKED = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n';

/** Bodies of all kinds, both ways. */
export const BODY_CASES = rows([
  {
    name: 'streams', title: 'Server-sent events and a WebSocket: every message, at once',
    site: {
      '/events': ({ response }) => {
        (response as ServerResponse).writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
        let sent = 0;
        const timer = setInterval(() => {
          (response as ServerResponse).write(`id: ${sent}\ndata: ${sent}\n\n`);
          if (++sent === 4) clearInterval(timer);
        }, 40);
        return undefined;
      },
      '/socket': ({ headers, socket }) => {
        const key = createHash('sha1').update(`${headers['sec-websocket-key'] ?? ''}${WEBSOCKET_KEY}`).digest('base64');
        socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`);
        // one unmasked text frame (RFC 6455, section 5.2), once the client has sent something
        socket.once('data', () => socket.write(Buffer.from([0x81, 5, ...Buffer.from('hello')])));
        return undefined;
      },
      '/': scripted(`
        await new Promise((resolve) => { const source = new EventSource('events'); source.onmessage = ({ data }) => { note('events', data); if (data === '3') { source.close(); resolve(); } }; });
        await new Promise((resolve) => { const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket'); socket.onopen = () => { note('socket', 'open'); socket.send('x'); }; socket.onmessage = ({ data }) => { note('socket', data); resolve(); }; socket.onerror = () => { note('socket', 'error'); resolve(); }; });`),
    },
    expects: (seen) => expect(seen.page).toMatchObject({ notes: { events: ['0', '1', '2', '3'], socket: ['open', 'hello'] } }),
  },
  {
    name: 'bodies', title: 'Uploads, downloads by script, streams of both, HEAD, PUT, DELETE, preflights, sendBeacon at the end of a page',
    site: {
      '/echo': ({ method, body }) => file('text/plain', `${method} ${body.length} ${createHash('sha1').update(body).digest('hex')}`),
      'other/put': ({ method }) => ({ status: method === 'OPTIONS' ? 204 : 200, headers: { ...CORS, 'access-control-allow-methods': 'PUT', 'access-control-allow-headers': 'x-own', 'content-type': 'text/plain', 'cache-control': 'no-store' }, ...(method === 'PUT' && { body: 'put' }) }),
      '/large': () => file('application/octet-stream', Buffer.alloc(3_000_000, 7)),
      '/beacon': { status: 204 },
      '/next': page({ body: '<img id=n src=next.png>' }),
      '/': scripted(`
        const large = new Uint8Array(2000000).fill(7);
        for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) note('echo', await (await fetch('echo', { method, body: large })).text());
        note('form', (await (await fetch('echo?form', { method: 'POST', body: new URLSearchParams('a=1') })).text()));
        note('head', (await fetch('echo?head', { method: 'HEAD' })).status);
        note('put', await (await fetch('{other}/put', { method: 'PUT', headers: { 'x-own': '1' } })).text());
        let read = 0; for (const reader = (await fetch('large')).body.getReader(); ;) { const { done, value } = await reader.read(); if (done) break; read += value.length; } note('large', read);
        const gone = new AbortController(); const lost = fetch('large?aborted', { signal: gone.signal }).then((answer) => { gone.abort(); return answer.text(); }).catch(({ name }) => note('aborted', name)); await lost;
        addEventListener('pagehide', () => navigator.sendBeacon('beacon', 'bye'));`),
    },
    visit: async (tab, { url, asked }) => {
      const first = await toldBy(tab, url('/'));
      const next = await toldBy(tab, url('/next'));
      await asked('/beacon');
      return [first, next];
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject([{ notes: { large: [3_000_000], head: [200], put: ['put'], aborted: ['AbortError'] } }, { notes: { '<n>': ['load'] } }]);
      expect(timesAsked(seen, '/beacon')).toBe(1);
    },
  },
  {
    name: 'form', title: 'A form posted in a frame is posted once',
    site: {
      '/posted': ({ body }) => ({ headers: { 'content-type': 'text/html' }, body: `<script>parent.postMessage('${body.toString()}', '*')</script><img src=posted.png>` }),
      '/': scripted("const heard = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data))); document.forms[0].submit(); note('posted', await heard);", { body: '<iframe name=into></iframe><form action=posted method=post target=into><input name=a value=1></form>' }),
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject({ notes: { posted: ['a=1'] } });
      expect(timesAsked(seen, '/posted')).toBe(1);
    },
    // the frame's first, empty document may tell of its load or not
    compared: ({ page: told, requests }) => ({ posted: (told as { notes: { posted: unknown } }).notes.posted, requests: requests.filter((line) => line.startsWith('POST')) }),
  },
  {
    name: 'codings', title: 'Content codings, a body that is cut, a length that lies, a gzip bomb in a style sheet', alone: true,
    site: {
      '/bomb.css': { headers: { 'content-type': 'text/css', 'content-encoding': 'gzip', 'cache-control': 'no-store' }, body: gzipSync(`${'/* '.repeat(10_000_000)}*/ p{background:url(after-bomb.png)}`) },
      '/zipped.txt': { headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip', 'cache-control': 'no-store' }, body: gzipSync('zipped') },
      '/broken.txt': { headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip', 'cache-control': 'no-store' }, body: 'not zipped' },
      '/cut.txt': ({ response, socket }) => {
        (response as ServerResponse).writeHead(200, { 'content-length': '100', 'content-type': 'text/plain', 'cache-control': 'no-store' });
        (response as ServerResponse).write('half', () => socket.end());
        return undefined;
      },
      '/': scripted(`for (const name of ['zipped', 'broken', 'cut']) note(name, await fetch(name + '.txt').then((answer) => answer.text()).catch(() => 'failed')); ${LOADED}`, { head: '<link rel=stylesheet href=bomb.css>', body: '<p>text</p><img id=a src=a.png>' }),
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject({ notes: { zipped: ['zipped'], broken: ['failed'], cut: ['failed'] } });
      expect(timesAsked(seen, '/after-bomb.png')).toBe(1);
    },
  },
  {
    name: 'odd-framing', title: 'Answers that browsers read and parsers do not, to GET and POST: spaces behind the sizes of chunks, a length beside them; had at once, or when their page asks again',
    site: {
      '/padded': ({ socket }) => void socket.end(`${CHUNKED}\r\n2  \r\nok\r\n0\r\n\r\n`),
      'other/both': ({ socket }) => void socket.end(`${CHUNKED}Access-Control-Allow-Origin: *\r\nContent-Length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n`),
      '/': scripted(`const asked = (url, method) => fetch(url, { method }).then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error()))).catch(() => 'failed');
        for (const [url, method] of [['padded', 'GET'], ['{other}/both', 'POST']]) { let told = 'failed'; for (let tries = 0; tries < 3 && told === 'failed'; tries += 1) told = await asked(url, method); note(method, told); }`),
    },
    expects: (seen) => expect(seen.page).toMatchObject({ notes: { GET: ['ok'], POST: ['ok'] } }),
    // the first one may be cut off
    compared: ({ page: told }) => (told as { notes: unknown }).notes,
  },
]);
