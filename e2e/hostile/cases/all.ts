import type { HostileCase } from '../case.ts';
import { BODY_CASES } from './bodies.ts';
import { DOCUMENT_CASES } from './documents.ts';
import { FAULT_CASES } from './faults.ts';
import { HTTP_CASES } from './http.ts';
import { IMAGE_CASES } from './images.ts';
import { SECURITY_CASES } from './security.ts';
import { STYLE_CASES } from './styles.ts';

/** All rows of the table, in its order. */
export const CASES: readonly HostileCase[] = [...IMAGE_CASES, ...STYLE_CASES, ...DOCUMENT_CASES, ...HTTP_CASES, ...BODY_CASES, ...SECURITY_CASES, ...FAULT_CASES];
