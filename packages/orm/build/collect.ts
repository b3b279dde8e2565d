import { didYouMean, type Problem } from '@pergola/core';
import type { AccessList, RecordRule } from '../access/define.ts';
import { type Declaration, declarationOf } from '../model.ts';
import type { ModelRef } from '../types.ts';
import { isModelName } from './names.ts';

/** An addon's contributions to models; members have the same names in `AddonDefinition`. */
export interface AddonModels {
  readonly name: string;
  readonly models?: readonly ModelRef[];
  readonly access?: readonly AccessList[];
  readonly rules?: readonly RecordRule[];
}

/** A declaration and the addon that lists it. */
export interface Part {
  readonly addon: string;
  readonly ref: ModelRef;
  readonly declaration: Declaration;
}

/** A model's declaration, with its extensions in the order of their addons. */
export interface Collected {
  readonly name: string;
  readonly owner: Part;
  readonly extensions: readonly Part[];
}

/** Reports a problem; `lost` names the fields and models omitted because of it. */
export type Report = (addon: string, message: string, remedy?: string, omitted?: readonly string[]) => void;

/** Returns a reporter that adds to a list. */
export function reportTo(problems: Problem[]): Report {
  return (addon, message, remedy, omitted) =>
    problems.push({ addon, message, ...(remedy ? { remedy } : {}), ...(omitted ? { lost: omitted } : {}) });
}

/** Returns the models that known but disabled addons would define, by name. */
export function absentModels(addons: readonly AddonModels[], enabled: ReadonlySet<string>): Map<string, string> {
  const absent = new Map<string, string>();
  for (const { addon, declaration } of addons.filter(({ name }) => !enabled.has(name)).flatMap(partsOf)) {
    if (declaration.kind === 'model') absent.set(declaration.name, addon);
  }
  return absent;
}

/** Sorts declarations into models and their extensions, and reports conflicts. */
export function collect(
  addons: readonly AddonModels[],
  absent: ReadonlyMap<string, string>,
  report: Report,
): Map<string, Collected> {
  const parts = addons.flatMap((addon) => onlyOnce(partsOf(addon), report));
  const owners = collectOwners(parts, report);
  const collected = new Map<string, Collected & { extensions: Part[] }>();
  for (const [name, owner] of owners) collected.set(name, { name, owner, extensions: [] });
  const listed = new Set(parts.map(({ declaration }) => declaration));
  for (const part of parts) {
    if (part.declaration.kind !== 'extension') continue;
    const model = collected.get(part.declaration.name);
    if (!model) reportMissing(part, owners, absent, report);
    else {
      checkFit(part, model.owner, listed, report);
      // Kept despite problems: otherwise all uses of its fields would be reported too.
      model.extensions.push(part);
    }
  }
  return collected;
}

function partsOf({ name, models = [] }: AddonModels): Part[] {
  return models.map((ref) => ({ addon: name, ref, declaration: declarationOf(ref) }));
}

function onlyOnce(parts: readonly Part[], report: Report): Part[] {
  const seen = new Set<Declaration>();
  return parts.filter(({ addon, ref, declaration }) => {
    if (declaration === undefined) {
      report(addon, `“${ref?.name}” among its models is none.`, 'List what model(…), extend(…) or mixin(…) made.');
      return false;
    }
    if (seen.has(declaration)) report(addon, `Its ${describe(declaration)} is listed twice among its models.`);
    const isFirst = !seen.has(declaration);
    seen.add(declaration);
    return isFirst;
  });
}

function collectOwners(parts: readonly Part[], report: Report): Map<string, Part> {
  const owners = new Map<string, Part>();
  for (const part of parts) {
    const { name, kind } = part.declaration;
    if (kind !== 'model') continue;
    const existing = owners.get(name);
    if (!isModelName(name)) {
      report(
        part.addon,
        `“${name}” cannot name a model.`,
        'Use words of small letters, joined by _ and dots, at most 50 letters.',
        [name],
      );
    } else if (existing) {
      report(
        part.addon,
        `The model “${name}” is declared twice, here and in addon ${existing.addon}.`,
        'Extend that one, or take another name.',
      );
    } else {
      owners.set(name, part);
    }
  }
  return owners;
}

function reportMissing(
  { addon, declaration }: Part,
  owners: ReadonlyMap<string, Part>,
  absent: ReadonlyMap<string, string>,
  report: Report,
): void {
  const { name } = declaration;
  const definingAddon = absent.get(name);
  report(
    addon,
    `It extends the model “${name}”, which is not there.`,
    definingAddon ? `Addon ${definingAddon} brings it: add it to “depends”.` : didYouMean(name, owners.keys()),
    [name],
  );
}

/** Reports an extension declared on a different base than the one in use. */
function checkFit(part: Part, owner: Part, listed: ReadonlySet<Declaration>, report: Report): void {
  for (const base of ancestorsOf(part.declaration)) {
    if (base.kind === 'extension' && !listed.has(base)) {
      report(
        part.addon,
        `It extends an extension of “${base.name}” that no enabled addon lists.`,
        'Add the addon that brings that extension to “depends”.',
      );
      return;
    }
    if (base.kind === 'model' && base !== owner.declaration) {
      report(
        part.addon,
        `It extends another model “${base.name}” than the one addon ${owner.addon} lists.`,
        'Extend the class that addon exports.',
      );
      return;
    }
  }
}

/** Returns the declarations that an extension builds on, from the nearest down to the model. */
export function ancestorsOf(declaration: Declaration): Declaration[] {
  if (!declaration.base) return [];
  const base = declarationOf(declaration.base);
  return [base, ...ancestorsOf(base)];
}

function describe({ kind, name }: Declaration): string {
  return kind === 'extension' ? `extension of “${name}”` : `${kind} “${name}”`;
}
