import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FirstscreenError } from '../../../../shared/src/errors.ts';
import { FarFailure } from './sshConnection.ts';
import { carryOutOrUndo, type UndoableStep } from './undoable.ts';

const nobody = (): void => undefined;

it('leaves what was there before, whichever step fails, and undoes in reverse', async () => {
  await fc.assert(fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }), fc.nat(), async (hasUndo, seed) => {
    const fails = seed % (hasUndo.length + 1);
    const log: string[] = [];
    const steps = hasUndo.map((undone, at): UndoableStep => ({
      what: `do ${at}`,
      command: null,
      run: () => (at === fails ? Promise.reject(new FarFailure('no')) : Promise.resolve(void log.push(`do ${at}`))),
      ...(undone ? { undo: { what: `undo ${at}`, run: () => Promise.resolve(void log.push(`undo ${at}`)) } } : {}),
    }));
    const outcome = carryOutOrUndo(steps, nobody, 'x');
    const begun = hasUndo.map((_undone, at) => at).filter((at) => at < fails);
    if (fails === hasUndo.length) await outcome;
    else await expect(outcome).rejects.toMatchObject({ code: 'E_RELAY_SETUP', message: `Could not do ${fails}: no.` });
    const undone = fails === hasUndo.length ? [] : hasUndo.map((_undone, at) => at).filter((at) => at <= fails && hasUndo[at] === true).toReversed();
    expect(log).toEqual([...begun.map((at) => `do ${at}`), ...undone.map((at) => `undo ${at}`)]);
  }));
});

it('says what could not be taken back, and keeps the code of what failed', async () => {
  const steps: UndoableStep[] = [
    { what: 'a', command: null, run: () => Promise.resolve(), undo: { what: 'remove a', run: () => Promise.reject(new FarFailure('gone')) } },
    { what: 'b', command: null, run: () => Promise.reject(new FirstscreenError('E_SSH', 'Lost.', 'Look.')) },
  ];
  await expect(carryOutOrUndo(steps, nobody, 'Run it again.')).rejects.toMatchObject({ code: 'E_SSH', message: 'Could not b: Lost.', next: 'Look. Something may be left (could not remove a). Run it again.' });
});

it('hides no defect', async () => {
  await expect(carryOutOrUndo([{ what: 'a', command: null, run: () => Promise.reject(new TypeError('x')) }], nobody, 'x')).rejects.toThrow(TypeError);
});
