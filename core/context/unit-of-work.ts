import { value } from '../kernel/index.ts';
import type { ContextOptions } from './context-options.ts';

/** Request values by key name. */
export type RequestValues = Readonly<Record<string, unknown>>;

/** Options of a write; the part that opens transactions adds them by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface WriteHow {}

/** Provides the data access of contexts. Implemented by exactly one part: the database. */
export interface UnitOfWork {
  /** Runs `work` with the values of a read-only context. */
  read<T>(options: ContextOptions, work: (values: RequestValues) => Promise<T>): Promise<T>;
  /** Runs `work` in one transaction and commits it. May retry it from the start if other transactions were faster. */
  write<T>(options: ContextOptions, how: WriteHow, work: (values: RequestValues) => Promise<T>): Promise<T>;
}

export const unitOfWork = value<UnitOfWork>('unit of work');
