import { realpathSync } from 'node:fs';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { openPictureStore } from './openPictureStore.ts';

/** In node_modules beside the program, or above it, as what codes pictures is: 8 MB of memory that a relay by itself does without. */
const STORE_LIBRARY = 'firstscreen-relay-store';

/** @param program the file that this process runs @throws FirstscreenError E_RELAY_STORE */
export function storeLibrary(program: string): typeof openPictureStore {
  try {
    // not by an import: webpack would look for it, and in an executable there are no modules to find
    const library = process.getBuiltinModule('node:module').createRequire(realpathSync(program))(STORE_LIBRARY) as { readonly openPictureStore: typeof openPictureStore };
    return library.openPictureStore;
  } catch (cause) {
    throw new FirstscreenError('E_RELAY_STORE', `What opens the store is not beside the relay's program (node_modules/${STORE_LIBRARY}).`, 'Take the package of the relay, or its archive, as it is.', { cause });
  }
}
