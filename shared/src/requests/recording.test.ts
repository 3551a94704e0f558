import { expect, it } from 'vitest';
import { FetchClass } from '../fetching/fetchObject.ts';
import { Recording } from './recording.ts';
import type { RequestEvent } from './requestEvent.ts';

it('has a recorder while somebody listens, who hears all of it, and none else', () => {
  let nowMs = 0;
  const recording = new Recording(() => nowMs++);
  const [first, second]: [RequestEvent[], RequestEvent[]] = [[], []];
  expect(recording.recorder).toBeNull();
  const endFirst = recording.listen((event) => first.push(event));
  recording.recorder?.asked(0, 'https://a.test/', FetchClass.layout, true);
  const endSecond = recording.listen((event) => second.push(event));
  recording.recorder?.sent(0, 1, FetchClass.layout);
  endFirst();
  recording.recorder?.ended(0, 'whole', FetchClass.layout);
  endSecond();
  expect(recording.recorder).toBeNull();
  expect(first.map(({ type }) => type)).toEqual(['asked', 'sent']);
  expect(second.map(({ type, atMs }) => [type, atMs])).toEqual([['sent', 1], ['end', 2]]);
});

it('begins anew with the next listener: what was under way before is not told as if it had begun', () => {
  const recording = new Recording(() => 0);
  recording.listen(() => undefined)();
  const events: RequestEvent[] = [];
  recording.listen((event) => events.push(event));
  recording.recorder?.answered(7, 100);
  recording.recorder?.received(7, 100);
  recording.recorder?.ended(7, 'whole', FetchClass.layout);
  expect(events).toEqual([]);
});
