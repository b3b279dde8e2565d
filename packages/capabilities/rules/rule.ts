import type { Sentence } from '@pergola/core';
import type { Node } from 'oxc-parser';
import type { CapabilityKind, Risk } from '../capability.ts';
import type { CodeFile } from '../code-file.ts';
import { constantText } from '../constants.ts';
import { Origins } from '../origins.ts';

/** Facts about the addon for the rules that read its files. */
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

/** The models that an argument may be, given by name or by class; null for one that isn't known. */
export function modelsIn(argument: Node | undefined, { code, addon, origins }: RuleInput): readonly (string | null)[] {
  const text = constantText(code, argument);
  if (text !== undefined) return [text];
  const imported = [...origins.of(argument)].flatMap((origin) => {
    const [module = '', exported] = origin.split('#');
    return exported ? [addon.modelName(code.path, module, exported)] : [];
  });
  if (imported.length > 0) return imported;
  // A class of the same file.
  return [argument?.type === 'Identifier' ? addon.modelName(code.path, '', argument.name) : null];
}

/** Applies rules to every node of a file. */
export function applyRules(rules: readonly Rule[], input: Omit<RuleInput, 'origins'>): void {
  const origins = new Origins(input.code);
  for (const node of input.code.nodes) for (const rule of rules) rule(node, { ...input, origins });
}
