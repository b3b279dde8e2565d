import { didYouMean } from '@pergola/core';
import type { AddonModels, Report } from '../build/collect.ts';
import type { CompiledModel } from '../compiled.ts';
import type { CompiledAccess, CompiledRule, Operation } from './compiled.ts';
import { operationsOf } from './letters.ts';
import { ruleFaults } from './rule-fields.ts';

/** Collects the rights and rules of all addons by model; reports missing models and groups. */
export function buildAccess(
  addons: readonly AddonModels[],
  models: ReadonlyMap<string, CompiledModel>,
  groups: ReadonlySet<string> | null,
  report: Report,
): CompiledAccess {
  const rights = new Map<string, Map<string, Set<Operation>>>();
  const rules = new Map<string, CompiledRule[]>();
  const ids = new Map<string, string>();
  for (const { name: addon, access = [], rules: declared = [] } of addons) {
    const check = checker(addon, models, groups, report);
    for (const list of access) {
      if (!check.model(list.model, 'an access list')) continue;
      const byGroup = rights.get(list.model) ?? new Map<string, Set<Operation>>();
      rights.set(list.model, byGroup);
      for (const [group, letters] of Object.entries(list.rights)) {
        if (group !== '*') check.group(group, `the access list of “${list.model}”`);
        const operations = check.letters(letters, `the access list of “${list.model}”`);
        byGroup.set(group, new Set([...(byGroup.get(group) ?? []), ...operations]));
      }
    }
    for (const rule of declared) {
      if (!check.model(rule.model, `the rule ${rule.id}`)) continue;
      const otherAddon = ids.get(rule.id);
      if (otherAddon)
        report(addon, `The rule ${rule.id} is declared twice, here and in addon ${otherAddon}.`, 'Take another id.');
      ids.set(rule.id, addon);
      for (const group of rule.groups) check.group(group, `the rule ${rule.id}`);
      for (const { message, remedy } of ruleFaults(rule, (name) => models.get(name)?.fields))
        report(addon, `The domain of the rule ${rule.id}: ${message}`, remedy);
      const operations = check.letters(rule.operations, `the rule ${rule.id}`);
      rules.set(rule.model, [...(rules.get(rule.model) ?? []), { ...rule, addon, operations }]);
    }
  }
  checkFieldGroups(models, groups, report);
  return { rights, rules };
}

function checker(
  addon: string,
  models: ReadonlyMap<string, CompiledModel>,
  groups: ReadonlySet<string> | null,
  report: Report,
) {
  return {
    model(name: string, where: string): boolean {
      if (models.has(name)) return true;
      report(addon, `It has ${where} for the model “${name}”, which is not there.`, didYouMean(name, models.keys()));
      return false;
    },
    group(name: string, where: string): void {
      if (!groups || groups.has(name)) return;
      report(addon, `The group “${name}” in ${where} is not there.`, didYouMean(name, groups));
    },
    letters(rights: string, where: string): Set<Operation> {
      const operations = operationsOf(rights);
      if (operations.length < rights.length)
        report(addon, `“${rights}” in ${where} are no rights.`, 'Use the letters r, w, c and d.');
      return new Set(operations);
    },
  };
}

function checkFieldGroups(
  models: ReadonlyMap<string, CompiledModel>,
  groups: ReadonlySet<string> | null,
  report: Report,
): void {
  if (!groups) return;
  for (const { fields } of models.values()) {
    for (const field of fields.values()) {
      for (const group of field.groups) {
        if (!groups.has(group))
          report(
            field.addon,
            `The group “${group}” of “${field.model}.${field.name}” is not there.`,
            didYouMean(group, groups),
          );
      }
    }
  }
}
