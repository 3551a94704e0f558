import * as v from 'valibot';

/** Version of the driver's protocol (docs/driver.md). */
export const DRIVER_PROTOCOL_VERSION = 1;

/** Where the driver answers, unless the environment says otherwise (FIRSTSCREEN_DRIVER_SOCKET). */
export function driverSocketPath(env: Readonly<Record<string, string | undefined>>): string {
  return env['FIRSTSCREEN_DRIVER_SOCKET'] ?? '/run/firstscreen/driver.sock';
}

/** One answer, or counters that come by themselves. What a later driver adds is not looked at. */
export const DriverAnswerSchema = v.variant('type', [
  v.object({ v: v.literal(DRIVER_PROTOCOL_VERSION), id: v.number(), type: v.literal('ok'), payload: v.unknown() }),
  v.object({ v: v.literal(DRIVER_PROTOCOL_VERSION), id: v.number(), type: v.literal('counters'), payload: v.unknown() }),
  v.object({ v: v.literal(DRIVER_PROTOCOL_VERSION), id: v.number(), type: v.literal('error'), payload: v.object({ code: v.string(), message: v.string(), next: v.string() }) }),
]);

/** Counters that the helper passes on. */
export const DriverCountersSchema = v.object({ rar: v.object({ messages: v.number(), protected: v.number(), copies: v.number(), rounds: v.number() }) });

export const DriverStatusSchema = v.object({
  features: v.array(v.object({ name: v.string(), level: v.picklist(['full', 'part', 'none']), reason: v.optional(v.string(), '') })),
  interfaces: v.nullable(v.array(v.object({ name: v.string(), method: v.optional(v.string(), ''), cause: v.optional(v.string(), '') }))),
  counters: DriverCountersSchema,
});

export const MeantSchema = v.object({ address: v.string(), port: v.number() });

export type DriverStatus = v.InferOutput<typeof DriverStatusSchema>;
