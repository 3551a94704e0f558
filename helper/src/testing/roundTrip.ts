/** Measures question and answer with a real helper process: `node helper/src/testing/roundTrip.ts`. */
import { PROTOCOL_VERSION, type ExtensionMessage } from '../../../shared/src/protocol/native.ts';
import { startHelper } from './startHelper.ts';

const QUESTIONS = 1000;
const PLANS = 200;
const PLAN_OBJECTS = 1000;

const helper = startHelper();
const startedMs = performance.now();
await helper.hello();
const helloMs = performance.now() - startedMs;
const pingMs = await measure(QUESTIONS, (id) => ({ v: PROTOCOL_VERSION, id, type: 'ping', payload: {} }));
const planMs = await measure(PLANS, planQuestion);
await helper.close();
process.stdout.write(`${JSON.stringify({ helloMs, ping: summary(pingMs), [`plan${PLAN_OBJECTS}`]: summary(planMs) }, null, 2)}\n`);

async function measure(times: number, question: (id: number) => ExtensionMessage): Promise<number[]> {
  const durationsMs: number[] = [];
  for (let id = 1; id <= times; id += 1) {
    const message = question(id);
    const askedMs = performance.now();
    await helper.ask(message);
    durationsMs.push(performance.now() - askedMs);
  }
  return durationsMs.sort((a, b) => a - b);
}

function planQuestion(id: number): ExtensionMessage {
  const objects = Array.from({ length: PLAN_OBJECTS }, (_, index) => ({
    id: index,
    url: `https://images.example/photograph-${index}.jpg`,
    index,
    placement: { state: 'placed' as const, rect: { x: (index * 7919) % 1200, y: (index * 104_729) % 20_000, width: 300, height: 200 } },
  }));
  return { v: PROTOCOL_VERSION, id, type: 'plan', payload: { document: 'round-trip', view: { x: 0, y: 0, width: 1366, height: 768 }, objects } };
}

function summary(sortedMs: readonly number[]): Record<string, number> {
  const at = (share: number): number => sortedMs[Math.floor(share * (sortedMs.length - 1))] ?? NaN;
  return { n: sortedMs.length, medianMs: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}
