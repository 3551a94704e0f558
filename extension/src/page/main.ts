/**
 * Runs in the page's own world, before its scripts. Covers what the gate can not hide from the outside: images without a place in the
 * document (their `error` does not pass the window), and the properties of a held image that tell that it has failed.
 */
const MARKER = '#firstscreen';
const SHADOW_SIGNAL = 'firstscreen-shadow';

/* eslint-disable @typescript-eslint/unbound-method -- called with the element that they belong to */
const native = {
  src: descriptor(HTMLImageElement.prototype, 'src'),
  srcset: descriptor(HTMLImageElement.prototype, 'srcset'),
  complete: descriptor(HTMLImageElement.prototype, 'complete'),
  currentSrc: descriptor(HTMLImageElement.prototype, 'currentSrc'),
  innerHTML: descriptor(Element.prototype, 'innerHTML'),
  setAttribute: Element.prototype.setAttribute,
  attachShadow: Element.prototype.attachShadow,
  decode: HTMLImageElement.prototype.decode,
};
/* eslint-enable @typescript-eslint/unbound-method */

/** Images that failed for the page too. */
const failed = new WeakSet<HTMLImageElement>();
/** Keeps a warming image alive until it has arrived. */
const warming = new Set<HTMLImageElement>();

document.addEventListener(
  'error',
  (event) => {
    if (event.target instanceof HTMLImageElement) failed.add(event.target);
  },
  true,
);

/** Starts the fetch with the marker, so that the same request made next, without it, is answered by the memory cache and not held. */
function passGate(rawUrl: string, crossOrigin: string | null, referrerPolicy: string): void {
  if (!URL.canParse(rawUrl, document.baseURI)) return;
  const url = new URL(rawUrl, document.baseURI);
  if (!/^https?:$/.test(url.protocol) || url.hash !== '') return;
  const image = new Image();
  if (crossOrigin !== null) image.crossOrigin = crossOrigin;
  if (referrerPolicy !== '') image.referrerPolicy = referrerPolicy;
  warming.add(image);
  const done = (): boolean => warming.delete(image);
  image.addEventListener('load', done);
  image.addEventListener('error', done);
  native.src.set.call(image, url.href + MARKER);
}

function isHeld(image: HTMLImageElement): boolean {
  return (
    native.complete.get.call(image) === true &&
    image.naturalWidth === 0 &&
    !failed.has(image) &&
    image.isConnected &&
    /^https?:/.test(native.currentSrc.get.call(image) as string)
  );
}

Object.defineProperty(HTMLImageElement.prototype, 'src', {
  ...native.src,
  set(this: HTMLImageElement, value: unknown) {
    if (!this.isConnected) passGate(String(value), this.crossOrigin, this.referrerPolicy);
    native.src.set.call(this, value);
  },
});

/** Which candidate the browser takes is known when it has asked for it, so its held request's `error` is hidden and it asks again. */
function askAgainWhenHeld(image: HTMLImageElement): void {
  image.addEventListener(
    'error',
    (event) => {
      if (!event.isTrusted || image.isConnected) return;
      event.stopImmediatePropagation();
      passGate(native.currentSrc.get.call(image) as string, image.crossOrigin, image.referrerPolicy);
      native.setAttribute.call(image, 'srcset', image.srcset);
    },
    { capture: true, once: true },
  );
}

Object.defineProperty(HTMLImageElement.prototype, 'srcset', {
  ...native.srcset,
  set(this: HTMLImageElement, value: unknown) {
    if (!this.isConnected) askAgainWhenHeld(this);
    native.srcset.set.call(this, value);
  },
});

Object.defineProperty(HTMLImageElement.prototype, 'complete', {
  ...native.complete,
  get(this: HTMLImageElement) {
    return native.complete.get.call(this) === true && !isHeld(this);
  },
});

Object.defineProperty(HTMLImageElement.prototype, 'currentSrc', {
  ...native.currentSrc,
  get(this: HTMLImageElement) {
    const url = native.currentSrc.get.call(this) as string;
    return url.endsWith(MARKER) ? url.slice(0, -MARKER.length) : url;
  },
});

HTMLImageElement.prototype.decode = function decode(this: HTMLImageElement): Promise<void> {
  if (!isHeld(this)) return native.decode.call(this);
  return new Promise((resolve, reject) => {
    const again = (): void => void native.decode.call(this).then(resolve, reject);
    this.addEventListener('load', again, { once: true });
    this.addEventListener('error', again, { once: true });
  });
};

Element.prototype.setAttribute = function setAttribute(this: Element, name: unknown, value: unknown): void {
  if (this instanceof HTMLImageElement && !this.isConnected) {
    const attribute = String(name).toLowerCase();
    if (attribute === 'src') passGate(String(value), this.crossOrigin, this.referrerPolicy);
    if (attribute === 'srcset') askAgainWhenHeld(this);
  }
  native.setAttribute.call(this, name as string, value as string);
};

Object.defineProperty(Element.prototype, 'innerHTML', {
  ...native.innerHTML,
  set(this: Element, value: unknown) {
    const html = String(value);
    if (!this.isConnected && /<img/i.test(html)) {
      // an inert document: its images are not fetched
      for (const image of new DOMParser().parseFromString(html, 'text/html').images) {
        passGate(image.getAttribute('src') ?? '', image.crossOrigin, image.referrerPolicy);
      }
    }
    native.innerHTML.set.call(this, value);
  },
});

/** Errors do not leave a shadow tree, and the gate's other half can not know of one that is just being made: it is told at the first. */
Element.prototype.attachShadow = function attachShadow(this: Element, init: ShadowRootInit): ShadowRoot {
  const root = native.attachShadow.call(this, init);
  const signal = (event: Event): void => {
    if (!event.isTrusted || !this.isConnected) return;
    root.removeEventListener('error', signal, true);
    const isSeenTo = !this.dispatchEvent(new Event(SHADOW_SIGNAL, { bubbles: true, composed: true, cancelable: true }));
    if (isSeenTo) event.stopImmediatePropagation();
  };
  root.addEventListener('error', signal, true);
  return root;
};

interface Accessor {
  readonly get: (this: unknown) => unknown;
  readonly set: (this: unknown, value: unknown) => void;
}

function descriptor(prototype: object, name: string): PropertyDescriptor & Accessor {
  const found = Object.getOwnPropertyDescriptor(prototype, name);
  if (found?.get === undefined) throw new TypeError(`${name} is no accessor in this browser`);
  return found as PropertyDescriptor & Accessor;
}
