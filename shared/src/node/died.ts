import { codeOf } from '../errors.ts';

/**
 * Ends this process for a defect, for `uncaughtException`. The class and our own frames are told: the text of an unknown error may hold what a page or an extension sent, or an address.
 *
 * @param origin 'unhandledRejection' where a promise told of it: an error's frames are those of its making
 */
export function died(error: Error, origin: NodeJS.UncaughtExceptionOrigin): void {
  const frames = error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at ')) : [];
  process.stderr.write(`${JSON.stringify({ level: 'error', scope: 'main', message: 'died of a defect', code: codeOf(error), error: error.name, origin, frames })}\n`);
  process.exit(1);
}
