/** The helper as it ships: every part is on, and nobody says which addresses are public. */
import { isPublicAddress } from '../../shared/src/names/addressPolicy.ts';
import { networkLook } from './networks/systemNetwork.ts';
import { ALL_PARTS } from './parts.ts';
import { recordingOfMachine } from './recordingOfMachine.ts';
import { start } from './start.ts';

await start({ parts: ALL_PARTS, isPublic: isPublicAddress, recording: recordingOfMachine(), network: networkLook() });
