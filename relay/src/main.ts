/** The relay as it ships: it goes to the public web alone, and not to the machine that it runs on. */
import { isPublicAddress } from '../../shared/src/names/addressPolicy.ts';
import { isOwnAddress } from './names/ownAddresses.ts';
import { start } from './start.ts';

await start((address) => isPublicAddress(address) && !isOwnAddress(address), null);
