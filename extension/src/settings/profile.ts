import { PROFILE } from '../../../shared/src/memory/cachedUntil.ts';

const KEY = 'profile';

let made: Promise<string> | null = null;

/**
 * Names this profile of the browser to the helper, whose memory tells by it whose cache has what. Random, made once, and
 * said to nobody else.
 */
export function profileName(): Promise<string> {
  made ??= read();
  return made;
}

async function read(): Promise<string> {
  const { [KEY]: known } = await chrome.storage.local.get(KEY);
  if (typeof known === 'string' && PROFILE.test(known)) return known;
  const name = crypto.randomUUID();
  await chrome.storage.local.set({ [KEY]: name });
  return name;
}
