import { expect, it } from 'vitest';
import { limitOf, tableOf, type Step } from './results.ts';

const STEP: Step = { users: 200, seconds: 30, pages: 300, failedPages: 0, objects: 10_800, addedMs: { p50: 1, p95: 4.25, p99: 9 }, directMs: { p50: 1, p95: 2 }, relayProcessor: 0.5, haproxyProcessor: null, usersProcessor: 0.4, idleBytesOfUser: 102_400, peakBytesOfUser: 204_800, limit: null };

it.each<[Step['limit'], Partial<Step>]>([
  [null, {}],
  ['relay processor', { relayProcessor: 0.95 }],
  ['users processor', { usersProcessor: 0.9 }],
  ['added time', { addedMs: { p50: 1, p95: 51, p99: 60 } }],
  ['failed pages', { failedPages: 1, relayProcessor: 1 }],
])('the limit is %s', (limit, change) => expect(limitOf({ ...STEP, ...change })).toBe(limit));

it('a row a step', () => {
  expect(tableOf([STEP, { ...STEP, haproxyProcessor: 0.1, limit: 'added time' }]).trim().split('\n').slice(2)).toEqual([
    '| 200 | 10.0 | 1.0 | 4.3 | 9.0 | 2.0 | 50 % |  | 40 % | 100 | 200 |  |',
    '| 200 | 10.0 | 1.0 | 4.3 | 9.0 | 2.0 | 50 % | 10 % | 40 % | 100 | 200 | added time |',
  ]);
});
