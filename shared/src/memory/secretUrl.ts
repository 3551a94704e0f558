import { afterOrigin } from '../page/origin.ts';

/**
 * What of an address is nobody's to keep, as far as its looks tell. Anybody who reads the memory could open what such an
 * address opens.
 *
 * | looks like | rule |
 * | --- | --- |
 * | an address that is good once: to confirm, reset, invite, sign in | a page is not kept at all (`isSingleUse`) |
 * | a part of a page's path that is made at random, an e-mail address | `*` stands for it (`maskedPart`) |
 * | a parameter of a path (`;jsessionid=`) | is cut (`maskedPart`) |
 * | an object that only its owner is given the address of | is not kept (`hasSecretPath`, `hasSecretQuery`) |
 *
 * It errs on the side of not keeping, which costs a visit its speed and nothing else.
 */

/** Letters and digits mixed, or many digits, or mixed case, without a break: it is made at random, and not written. */
const MIN_RANDOM_CHARS = 12;
/** Longer than a hash of a build (SHA-1 in hexadecimal), which is in the names of many public files. */
const MIN_SECRET_CHARS = 41;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
/** Behind a file's name a build puts a longer one, too (SHA-256: Sprockets, Hugo). */
const HASH_OF_BUILD = /(?<=\w[-.])[\da-f]{64}(?=\.[a-z\d.]{2,12}$)/i;
/** A word, a number or the size of a picture; shorter than `MIN_RANDOM_CHARS` where it is of digits. */
const WRITTEN = /^(?:[A-Z]?[a-z]*|[A-Z]+|\d{1,11}|\d{1,5}x\d{1,5})$/;
/** What of a name is in letters beyond ASCII, as an address has it (UTF-8): they are written. */
const OTHER_LETTERS = /(?:%[89a-f][\da-f])+/gi;

/** What somebody does once: a part of a path that says so leads to what is for him alone. */
const ACTIONS = words(`
  activate activation callback confirm confirmation invitation invitations invite invites magiclink magiclogin oauth optout otp recover recovery
  reset saml sso token tokens unsubscribe validate validation verification verify
`);
/** What may stand beside them in such a part, as in `reset-your-password`; with any other word it is a title. */
const BESIDE_ACTIONS = words(`
  accept account address auth authentication by code complete decline device do email finish forgot forgotten identity join link login lost mail
  member membership my new newsletter number org organization pass passwd password phone process pw pwd registration request sign signin signup
  subscription team the up user users via with workspace your
`);
/** Names of parameters whose values open something, once or for a time, or sign an address. */
const SECRET_NAMES = words(`
  activation assertion auth confirm confirmation expires hmac invitation invite jwt magic nonce oob otp passcode passwd password pin pwd reset saml
  samlart samlrequest samlresponse secret sig signature ticket unsubscribe verification verify
`);
/** Names of parameters that tell whose session it is: the page is the same for others, as its query is not kept. */
const SESSION_NAMES = words('phpsessid session sessionid sess sid');
/** As servers write sessions into paths where they use no cookies: `;jsessionid=`, and `(S(…))` of ASP.NET. */
const SESSION_IN_PATH = /;[^/;]*=|\/\([a-z]\([a-z\d]+\)\)/i;
/** Names of parameters with many uses: only what is random in them opens something. */
const AMBIGUOUS_NAMES = words('code id key state');

/** Whether an address answers one person, or once, as far as it tells: the page is not worth remembering, and not to be. */
export function isSingleUse(url: string): boolean {
  const { path, query } = partsOf(url);
  const parts = path.split('/').map(withoutParameters).filter((part) => part !== '');
  const isFollowed = (place: number): boolean => place < parts.length - 1 || query !== '';
  if (parts.some((part, place) => isAction(part) && isFollowed(place))) return true;
  return [...parts.filter((part) => part.includes('=')), ...parametersOf(query)].some(isSecretParameter);
}

/** A part of a page's path without what is nobody's to keep. */
export function maskedPart(part: string): string {
  const plain = withoutParameters(part);
  return isRandom(plain) || isMailAddress(plain) ? '*' : plain;
}

/** Whether the address of an object looks like one that only its owner is given. */
export function hasSecretPath(url: string): boolean {
  const { path } = partsOf(url);
  return SESSION_IN_PATH.test(path) || path.split('/').some((part) => randomChars(part) >= MIN_SECRET_CHARS);
}

/** The same, by a query of which any value may be one; an address that is signed, or good for a time, is one too. */
export function hasSecretQuery(url: string): boolean {
  const { query } = partsOf(url);
  return hasSecretPath(url) || query.split(/[^a-z0-9]/i).some(isRandom) || parametersOf(query).some((parameter) => isSecretParameter(parameter) || isSession(parameter));
}

/** What stands behind `;` in a part of a path is mostly a session. */
function withoutParameters(part: string): string {
  return part.split(';', 1)[0] ?? '';
}

function isAction(part: string): boolean {
  const said = wordsIn(part.replace(/\.[a-z]{2,5}$/i, ''));
  const acts = (word: string): boolean => ACTIONS.has(word);
  return acts(said.join('')) || (said.some(acts) && said.every((word) => acts(word) || BESIDE_ACTIONS.has(word)));
}

/** @param parameter as `NAME=VALUE`, or a value without a name */
function isSecretParameter(parameter: string): boolean {
  const [name = '', value] = parameter.split(/=(.*)/s, 2);
  if (value === undefined) return isRandom(name);
  const said = wordsIn(name);
  const opens = (word: string): boolean => SECRET_NAMES.has(word) || /tokens?$/.test(word);
  return value !== '' && (said.some(opens) || (isRandom(value) && said.some((word) => AMBIGUOUS_NAMES.has(word))));
}

function isSession(parameter: string): boolean {
  return wordsIn(parameter.split('=', 1)[0] ?? '').some((word) => SESSION_NAMES.has(word));
}

/** Words are short, and of one case; a UUID counts as one run. */
function isRandom(part: string): boolean {
  return part.search(UUID) >= 0 || runsOf(part).some((run) => run.length >= MIN_RANDOM_CHARS && (/\d/.test(run) || /[a-z][A-Z]+[a-z]/.test(run) || run.length >= MIN_SECRET_CHARS) && !isWritten(run));
}

/**
 * How much of a file's name is not written: of words and numbers nothing, however many underscores part; of random bytes
 * (base64url, which has `-` and `_`, too) nearly all.
 */
function randomChars(name: string): number {
  const words = runsOf(name.replace(HASH_OF_BUILD, '').replace(UUID, '')).flatMap((run) => run.split('_'));
  return words.reduce((chars, word) => chars + (isWritten(word) ? 0 : word.length), 0);
}

function runsOf(name: string): string[] {
  return name.replace(OTHER_LETTERS, '').split(/[-.,+ ]|%20/);
}

function isWritten(run: string): boolean {
  return run.split(/[^a-z\d]/i).every((word) => word.length < MIN_SECRET_CHARS && WRITTEN.test(word));
}

function isMailAddress(part: string): boolean {
  const [name = '', host = '', ...more] = part.split(/@|%40/);
  return name !== '' && more.length === 0 && /\.[a-z]{2,}$/i.test(host);
}

function partsOf(url: string): { readonly path: string; readonly query: string } {
  const [, path = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(afterOrigin(url)) ?? [];
  return { path, query };
}

function parametersOf(query: string): string[] {
  return query.split(/[&;]/).filter((parameter) => parameter !== '');
}

/** As names are written: reset-password, resetPassword, reset_password. */
function wordsIn(name: string): string[] {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase().split(/[^a-z]+/).filter((word) => word !== '');
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
