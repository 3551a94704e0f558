import { expect, it } from 'vitest';
import { boundedReceiveBuffers, receiveBufferBound } from './receiveBuffers.ts';

const MACHINES = '4096\t131072\t33554432\n';

it('reads the bound and sets another', () => {
  expect(receiveBufferBound(MACHINES)).toBe(33_554_432);
  expect(boundedReceiveBuffers(MACHINES, 174_760)).toBe('4096 131072 174760');
  expect(boundedReceiveBuffers(MACHINES, 65_536)).toBe('4096 65536 65536');
});

it('does not take another file for it', () => {
  expect(() => receiveBufferBound('1')).toThrow('three');
});
