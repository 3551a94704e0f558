import { codeOf } from '../../../shared/src/errors.ts';
import { PROFILE } from '../../../shared/src/memory/cachedUntil.ts';
import { log } from './log.ts';

const KEY = 'profile';

let made: Promise<string> | null = null;

/**
 * Names this profile of the browser to the helper, whose memory tells by it whose cache has what. Random, made once, and
 * said to nobody else. Where nothing can be stored it is another one each time.
 */
export function profileName(): Promise<string> {
  made ??= read();
  return made;
}

async function read(): Promise<string> {
  const name = crypto.randomUUID();
  try {
    const { [KEY]: known } = await chrome.storage.local.get(KEY);
    if (typeof known === 'string' && PROFILE.test(known)) return known;
    await chrome.storage.local.set({ [KEY]: name });
  } catch (error) {
    log('warn', 'helper', codeOf(error), 'the name of this profile could not be kept');
  }
  return name;
}
