import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MAX_URL_CHARS } from '../../../shared/src/protocol/content.ts';
import { MAX_REQUEST_EVENTS, parseHelperMessage, type HelperMessageOf } from '../../../shared/src/protocol/native.ts';
import { Recording } from '../../../shared/src/requests/recording.ts';
import type { RequestEvent } from '../../../shared/src/requests/requestEvent.ts';
import { encodeMessage } from './messageCodec.ts';
import { RequestNews } from './requestNews.ts';

const WALL_MS = 1_700_000_000_000;
const URL_A = 'https://a.test/a.jpg';

let nowMs: number;
let output: { isFull: boolean; said: HelperMessageOf<'requests'>[]; say: (message: HelperMessageOf<'requests'>) => void };
let recording: Recording;
let news: RequestNews;

beforeEach(() => {
  vi.useFakeTimers();
  nowMs = 1_000;
  output = { isFull: false, said: [], say: (message) => output.said.push(message) };
  recording = new Recording(() => nowMs);
  news = new RequestNews(recording, output, () => WALL_MS + nowMs);
});
afterEach(() => vi.useRealTimers());

const events = (): RequestEvent[] => output.said.flatMap(({ payload }) => payload.events);
const name = (count: number, url = URL_A): void => {
  for (let i = 0; i < count; i += 1) recording.recorder?.named(url, 'document');
};

it('records nothing, and keeps no timer, until it is wanted, and when it is no more', () => {
  expect(recording.recorder).toBeNull();
  news.want(true);
  news.want(true);
  name(3);
  news.want(false);
  expect(recording.recorder).toBeNull();
  expect(vi.getTimerCount()).toBe(0);
  news.want(true);
  name(1);
  vi.runAllTimers();
  expect(events()).toHaveLength(1);
});

it('tells a burst at once, with the wall clock beside the events\' own', () => {
  news.want(true);
  name(2);
  expect(output.said).toEqual([]);
  vi.advanceTimersByTime(250);
  expect(output.said).toHaveLength(1);
  expect(output.said[0]?.payload).toMatchObject({ wallOffsetMs: WALL_MS, events: [{ type: 'named', atMs: 1_000, url: URL_A }, {}] });
  expect(vi.getTimerCount()).toBe(0);
});

it('waits for no timer when many have come, and says no more than the limit in one message', () => {
  news.want(true);
  name(MAX_REQUEST_EVENTS);
  expect(output.said.map(({ payload }) => payload.events.length)).toEqual([MAX_REQUEST_EVENTS]);
});

it('fits the protocol and its frames, however long the URLs are', () => {
  news.want(true);
  const long = `https://a.test/${'ü'.repeat(MAX_URL_CHARS - 20)}`;
  name(MAX_REQUEST_EVENTS, long);
  name(1, `${URL_A}?${'x'.repeat(MAX_URL_CHARS)}`);
  vi.runAllTimers();
  for (const message of output.said) {
    expect(parseHelperMessage(JSON.parse(JSON.stringify(message)))).toEqual(message);
    expect(() => encodeMessage(message)).not.toThrow();
  }
  expect(events()).toHaveLength(MAX_REQUEST_EVENTS + 1);
  expect(events().at(-1)).toMatchObject({ type: 'lost', count: 1 });
});

it('keeps what a browser does not take, the latest of it, and counts what is lost', () => {
  news.want(true);
  output.isFull = true;
  name(10_500);
  vi.advanceTimersByTime(1_000);
  expect(output.said).toEqual([]);
  output.isFull = false;
  vi.advanceTimersByTime(250);
  expect(events()[0]).toMatchObject({ type: 'lost', count: 500 });
  expect(events()).toHaveLength(10_001);
});
