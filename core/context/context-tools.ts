import { type Generation, requestValue } from '../kernel/index.ts';
import type { Ctx, Identity, SessionView } from './context.ts';
import type { Tracker } from './tracker.ts';
import type { RequestValues } from './unit-of-work.ts';

/** What a derived context has in place of the original's. */
export interface DerivedContext {
  readonly identity?: Identity;
  readonly session?: SessionView;
  readonly lang?: string;
  readonly timezone?: string;
  readonly su?: boolean;
  readonly tracker?: Tracker | null;
  /** Laid over the original's request values. */
  readonly values?: RequestValues;
}

/** What parts may do with a context beyond what addons may. */
export interface ContextTools {
  readonly generation: Generation;
  /** Follows what is read; null if nothing is kept. */
  readonly tracker: Tracker | null;
  /** Whatever parts keep for this context alone, such as bound models by their names. */
  readonly memo: Map<string, unknown>;
  /** A context of the same request with other origins or values, disposed with it. */
  derive(changes: DerivedContext): Ctx;
}

export const contextTools = requestValue<ContextTools>('context tools');
