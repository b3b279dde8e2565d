import type { Sentence } from '@pergola/core';
import type { Node } from 'oxc-parser';
import type { CapabilityKind, Risk } from '../capability.ts';
import type { CodeFile } from '../code-file.ts';
import type { Origins } from '../origins.ts';

/** What a rule needs to know about the addon of the file it reads. */
export interface AddonFacts {
  readonly name: string;
  /** absolute, real path */
  readonly folder: string;
  /** Names of the models that the addon declares. */
  readonly models: ReadonlySet<string>;
  /** The model declared by an exported class, as seen from a file: `('/…/routes.ts', '@pergola/base', 'Partner')` → `res.partner`. */
  modelName(importer: string, module: string, name: string): string | null;
}

/** Input of a rule. */
export interface RuleInput {
  readonly addon: AddonFacts;
  readonly code: CodeFile;
  readonly origins: Origins;
  /** Adds a capability found at a node. */
  report(node: Node, kind: CapabilityKind, what: Sentence, risk: Risk): void;
}

/** Looks at every node of a file. */
export type Rule = (node: Node, input: RuleInput) => void;
