import type { Problem } from 'pergola';
import { type Contribution, didYouMean } from 'pergola/kernel';
import { domainFaults, type FieldsOfModel, type ModelRegistry } from 'pergola/orm';
import type { MenuDefinition } from './menus.ts';

/** Checks menus against the models, groups and parent menus that they name. */
export function checkMenus(
  contributions: readonly Contribution<readonly MenuDefinition[]>[],
  models: ModelRegistry,
  groups: ReadonlyMap<string, unknown>,
): Problem[] {
  const all = new Map(contributions.flatMap(({ value }) => value.map((menu) => [menu.id, menu])));
  return contributions.flatMap(({ addon, value }) =>
    value.flatMap((menu) =>
      menuFaults(menu, { all, models, groups }).map(([message, remedy]) => ({
        addon: addon.name,
        message: `menu "${menu.id}" ${message}`,
        remedy: remedy || undefined,
      })),
    ),
  );
}

interface Registry {
  readonly all: ReadonlyMap<string, MenuDefinition>;
  readonly models: ModelRegistry;
  readonly groups: ReadonlyMap<string, unknown>;
}
type Fault = readonly [message: string, remedy: string];

function menuFaults(menu: MenuDefinition, { all, models, groups }: Registry): Fault[] {
  const faults: Fault[] = [];
  const missing = (kind: string, name: string | undefined, names: ReadonlyMap<string, unknown>): void => {
    if (name === undefined || names.has(name)) return;
    faults.push([`names the ${kind} "${name}", which is not there.`, didYouMean(name, names.keys())]);
  };
  missing('parent', menu.parent, all);
  missing('sibling', menu.after, all);
  missing('model', menu.model, models.models);
  for (const group of menu.groups ?? []) missing('group', group, groups);
  const fieldsOf: FieldsOfModel = (model) => models.get(model)?.fields;
  if (menu.model !== undefined && models.get(menu.model))
    for (const { message, remedy } of domainFaults(fieldsOf, menu.model, menu.domain ?? []))
      faults.push([`shows records by a field: ${message}`, remedy]);
  if (menu.model !== undefined && menu.url !== undefined)
    faults.push(['leads to a model and to an address.', 'Keep one of the two.']);
  if (isUnderItself(menu, all))
    faults.push(['stands under itself, through its parents.', 'Change the `parent` of one of them.']);
  return faults;
}

function isUnderItself(menu: MenuDefinition, all: ReadonlyMap<string, MenuDefinition>): boolean {
  const seen = new Set<string>();
  for (let parent = menu.parent; parent !== undefined && !seen.has(parent); parent = all.get(parent)?.parent) {
    if (parent === menu.id) return true;
    seen.add(parent);
  }
  return false;
}
