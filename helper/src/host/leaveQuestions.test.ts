import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LeaveQuestions } from './leaveQuestions.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('gives each question its own answer', async () => {
  const asked: { id: number; host: string }[] = [];
  const questions = new LeaveQuestions(({ id, payload }) => asked.push({ id, host: payload.host }));
  const answers = [questions.leave('a.test'), questions.leave('b.test')];
  expect(asked.map(({ host }) => host)).toEqual(['a.test', 'b.test']);
  questions.answered(asked[1]?.id ?? -1, true);
  questions.answered(asked[0]?.id ?? -1, false);
  questions.answered(99, true);
  expect(await Promise.all(answers)).toEqual([false, true]);
});

it('takes no answer for a no', async () => {
  const questions = new LeaveQuestions(() => undefined);
  const answer = questions.leave('a.test');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await answer).toBe(false);
});
