import * as v from 'valibot';
import { FirstscreenError } from '../../../shared/src/errors.ts';

/** Version of the driver's protocol (docs/driver.md). */
export const DRIVER_PROTOCOL_VERSION = 1;

/** Where the driver answers, unless the environment says otherwise (FIRSTSCREEN_DRIVER_SOCKET). */
export function driverSocketPath(env: Readonly<Record<string, string | undefined>>): string {
  return env['FIRSTSCREEN_DRIVER_SOCKET'] ?? '/run/firstscreen/driver.sock';
}

/** One answer, a line of JSON. What a later driver adds is not looked at. */
export const DriverAnswerSchema = v.pipe(v.string(), v.parseJson(), v.variant('type', [
  v.object({ v: v.literal(DRIVER_PROTOCOL_VERSION), id: v.number(), type: v.literal('ok'), payload: v.unknown() }),
  v.object({ v: v.literal(DRIVER_PROTOCOL_VERSION), id: v.number(), type: v.literal('error'), payload: v.object({ code: v.string(), message: v.string(), next: v.string() }) }),
]));

const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));

/** What is looked at of an answer to `status`. */
export const DriverStatusSchema = v.object({
  features: v.array(v.object({ name: v.string(), level: v.picklist(['full', 'none']), reason: v.optional(v.string(), '') })),
  interfaces: v.array(v.object({ name: v.string(), method: v.optional(v.string(), ''), cause: v.optional(v.string(), '') })),
  /** How many of each kind: while nothing is, a driver is attached to no interface. */
  registered: v.optional(v.record(v.string(), count), {}),
  /** Thin messages seen, packets sent, and their bytes with headers, of all that is registered on this machine since the driver began. */
  counters: v.object({
    rar: v.object({ messages: count, copies: count, copyBytes: count }),
    /** Placeholders, and their bytes; a driver without them says nothing. */
    fwp: v.optional(v.object({ holes: count, holeBytes: count })),
  }),
});

/** Answer to `repair`: from this stream offset on losses may be filled with placeholders. */
export const RepairSchema = v.object({ from: count });

/** Answer to `holes`: all placeholders below `through`, as stream offsets and lengths, and originals that came after theirs, in base64. */
export const HolesSchema = v.object({
  through: count,
  holes: v.array(v.tuple([count, count])),
  late: v.array(v.object({ offset: count, data: v.string() })),
});

export const MeantSchema = v.object({ address: v.string(), port: v.number() });

export type DriverStatus = v.InferOutput<typeof DriverStatusSchema>;

/** What came is none of the answers above. */
export function driverOfAnotherRelease(): FirstscreenError {
  return new FirstscreenError('E_DRIVER_VERSION', 'The driver does not answer as this helper expects it.', 'Install the helper and the driver of one release.');
}
