import * as v from 'valibot';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { parseAuthority } from '../../../shared/src/names/authority.ts';
import { FINGERPRINT } from '../../../shared/src/relay/wire.ts';
import { StoreSettingsSchema } from '../store/storeSettings.ts';
import { parsedSettings, wrongOption } from './parsedSettings.ts';

/** Short, and harmless in a log and a shell. */
const ClientName = v.pipe(v.string(), v.regex(/^\w[\w.-]{0,63}$/, 'has letters, digits, dots, dashes, 64 at most'));
const Fingerprint = v.pipe(v.string(), v.regex(FINGERPRINT, 'has 43 characters, as "firstscreen-helper relay" says it'));
const Listen = v.pipe(v.string(), v.check((text) => parseAuthority(text) !== null, 'is HOST:PORT, as in 0.0.0.0:4433 or [::]:4433'));

const ClientSchema = v.strictObject({ name: ClientName, fingerprint: Fingerprint });
const isDistinct = (values: readonly string[]): boolean => new Set(values).size === values.length;

const SettingsSchema = v.strictObject({
  version: v.literal(1),
  listen: Listen,
  clients: v.pipe(
    v.array(ClientSchema),
    v.check((clients) => isDistinct(clients.map(({ name }) => name)), 'has a name twice'),
    v.check((clients) => isDistinct(clients.map(({ fingerprint }) => fingerprint)), 'has a fingerprint twice'),
  ),
  store: v.optional(StoreSettingsSchema),
});

/** relay.json: where the relay listens, whom it lets in, and what it shares with others of its key. */
export type RelaySettings = v.InferOutput<typeof SettingsSchema>;

/** @throws FirstscreenError E_RELAY_SETTINGS, which says what is wrong where */
export function parseSettings(text: string): RelaySettings {
  return parsedSettings(SettingsSchema, text, 'relay.json', 'make another directory with "firstscreen-relay init"');
}

/** A relay that lets nobody in yet. @throws FirstscreenError E_OPTION */
export function newSettings(listen: string): RelaySettings {
  const { success } = v.safeParse(Listen, listen);
  if (!success) throw wrongOption(`--listen "${listen}" is not HOST:PORT, as in 0.0.0.0:4433 or [::]:4433`);
  return { version: 1, listen, clients: [] };
}

/** @throws FirstscreenError E_OPTION for what is no name or fingerprint, E_RELAY_CLIENT for what is another's */
export function withClient(settings: RelaySettings, name: string, fingerprint: string): RelaySettings {
  for (const [schema, value, what] of [[ClientName, name, 'NAME'], [Fingerprint, fingerprint, 'FINGERPRINT']] as const) {
    const { success, issues } = v.safeParse(schema, value);
    if (!success) throw wrongOption(`${what} ${issues[0].message}, and "${value}" is none`);
  }
  const other = settings.clients.find((client) => (client.name === name) !== (client.fingerprint === fingerprint));
  if (other !== undefined) throw new FirstscreenError('E_RELAY_CLIENT', `The client "${other.name}" has that ${other.name === name ? 'name with another fingerprint' : 'fingerprint'}.`, `Revoke it first: firstscreen-relay revoke ${other.name}.`);
  const isKnown = settings.clients.some((client) => client.name === name);
  return isKnown ? settings : { ...settings, clients: [...settings.clients, { name, fingerprint }] };
}

/** @throws FirstscreenError E_RELAY_CLIENT for a name that nobody has */
export function withoutClient(settings: RelaySettings, name: string): RelaySettings {
  const clients = settings.clients.filter((client) => client.name !== name);
  if (clients.length === settings.clients.length) throw new FirstscreenError('E_RELAY_CLIENT', `There is no client "${name}".`, 'See "firstscreen-relay status".');
  return { ...settings, clients };
}
