/** A coder of images by itself, for tests. */
import { fileURLToPath } from 'node:url';
import { runCoder } from '../encoding/coderProcess.ts';

await runCoder(fileURLToPath(import.meta.url));
