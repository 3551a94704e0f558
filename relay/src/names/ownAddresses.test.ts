import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { isOwnAddress } from './ownAddresses.ts';

const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);

it.each(own.map(({ address }) => address))('%s is of this machine', (address) => expect(isOwnAddress(address)).toBe(true));

it.each(own.filter(({ family }) => family === 'IPv4').map(({ address }) => address))('so is %s as IPv6 carries it', (address) => expect(isOwnAddress(`::ffff:${address}`)).toBe(true));

it.each(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is not', (address) => expect(isOwnAddress(address)).toBe(false));
