import type { Problem } from '../../errors.ts';
import type { LoadedAddon } from '../../generation.ts';
import type { AddonDefinition } from '../define.ts';

/** What must have one name among all addons. Models, groups, routes, services, rules and templates are checked where they are built. */
const named: readonly (readonly [what: string, of: (definition: AddonDefinition) => readonly string[]])[] = [
  ['job', ({ jobs = [] }) => jobs.map(({ name }) => name)],
  ['mail', ({ mails = [] }) => mails.map(({ name }) => name)],
  ['setting', ({ settings = [] }) => settings.map(({ name }) => name)],
  ['block', ({ blocks = [] }) => blocks.map(({ id }) => id)],
  ['fragment', ({ fragments = [] }) => fragments.map(({ id }) => id)],
  ['fact', ({ facts = [] }) => facts.map(({ name }) => String(name))],
  ['tour', ({ tours = [] }) => tours.map(({ id }) => id)],
  ['menu', ({ menus = [] }) => menus.map(({ id }) => id)],
];

/** What at most one enabled addon may provide. */
const single = ['identity', 'address'] as const satisfies readonly (keyof AddonDefinition)[];

/** Names that two addons (or one twice) give, and providers of what only one may provide. */
export function checkUnique(addons: readonly LoadedAddon[]): Problem[] {
  const problems: Problem[] = [];
  for (const [what, namesOf] of named) {
    const owners = new Map<string, string>();
    for (const { name: addon, definition } of addons) {
      for (const name of namesOf(definition)) {
        const other = owners.get(name);
        if (other) problems.push(twice(addon, what, name, other));
        else owners.set(name, addon);
      }
    }
  }
  for (const member of single) {
    const [first, ...more] = addons.filter(({ definition }) => definition[member] !== undefined);
    for (const { name } of more) {
      problems.push({
        addon: name,
        message: `provides \`${member}\`, which addon ${first?.name} already provides.`,
        remedy: 'Only one of them can be enabled.',
      });
    }
  }
  return problems;
}

function twice(addon: string, what: string, name: string, other: string): Problem {
  const where = other === addon ? 'twice in this addon' : `also by addon ${other}`;
  return { addon, message: `${what} "${name}" is declared ${where}.`, remedy: 'Give one of them another name.' };
}
