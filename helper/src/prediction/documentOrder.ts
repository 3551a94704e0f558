import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import type { FetchKind } from './elementFetches.ts';

/** As many as Chromium takes for likely to be in view before it knows the layout. */
const FIRST_IMAGES = 5;

/**
 * What objects of a document are for, as far as their order tells before there is a layout, much as Chromium does: style sheets always come first; scripts before the first image keep the first
 * screen back, those behind it stand in the page's body and run when much of it is there; the first images are likely to be in view.
 */
export class DocumentOrder {
  private images = 0;

  classOf(kind: FetchKind): FetchClass {
    if (kind === 'image') {
      this.images += 1;
      return this.images <= FIRST_IMAGES ? FetchClass.inView : FetchClass.unplaced;
    }
    return kind === 'style' || kind === 'font' || this.images === 0 ? FetchClass.layout : FetchClass.inView;
  }
}
