import { expect, it } from 'vitest';
import { connectionOptions, parseServingNote, readSysctl } from './servingNote.ts';

it.each([
  ['{"pid": 7, "release": "1.2.3", "port": 4433, "lowatBytes": 16384, "congestion": "bbr"}', { pid: 7, release: '1.2.3', port: 4433, proxyPort: null, lowatBytes: 16_384, congestion: 'bbr' }],
  ['{"pid": 7, "release": "1.2.3", "port": 4433, "lowatBytes": null, "congestion": "cubic"}', { pid: 7, release: '1.2.3', port: 4433, proxyPort: null, lowatBytes: null, congestion: 'cubic' }],
  ['{"pid": 0, "release": "1.2.3", "port": 4433, "lowatBytes": null}', null],
  ['{"pid": 7}', null],
  ['{', null],
  ['', null],
])('reads %s', (text, note) => {
  expect(parseServingNote(text)).toEqual(note);
});

const sysctls = (lowat: string) => (name: string) => (name === 'net.ipv4.tcp_notsent_lowat' ? lowat : 'cubic');

it.each([
  ['the launcher says it', { FIRSTSCREEN_NOTSENT_LOWAT: '16384', FIRSTSCREEN_CONGESTION: 'bbr' }, true, '4294967295', { lowatBytes: 16_384, congestion: 'bbr' }],
  ['the launcher was for another socket', { FIRSTSCREEN_NOTSENT_LOWAT: '16384', FIRSTSCREEN_CONGESTION: 'bbr' }, false, '4294967295', { lowatBytes: null, congestion: 'cubic' }],
  ['the namespace has it', {}, false, '16384', { lowatBytes: 16_384, congestion: 'cubic' }],
  ['nobody has', {}, true, '4294967295', { lowatBytes: null, congestion: 'cubic' }],
  ['the kernel does not say', {}, true, '', { lowatBytes: null, congestion: 'cubic' }],
  ['the launcher says nonsense', { FIRSTSCREEN_NOTSENT_LOWAT: 'x' }, true, '16384', { lowatBytes: null, congestion: 'cubic' }],
] as const)('how connections are where %s', (_case, env, isGiven, lowat, wanted) => {
  expect(connectionOptions(env, isGiven, sysctls(lowat))).toEqual(wanted);
});

it('reads what the kernel says, and nothing of what it does not know', () => {
  expect(readSysctl('net.ipv4.tcp_congestion_control')).toMatch(/^\w+$/);
  expect(readSysctl('net.ipv4.no_such_setting')).toBe('');
});
