import { expect, it } from 'vitest';
import { lowatOf, parseServingNote, readSysctl } from './servingNote.ts';

it.each([
  ['{"pid": 7, "release": "1.2.3", "port": 4433, "lowatBytes": 16384}', { pid: 7, release: '1.2.3', port: 4433, lowatBytes: 16_384 }],
  ['{"pid": 7, "release": "1.2.3", "port": 4433, "lowatBytes": null}', { pid: 7, release: '1.2.3', port: 4433, lowatBytes: null }],
  ['{"pid": 0, "release": "1.2.3", "port": 4433, "lowatBytes": null}', null],
  ['{"pid": 7}', null],
  ['{', null],
  ['', null],
])('reads %s', (text, note) => {
  expect(parseServingNote(text)).toEqual(note);
});

it.each([
  ['the launcher has set it', { FIRSTSCREEN_NOTSENT_LOWAT: '16384' }, true, '4294967295', 16_384],
  ['the launcher was for another socket', { FIRSTSCREEN_NOTSENT_LOWAT: '16384' }, false, '4294967295', null],
  ['the namespace has it', {}, false, '16384\n', 16_384],
  ['nobody has', {}, true, '4294967295', null],
  ['the kernel does not say', {}, true, '', null],
  ['the launcher says nonsense', { FIRSTSCREEN_NOTSENT_LOWAT: 'x' }, true, '16384', null],
] as const)('what is held unsent where %s', (_case, env, isGiven, sysctl, bytes) => {
  expect(lowatOf(env, isGiven, sysctl)).toBe(bytes);
});

it('reads what the kernel says, and nothing of what it does not know', () => {
  expect(readSysctl('net.ipv4.tcp_congestion_control')).toMatch(/^\w+$/);
  expect(readSysctl('net.ipv4.no_such_setting')).toBe('');
});
