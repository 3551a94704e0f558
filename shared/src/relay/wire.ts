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

/** Field of the answer to CONNECT: milliseconds that the relay's handshake of TCP with the server took. */
export const FAR_FIELD = 'firstscreen-far';
export const FarSchema = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(60_000));

/** Field of the request for a page: what the relay may push of what its document names. Without it nothing is pushed. */
export const PUSH_FIELD = 'firstscreen-push';
/** Layout files alone, or images too. */
export const PushSchema = v.picklist(['layout', 'all']);
export type PushKinds = v.InferOutput<typeof PushSchema>;
/** Field beside it: of which other servers the relay makes the requests. Without it, of none. */
export const SERVERS_FIELD = 'firstscreen-servers';
/** Of those of the page's site, or of all. */
export const ServersSchema = v.picklist(['site', 'all']);
export type Servers = v.InferOutput<typeof ServersSchema>;

/** Field of a request: what the relay may do to the coding of its answer, and of what is pushed with it, parted by commas. Without it an answer comes as its server codes it. */
export const ENCODE_FIELD = 'firstscreen-encode';
/** `images`: pictures that only elements show may come as other kinds of picture. `br`, `zstd`: bodies may come in that coding on the carrier (`CODED_FIELD`). `keep`: this end keeps bodies, by which later
 * ones may be coded. */
export const EncodingSchema = v.picklist(['images', 'br', 'zstd', 'keep']);
export type Encoding = v.InferOutput<typeof EncodingSchema>;
/** Field of a request whose pictures may come as others: kilobits per second of the helper's link, by which the relay knows how long it may take over that. */
export const RATE_FIELD = 'firstscreen-rate';
export const RateSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000_000));

/** SHA-256, base64url. */
const HASH = String.raw`[\w-]{43}`;
export const HASH_PATTERN = new RegExp(`^${HASH}$`);
/** Field of a request: hashes of bodies that the helper has of this server, the best first, parted by commas; its answer may be coded against one. */
export const DICTIONARY_FIELD = 'firstscreen-dictionary';
/** Most that one request names. */
export const MAX_DICTIONARIES = 2;
/** Field of the request for a page: the beginnings of hashes of bodies of its server that the helper has, by which what is pushed with it may be coded, parted by spaces. */
export const HAVE_FIELD = 'firstscreen-have';
export const HAVE_CHARS = 8;
export const MAX_HAVE = 64;
/** Field of an answer: its body is in brotli (RFC 7932) or zstd (RFC 8878) on the carrier, whatever it was in before, and not for the browser; where a hash follows, against that body as its dictionary. */
export const CODED_FIELD = 'firstscreen-coded';
export const CODED_PATTERN = new RegExp(`^(br$|zstd)(?: (${HASH}))?$`);
export type BodyCoding = Extract<Encoding, 'br' | 'zstd'>;
/** Field of such an answer: Content-Length of what it is when it is decoded, where its server has said that. */
export const LENGTH_FIELD = 'firstscreen-length';

/** All fields of the carrier. */
export const CARRIER_FIELDS: readonly string[] = [LEVEL_FIELD, PUSH_FIELD, SERVERS_FIELD, ENCODE_FIELD, RATE_FIELD, DICTIONARY_FIELD, HAVE_FIELD, CODED_FIELD, LENGTH_FIELD, FAR_FIELD, ERROR_FIELD];

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

/** From the helper, before its first request and whenever it has erased its bodies: another name, by chance, for all that is kept from now on. What the relay has kept for it under another one goes. */
const KeptMessage = v.strictObject({ type: v.literal('kept'), name: v.pipe(v.string(), v.regex(HASH_PATTERN)) });

/** From the helper: this server is likely to be asked soon, of which the relay makes the requests. It is connected to, and hears no more. */
const ConnectMessage = v.strictObject({ type: v.literal('connect'), origin: v.pipe(v.string(), v.regex(/^https?:\/\/[^\s/?#@\\%]+$/)) });

/** What the helper says to the relay. */
export const HelperControlMessage = v.variant('type', [RankMessage, KeptMessage, ConnectMessage]);
export type HelperControlMessage = v.InferOutput<typeof HelperControlMessage>;

/** From the relay, its first message. `terminates`: it answers requests, not only CONNECT. */
const HelloMessage = v.strictObject({ type: v.literal('hello'), version: v.pipe(v.number(), v.integer(), v.minValue(1)), terminates: v.boolean() });

/** What the relay says to the helper. */
export const RelayControlMessage = v.variant('type', [HelloMessage]);
export type RelayControlMessage = v.InferOutput<typeof RelayControlMessage>;
