import { expect, it } from 'vitest';
import type { Flow } from '../../metrics/testbed.ts';
import { bytesDeliveredBy, deliveryOf } from './delivery.ts';

const flow = (server: string, ...steps: [number, number][]): Flow => ({ client: '10.99.0.1:4000', server, steps });

it('is the connection that brought most from that server', () => {
  const flows = [flow('10.99.0.2:80', [5, 10], [6, 30]), flow('10.99.0.2:80', [9, 20]), flow('10.99.0.2:81', [9, 99]), flow('10.99.0.2:80')];
  const delivery = deliveryOf(flows, '10.99.0.2:80');
  expect(delivery.endNs).toBe(6);
  expect([4, 5, 5.5, 7].map((ns) => bytesDeliveredBy(delivery, ns))).toEqual([0, 10, 10, 30]);
});

it('is no zero where nothing came', () => {
  expect(() => deliveryOf([flow('10.99.0.2:80')], '10.99.0.2:80')).toThrow('10.99.0.2:80');
});
