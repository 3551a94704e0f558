import { describe } from 'vitest';
import { compareWithStock } from './compareWithStock.ts';

describe('the hostile bed: firefox', () => compareWithStock('firefox'));
