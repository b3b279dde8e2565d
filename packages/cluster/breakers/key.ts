import { value } from '@pergola/core';
import type { Breakers } from './breakers.ts';

/** Breakers of this process. */
export const breakers = value<Breakers>('breakers');
