import { value } from '@pergola/core';
import type { ModelRegistry } from './registry.ts';

/** What the contribution point `models` builds: its key for the files that the point itself needs. */
export const modelRegistry = value<ModelRegistry>('models');
