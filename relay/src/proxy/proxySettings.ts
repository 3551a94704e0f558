import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isAbsolute } from 'node:path';
import * as v from 'valibot';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { parseAuthority } from '../../../shared/src/names/authority.ts';
import { RELAY_USER, isPlainHost } from '../../../shared/src/relay/relayLink.ts';
import { parsedSettings, wrongOption } from '../settings/parsedSettings.ts';

/** Nobody can guess it, so a fast hash keeps it as well as a slow one. */
const TOKEN_BYTES = 32;
const HASH = /^[\w-]{43}$/;

const isPlace = (text: string): boolean => parseAuthority(text) !== null;
const Listen = v.pipe(v.string(), v.check(isPlace, 'is HOST:PORT, as in [::]:8443'));
const Address = v.pipe(v.string(), v.check((text) => isPlainHost(parseAuthority(text)?.host ?? ''), 'is HOST:PORT, as in relay.example.com:8443, in small letters'));
const File = v.pipe(v.string(), v.check(isAbsolute, 'is no whole path'));
const User = v.strictObject({ name: v.pipe(v.string(), v.regex(RELAY_USER, 'has letters, digits, dots, dashes, 64 at most')), hash: v.pipe(v.string(), v.regex(HASH, 'is no hash')) });

const SettingsSchema = v.strictObject({
  version: v.literal(1),
  /** Where it listens, unless a service manager has opened its port. */
  listen: Listen,
  /** Where browsers find it: of this name is the certificate. */
  address: Address,
  certificate: File,
  key: File,
  users: v.pipe(v.array(User), v.check((users) => new Set(users.map(({ name }) => name)).size === users.length, 'has a name twice')),
});

/** proxy.json: the relay as a proxy of browsers, and who may use it. */
export type ProxySettings = v.InferOutput<typeof SettingsSchema>;
export type ProxyPlace = Pick<ProxySettings, 'listen' | 'address' | 'certificate' | 'key'>;

/** @throws FirstscreenError E_RELAY_SETTINGS */
export function parseProxySettings(text: string): ProxySettings {
  return parsedSettings(SettingsSchema, text, 'proxy.json', 'remove it and run "firstscreen-relay proxy" again');
}

/** A proxy at another place; whoever may use it still may. @throws FirstscreenError E_OPTION */
export function withPlace(settings: ProxySettings | null, place: ProxyPlace): ProxySettings {
  const { success, output, issues } = v.safeParse(SettingsSchema, { version: 1, ...place, users: settings?.users ?? [] });
  if (success) return output;
  throw wrongOption(`${v.getDotPath(issues[0]) ?? 'an option'} ${issues[0].message}`);
}

/** Lets a user in, or gives him another token: the one before is of no use then. @returns the token, which nothing else keeps @throws FirstscreenError E_OPTION */
export function withUser(settings: ProxySettings, name: string): { readonly settings: ProxySettings; readonly token: string } {
  if (!RELAY_USER.test(name)) throw wrongOption(`NAME has letters, digits, dots, dashes, 64 at most, and "${name}" is none`);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, settings: { ...settings, users: [...settings.users.filter((user) => user.name !== name), { name, hash: hashOf(token) }] } };
}

/** @throws FirstscreenError E_RELAY_CLIENT for a name that nobody has */
export function withoutUser(settings: ProxySettings, name: string): ProxySettings {
  const users = settings.users.filter((user) => user.name !== name);
  if (users.length === settings.users.length) throw new FirstscreenError('E_RELAY_CLIENT', `The proxy has no user "${name}".`, 'See "firstscreen-relay status".');
  return { ...settings, users };
}

/** Whose credentials these are: the value of a Proxy-Authorization field (RFC 7617); null for nobody's. In the same time for any wrong token. */
export function userOf({ users }: Pick<ProxySettings, 'users'>, authorization: string): string | null {
  const [, encoded = ''] = /^basic +([a-z\d+/=_-]+)$/i.exec(authorization) ?? [];
  const [, name = '', token = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  const user = users.find((each) => each.name === name);
  const isTrue = timingSafeEqual(Buffer.from(hashOf(token)), Buffer.from(user?.hash ?? hashOf('')));
  return isTrue && user !== undefined ? user.name : null;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
