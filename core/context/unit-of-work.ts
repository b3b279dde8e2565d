import { value } from '../kernel/index.ts';
import type { ContextOptions } from './context-options.ts';

/** Request values by the names of their keys. */
export type RequestValues = Readonly<Record<string, unknown>>;

/** How a write is done; the part that opens transactions adds its options by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface WriteHow {}

/** Opens what contexts read from and write to. One part provides it: the database. */
export interface UnitOfWork {
  /** Runs `work` with the values of a context that only reads. */
  read<T>(options: ContextOptions, work: (values: RequestValues) => Promise<T>): Promise<T>;
  /** Runs `work` in one transaction, committed once it is done. May run it again from its beginning if others were faster. */
  write<T>(options: ContextOptions, how: WriteHow, work: (values: RequestValues) => Promise<T>): Promise<T>;
}

export const unitOfWork = value<UnitOfWork>('unit of work');
