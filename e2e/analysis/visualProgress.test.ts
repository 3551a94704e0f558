import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testFrame, VIEW } from './testArtifacts.ts';
import { visualMetrics } from './visualProgress.ts';

const ALL = new Uint8Array(VIEW.width * VIEW.height).fill(1);
const half = { x: 0, y: 0, width: 20, height: 20 };
const whole = { x: 0, y: 0, width: 40, height: 20 };

describe('visualMetrics', () => {
  it('integrates what is still missing over time', () => {
    const frames = [testFrame(0, []), testFrame(1_000, [half]), testFrame(3_000, [whole])];
    // Nothing for 1 s, half for 2 s: 1000 + 0.5 * 2000.
    expect(visualMetrics(frames, ALL, 0)).toEqual({ speedIndexMs: 2_000, visuallyCompleteMs: 3_000 });
  });

  it('takes a blank white page as the start when there is no frame before navigation', () => {
    expect(visualMetrics([testFrame(1_000, [half]), testFrame(3_000, [whole])], ALL, 0).speedIndexMs).toBe(2_000);
  });

  it('does not take for progress what is drawn before a server has heard of the page', () => {
    const frames = [testFrame(0, []), testFrame(1_000, [half]), testFrame(3_000, [whole])];
    const early = [testFrame(0, [whole]), testFrame(12, []), ...frames.slice(1)];
    expect(visualMetrics(early, ALL, 400).speedIndexMs).toBe(visualMetrics(frames, ALL, 400).speedIndexMs);
  });

  it('is complete at the first frame when nothing changes after it', () => {
    expect(visualMetrics([testFrame(0, []), testFrame(700, [whole]), testFrame(900, [whole])], ALL, 0).visuallyCompleteMs).toBe(700);
  });

  it('gives no Speed Index above the time of the last frame', () => {
    const frameList = fc.array(fc.record({ gapMs: fc.integer({ min: 1, max: 500 }), width: fc.integer({ min: 1, max: 40 }) }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(frameList, (steps) => {
        let atMs = 0;
        const frames = [testFrame(0, []), ...steps.map(({ gapMs, width }) => testFrame((atMs += gapMs), [{ x: 0, y: 0, width, height: 20 }]))];
        const { speedIndexMs, visuallyCompleteMs } = visualMetrics(frames, ALL, 0);
        expect(speedIndexMs).toBeGreaterThanOrEqual(0);
        expect(speedIndexMs).toBeLessThanOrEqual(atMs);
        expect(visuallyCompleteMs).toBeLessThanOrEqual(atMs);
      }),
    );
  });
});
