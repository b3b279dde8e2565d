import type { RecordRule } from './define.ts';

/** Operations that rights are granted for. */
export type Operation = 'read' | 'write' | 'create' | 'unlink';

/** A record rule with the addon that declares it. */
export interface CompiledRule extends Omit<RecordRule, 'model' | 'operations'> {
  readonly addon: string;
  readonly operations: ReadonlySet<Operation>;
}

/** Access lists and record rules by model. Anything not granted is refused. */
export interface CompiledAccess {
  /** Operations by group (`*` is everyone) by model. */
  readonly rights: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<Operation>>>;
  readonly rules: ReadonlyMap<string, readonly CompiledRule[]>;
}
