/** Where smaller forms of pictures are kept for all relays. Every call may fail, and says so by throwing. */
export interface PictureStore {
  /** Whether it is likely to be there: asked first, as most are not, and the store's own answer takes much longer. */
  has(name: string, signal: AbortSignal): Promise<boolean>;
  /** @returns null where it is not there, or larger than `maxBytes` */
  get(name: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array | null>;
  put(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  close(): void;
}
