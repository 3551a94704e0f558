import { describe, expect, it } from 'vitest';
import { followedAnswer, followedRequest } from './exchangeHeads.ts';

const ORIGIN = 'http://192.0.2.1';
const host = ['Host', 'a.test'];

describe('a request of a program', () => {
  it('is followed with what names its object, and nothing of its connection', () => {
    const request = followedRequest({ startLine: 'GET /a?b HTTP/1.1', fields: [...host, 'Connection', 'keep-alive, X-Hop', 'X-Hop', '1', 'Cookie', 'c=d'] }, ORIGIN);
    expect(request).toMatchObject({ method: 'GET', origin: ORIGIN, path: '/a?b', headers: [...host, 'Cookie', 'c=d'], body: null });
  });

  it.each([
    ['HEAD', 'HEAD / HTTP/1.1', host],
    ['POST', 'POST / HTTP/1.1', [...host, 'Content-Length', '1']],
    ['CONNECT', 'CONNECT a.test:443 HTTP/1.1', host],
    ['to a proxy', 'GET http://a.test/ HTTP/1.1', host],
    ['of HTTP/1.0', 'GET / HTTP/1.0', host],
    ['without a host', 'GET / HTTP/1.1', []],
    ['with two hosts', 'GET / HTTP/1.1', [...host, ...host]],
    ['with a body', 'GET / HTTP/1.1', [...host, 'content-length', '3']],
    ['with a body in chunks', 'GET / HTTP/1.1', [...host, 'Transfer-Encoding', 'chunked']],
    ['that would change the protocol', 'GET / HTTP/1.1', [...host, 'Connection', 'Upgrade', 'Upgrade', 'websocket']],
    ['that authenticates its connection', 'GET / HTTP/1.1', [...host, 'Authorization', 'NTLM abc']],
    ['with a space in its path', 'GET /a b HTTP/1.1', host],
  ])('%s is not', (_, startLine, fields) => expect(followedRequest({ startLine, fields }, ORIGIN)).toBeNull());
});

describe('an answer to a program', () => {
  it.each([
    ['200 OK', ['Content-Length', '12'], 12],
    ['206 Partial Content', ['Content-Length', '3'], 3],
    ['404 Not Found', ['Content-Length', '0'], 0],
    ['304 Not Modified', ['Content-Length', '12'], 0],
    ['204 No Content', [], 0],
    ['100 Continue', [], null],
    ['101 Switching Protocols', ['Content-Length', '0'], null],
    ['200 OK', [], null],
    ['200 OK', ['Content-Length', '1', 'Content-Length', '2'], null],
    ['200 OK', ['Content-Length', '-1'], null],
    ['200 OK', ['Content-Length', '5', 'Transfer-Encoding', 'chunked'], null],
  ])('%s with %j has a body of %s bytes', (status, fields, lengthBytes) => {
    expect(followedAnswer({ startLine: `HTTP/1.1 ${status}`, fields })?.lengthBytes ?? null).toBe(lengthBytes);
  });

  it.each(['HTTP/1.0 200 OK', 'HTTP/2 200 OK', 'ICY 200 OK', 'HTTP/1.1 2000 OK', ''])('that begins with "%s" is let go', (startLine) => {
    expect(followedAnswer({ startLine, fields: ['Content-Length', '1'] })).toBeNull();
  });
});
