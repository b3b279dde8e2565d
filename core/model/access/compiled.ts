import type { Ctx } from '../../context/index.ts';

export type Operation = 'read' | 'write' | 'create' | 'unlink';

/** A record rule of one model. */
export interface CompiledRule {
  readonly id: string;
  readonly addon: string;
  /** Empty: it holds for everybody. */
  readonly groups: readonly string[];
  readonly operations: ReadonlySet<Operation>;
  readonly domain: (ctx: Ctx) => readonly unknown[] | Promise<readonly unknown[]>;
}

/** Access lists and record rules by model. What is not listed is refused. */
export interface CompiledAccess {
  /** Operations by group (`*` is everybody) by model. */
  readonly rights: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<Operation>>>;
  readonly rules: ReadonlyMap<string, readonly CompiledRule[]>;
  /** Groups that exist, when they were given; null: not checked. */
  readonly groups: ReadonlySet<string> | null;
}
