import { type Generation, requestValue } from '../kernel/index.ts';
import type { Ctx, Identity, SessionView } from './context.ts';
import type { Tracker } from './tracker.ts';
import type { RequestValues } from './unit-of-work.ts';

/** Overrides for a derived context. */
export interface DerivedContext {
  readonly identity?: Identity;
  readonly session?: SessionView;
  readonly lang?: string;
  readonly timezone?: string;
  readonly su?: boolean;
  readonly tracker?: Tracker | null;
  /** Merged over the original's request values. */
  readonly values?: RequestValues;
}

/** Operations on a context for parts, beyond those for addons. */
export interface ContextTools {
  readonly generation: Generation;
  /** Tracks reads; null without caching. */
  readonly tracker: Tracker | null;
  /** Data that parts keep for this context only, such as bound models by name. */
  readonly memo: Map<string, unknown>;
  /** Creates a context of the same request with other options or values, disposed with it. */
  derive(changes: DerivedContext): Ctx;
}

export const contextTools = requestValue<ContextTools>('context tools');
