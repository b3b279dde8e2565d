import { value } from '@pergola/core';
import type { ModelRegistry } from './registry.ts';

/** The registry built by the contribution point `models`, as a key for files that the point itself imports. */
export const modelRegistry = value<ModelRegistry>('models');
