import { beforeEach, describe, expect, it } from 'vitest';
import { NamedServers } from './namedServers.ts';

const PAGE = 'https://www.page.test';
const TTL_MS = 30_000;

describe('NamedServers', () => {
  let nowMs: number;
  let connected: string[];
  let counts: number[];
  let servers: NamedServers;

  beforeEach(() => {
    [nowMs, connected, counts] = [1, [], []];
    servers = new NamedServers(
      (origin, connections) => {
        connected.push(origin);
        counts.push(connections);
      },
      TTL_MS,
      () => nowMs,
    );
    servers.navigated(PAGE);
  });

  it('connects to a server of the page\'s own site when the page names it, once', () => {
    for (let time = 0; time < 2; time += 1) servers.named(PAGE, 'https://img.page.test');
    expect(connected).toEqual(['https://img.page.test']);
  });

  it('connects to a third party only after the browser has asked one of its site for this page', () => {
    servers.named(PAGE, 'https://img1.third.test');
    servers.named(PAGE, 'https://img2.third.test');
    servers.named(PAGE, 'https://fourth.test');
    expect(connected).toEqual([]);
    servers.asked('https://other.test', 'https://js.third.test');
    expect(connected).toEqual([]);
    servers.asked(PAGE, 'https://js.third.test');
    expect(connected).toEqual(['https://img1.third.test', 'https://img2.third.test']);
    servers.named(PAGE, 'https://img3.third.test');
    expect(connected).toHaveLength(3);
  });

  it('makes one connection to a server of http: for each object, but two are left to others', () => {
    const page = 'http://www.page.test';
    servers.navigated(page);
    for (let time = 0; time < 6; time += 1) servers.named(page, 'http://img.page.test');
    expect(counts).toEqual([1, 2, 3, 4]);
    for (let time = 0; time < 3; time += 1) servers.named(page, 'http://img.third.test');
    servers.asked(page, 'http://js.third.test');
    expect([connected.at(-1), counts.at(-1)]).toEqual(['http://img.third.test', 3]);
    servers.asked(page, 'http://img.page.test');
    servers.named(page, 'http://img.page.test');
    expect(counts).toHaveLength(5);
  });

  it.each([
    ['customers of one provider (public suffixes of companies)', 'https://a.github.io', 'https://b.github.io'],
    ['names below a country\'s second level', 'https://a.co.uk', 'https://b.co.uk'],
    ['addresses', 'http://20.1.1.1', 'http://20.2.1.1'],
  ])('takes %s for sites of their own', (_, asked, named) => {
    servers.asked(PAGE, asked);
    servers.named(PAGE, named);
    expect(connected).toEqual([]);
  });

  it('makes none to a server that the browser has asked itself', () => {
    servers.named(PAGE, 'https://img.third.test');
    servers.asked(PAGE, 'https://img.third.test');
    servers.named(PAGE, 'https://img.third.test');
    expect(connected).toEqual([]);
  });

  it('makes none for a page that has six, and begins anew with its next load', () => {
    const names = Array.from({ length: 9 }, (_, index) => `https://s${index}.page.test`);
    for (const name of names) servers.named(PAGE, name);
    expect(connected).toEqual(names.slice(0, 6));
    servers.navigated(PAGE);
    for (const name of names) servers.named(PAGE, name);
    expect(connected).toHaveLength(12);
  });

  it('makes none for what is no page, or has loaded', () => {
    servers.named('https://elsewhere.test', 'https://img.elsewhere.test');
    nowMs += TTL_MS + 1;
    servers.named(PAGE, 'https://img.page.test');
    expect(connected).toEqual([]);
  });
});
