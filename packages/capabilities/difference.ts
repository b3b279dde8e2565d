import { type Capability, compareRisks, keyOf } from './capability.ts';
import type { CapabilitySheet } from './sheet.ts';

/** What an addon can do in one version and not in another. */
export interface SheetDifference {
  /** New capabilities, and those whose risk is higher than before. */
  readonly added: readonly Capability[];
  readonly removed: readonly Capability[];
}

/** Compares the sheets of two versions. */
export function sheetDifference(before: CapabilitySheet, after: CapabilitySheet): SheetDifference {
  const keyed = ({ capabilities }: CapabilitySheet) => new Map(capabilities.map((each) => [keyOf(each), each]));
  const [old, next] = [keyed(before), keyed(after)];
  return {
    added: [...next].flatMap(([key, each]) => {
      const previous = old.get(key);
      return !previous || compareRisks(each.risk, previous.risk) > 0 ? [each] : [];
    }),
    removed: [...old].flatMap(([key, each]) => (next.has(key) ? [] : [each])),
  };
}
