import { describe } from 'vitest';
import { compareWithStock } from './compareWithStock.ts';

describe('the hostile bed: chromium', () => compareWithStock('chromium'));
