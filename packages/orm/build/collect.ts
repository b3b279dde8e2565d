import { didYouMean, type Problem } from '@pergola/core';
import type { AccessList, RecordRule } from '../access/define.ts';
import { type Declaration, declarationOf } from '../model.ts';
import type { ModelRef } from '../types.ts';
import { isModelName } from './names.ts';

/** What an addon brings that concerns models; `AddonDefinition` has the same members. */
export interface AddonModels {
  readonly name: string;
  readonly models?: readonly ModelRef[];
  readonly access?: readonly AccessList[];
  readonly rules?: readonly RecordRule[];
}

/** A declaration and the addon that listed it. */
export interface Part {
  readonly addon: string;
  readonly ref: ModelRef;
  readonly declaration: Declaration;
}

/** A model as declared, with the extensions over it in the order of their addons. */
export interface Collected {
  readonly name: string;
  readonly owner: Part;
  readonly extensions: readonly Part[];
}

/** Tells of a problem; `lost` names the fields and models that are left out because of it. */
export type Report = (addon: string, message: string, remedy?: string, lost?: readonly string[]) => void;

/** A reporter that adds to a list. */
export function reportTo(problems: Problem[]): Report {
  return (addon, message, remedy, lost) =>
    problems.push({ addon, message, ...(remedy ? { remedy } : {}), ...(lost ? { lost } : {}) });
}

/** Models by name that addons beyond the enabled ones would bring. */
export function absentModels(known: readonly AddonModels[], enabled: ReadonlySet<string>): Map<string, string> {
  const absent = new Map<string, string>();
  for (const { addon, declaration } of known.filter(({ name }) => !enabled.has(name)).flatMap(partsOf)) {
    if (declaration.kind === 'model') absent.set(declaration.name, addon);
  }
  return absent;
}

/** Sorts declarations into models and their extensions, and reports what does not fit together. */
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
      // Without it, everything that uses its fields would be reported too.
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
    if (seen.has(declaration)) report(addon, `Its ${what(declaration)} is listed twice among its models.`);
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
    const other = owners.get(name);
    if (!isModelName(name)) {
      report(
        part.addon,
        `“${name}” cannot name a model.`,
        'Use words of small letters, joined by _ and dots, at most 50 letters.',
        [name],
      );
    } else if (other) {
      report(
        part.addon,
        `The model “${name}” is declared twice, here and in addon ${other.addon}.`,
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
  const bringer = absent.get(name);
  report(
    addon,
    `It extends the model “${name}”, which is not there.`,
    bringer ? `Addon ${bringer} brings it: add it to “depends”.` : didYouMean(name, owners.keys()),
    [name],
  );
}

/** Reports an extension that was declared over something else than what is there. */
function checkFit(part: Part, owner: Part, listed: ReadonlySet<Declaration>, report: Report): void {
  for (const below of belows(part.declaration)) {
    if (below.kind === 'extension' && !listed.has(below)) {
      report(
        part.addon,
        `It extends an extension of “${below.name}” that no enabled addon lists.`,
        'Add the addon that brings that extension to “depends”.',
      );
      return;
    }
    if (below.kind === 'model' && below !== owner.declaration) {
      report(
        part.addon,
        `It extends another model “${below.name}” than the one addon ${owner.addon} lists.`,
        'Extend the class that addon exports.',
      );
      return;
    }
  }
}

/** The declarations under an extension, from the nearest down to the model. */
export function belows(declaration: Declaration): Declaration[] {
  if (!declaration.base) return [];
  const below = declarationOf(declaration.base);
  return [below, ...belows(below)];
}

function what({ kind, name }: Declaration): string {
  return kind === 'extension' ? `extension of “${name}”` : `${kind} “${name}”`;
}
