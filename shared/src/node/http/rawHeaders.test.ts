import { describe, expect, it } from 'vitest';
import { endToEnd, groupedFields, valueOf, valuesOf } from './rawHeaders.ts';

describe('raw headers', () => {
  it('what belongs to one connection does not go on, nor what Connection names', () => {
    const headers = ['Host', 'a.test', 'Proxy-Authorization', 'Basic secret', 'Connection', 'keep-alive, X-Hop', 'connection', 'X-Other', 'X-Hop', '1', 'x-other', '2', 'TE', 'trailers', 'Transfer-Encoding', 'chunked', 'HTTP2-Settings', 'AAMAAABk', 'Accept', '*/*'];
    expect(endToEnd(headers)).toEqual(['Host', 'a.test', 'Accept', '*/*']);
  });

  it('order, case and repetition stay', () => {
    const headers = ['Set-Cookie', 'a=1', 'x-B', ' v ', 'set-cookie', 'b=2'];
    expect(endToEnd(headers)).toEqual(headers);
    expect(valuesOf(headers, 'set-cookie')).toEqual(['a=1', 'b=2']);
  });

  it('by names, those of an object of JavaScript are names as any', () => {
    const grouped = groupedFields(['Link', '</a>', 'constructor', 'x', '__proto__', 'y', 'link', '</b>']);
    expect(Object.entries(grouped)).toEqual([['link', ['</a>', '</b>']], ['constructor', ['x']], ['__proto__', ['y']]]);
  });

  it('a value is one only when it is the only one', () => {
    expect([valueOf(['A', '1', 'b', '2'], 'a'), valueOf(['A', '1', 'a', '2'], 'a'), valueOf([], 'a')]).toEqual(['1', null, null]);
  });
});
