import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import type { RequestHead } from '../requests/requestHead.ts';
import type { AnswerSink } from './answerSink.ts';
import type { ImageType } from './encodeImage.ts';
import { HeldImage } from './heldImage.ts';
import { imageTypesFor, isImageAnswer } from './imageAnswers.ts';
import type { ImageCoders } from './imageCoders.ts';
import { withServerTags } from './variantTag.ts';

/** A request, and the carrier that its answer goes on. */
export interface CodedRequest {
  readonly head: RequestHead;
  readonly bodies: { isBusy(): boolean };
}

/** In what coding answers go over the carrier, where the helper lets the relay choose. */
export class AnswerCoding {
  private readonly coders: ImageCoders | null;

  /** @param coders null where pictures stay as they are */
  constructor(coders: ImageCoders | null) {
    this.coders = coders;
  }

  /** The fields of a request as its server is asked. */
  askedOf(head: RequestHead): string[] {
    return withServerTags(head.fields, imageTypesOf(head).length > 0);
  }

  /** Who takes the body of an answer. @param answer its fields */
  sinkFor({ head, bodies }: CodedRequest, status: number, answer: RawHeaders, sink: AnswerSink): AnswerSink {
    const types = imageTypesOf(head);
    const { coders } = this;
    if (types.length === 0 || coders?.isThere !== true || !isImageAnswer(status, answer)) return sink;
    return new HeldImage(sink, { coders, types, level: head.level, isBusy: () => bodies.isBusy() });
  }
}

function imageTypesOf({ encodings, method, fields }: RequestHead): readonly ImageType[] {
  return encodings.has('images') ? imageTypesFor(method, fields) : [];
}
