export { createTransparentContentGate as createContentGate } from '../transparent/contentGate.ts';
