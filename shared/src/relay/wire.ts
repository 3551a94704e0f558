/**
 * What the helper and the relay tell each other on their carrier, an HTTP/2 connection (docs/relay.md): header fields of its streams, and
 * messages of its control stream, a line of JSON each.
 */
import * as v from 'valibot';

/** Version of the protocol: the relay's `hello` names it, and a helper that speaks another one uses the relay for nothing. */
export const RELAY_VERSION = 1;

/** SHA-256 of a public key (SPKI), base64url: by it each side knows the other, and one copies it from one machine to the other. */
export const FINGERPRINT = /^[\w-]{43}$/;

/** Path of the one POST of a carrier whose bodies are control messages, lines of JSON in both directions. */
export const CONTROL_PATH = '/firstscreen/control';
/** Its `:authority`: no host of the web has a name of one label. */
export const CONTROL_AUTHORITY = 'relay';

/** Field of a stream's request: its level at the beginning, as `rank` tells it later. */
export const LEVEL_FIELD = 'firstscreen-level';
/** Field of an answer that is the relay's own and not a server's: an error code of the product. */
export const ERROR_FIELD = 'firstscreen-error';

/** Field of the request for a page: what the relay may push of what its document names. Without it nothing is pushed. */
export const PUSH_FIELD = 'firstscreen-push';
/** Layout files alone, or images too. */
export const PushSchema = v.picklist(['layout', 'all']);
export type PushKinds = v.InferOutput<typeof PushSchema>;

/** Levels as `levelOf` gives them, lower is sooner. */
export const MAX_LEVEL = 9;
/** What the levels leave out goes as what is in view. */
export const DEFAULT_LEVEL = 2;
/** Of a control message as a line, without its end. */
export const MAX_CONTROL_LINE_BYTES = 64 * 1024;

const streamId = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(0x7fff_ffff));
export const LevelSchema = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_LEVEL));

/** From the helper: streams have other levels now. Streams that have ended are passed over. */
const RankMessage = v.strictObject({ type: v.literal('rank'), ranks: v.pipe(v.array(v.strictObject({ stream: streamId, level: LevelSchema })), v.maxLength(1000)) });

/** What the helper says to the relay. */
export const HelperControlMessage = v.variant('type', [RankMessage]);
export type HelperControlMessage = v.InferOutput<typeof HelperControlMessage>;

/** From the relay, its first message. `terminates`: it answers requests, not only CONNECT. */
const HelloMessage = v.strictObject({ type: v.literal('hello'), version: v.pipe(v.number(), v.integer(), v.minValue(1)), terminates: v.boolean() });

/** What the relay says to the helper. */
export const RelayControlMessage = v.variant('type', [HelloMessage]);
export type RelayControlMessage = v.InferOutput<typeof RelayControlMessage>;
