import * as v from 'valibot';
import { FirstscreenError } from '../../../shared/src/errors.ts';

/** @throws FirstscreenError E_RELAY_SETTINGS, which says what is wrong where, and in the end what to run in place of mending it */
export function parsedSettings<T>(schema: v.GenericSchema<unknown, T>, text: string, name: 'relay.json' | 'proxy.json', anew: string): T {
  try {
    return v.parse(schema, JSON.parse(text));
  } catch (cause) {
    const [issue] = cause instanceof v.ValiError ? (cause.issues as v.BaseIssue<unknown>[]) : [];
    // what our own rules say is a sentence
    const what = issue === undefined ? 'it is no JSON' : `${v.getDotPath(issue) ?? 'the whole'} ${issue.type === 'regex' || issue.type === 'check' ? '' : 'is wrong: '}${issue.message}`;
    throw new FirstscreenError('E_RELAY_SETTINGS', `${name} can not be used: ${what}.`, `Mend it, or ${anew}.`, { cause });
  }
}

/** What was to become settings, on the command line. */
export function wrongOption(what: string, cause?: unknown): FirstscreenError {
  return new FirstscreenError('E_OPTION', `The command line is wrong: ${what}.`, 'See "firstscreen-relay --help".', { cause });
}
