import { expect, it } from 'vitest';
import { TerminatedHosts } from './terminatedHosts.ts';

const NOBODYS = (): boolean => false;

it.each([
  ['a.test', true], ['www.a.test', true], ['A.test.', true], ['nota.test', false], ['b.test', false],
])('of those that the user has named: %s %s', (host, expected) => {
  expect(new TerminatedHosts(['a.test'], NOBODYS).has(host)).toBe(expected);
});

it('all are, where the user wants that', () => expect(new TerminatedHosts('all', NOBODYS).has('a.test')).toBe(true));

it('nobody looks into what is kept closed here, whatever the user has named', () => {
  const isKeptClosed = (host: string): boolean => host === 'bank.test';
  expect([new TerminatedHosts('all', isKeptClosed).has('bank.test'), new TerminatedHosts(['bank.test'], isKeptClosed).has('bank.test')]).toEqual([false, false]);
});

it.each([
  ['all', 'all'], [['a.test'], 'site'], [['www.a.test'], null], [['b.test'], null],
] as const)('of %j the relay may know others that a page of www.a.test names: %s', (terminate, expected) => {
  expect(new TerminatedHosts(terminate, NOBODYS).besides('https://www.a.test')).toBe(expected);
});

it('none is by default', () => expect(new TerminatedHosts([], NOBODYS).has('a.test')).toBe(false));
