import { type Capability as CodeCapability, inEnglish, type Sentence } from '@pergola/core';

/** Kinds of capabilities. `code`: code built from text at run time, or code that can't be analysed. */
export const capabilityKinds = [
  'code',
  'process',
  'network',
  'file',
  'sql',
  'sudo',
  'secret',
  'package',
  'group',
  'module',
  'express',
  'route',
  'model',
  'setting',
  'job',
  'mail',
] as const;
export type CapabilityKind = (typeof capabilityKinds)[number];

/** `high`: an administrator should read it before enabling the addon. */
export type Risk = Capability['risk'];

/** A place in the addon's folder. */
export type Place = Capability['where'][number];

/** Something an addon's code can do. */
export interface Capability extends CodeCapability {
  readonly kind: CapabilityKind;
}

const risks: readonly Risk[] = ['low', 'medium', 'high'];

/** Compares risks: positive if the first is higher. */
export function compareRisks(a: Risk, b: Risk): number {
  return risks.indexOf(a) - risks.indexOf(b);
}

/** A capability in the source language, for command lines: `package helper: starts other programs`. */
export function capabilityText({ what, inPackage }: Pick<CodeCapability, 'what' | 'inPackage'>): string {
  return `${inPackage === undefined ? '' : `package ${inPackage}: `}${inEnglish(what)}`;
}

/** Collects capabilities; the same one found in several places becomes a single entry with the highest risk. */
export class CapabilityList {
  readonly #found = new Map<string, Capability & { risk: Risk; where: Place[] }>();

  add(kind: CapabilityKind, what: Sentence, risk: Risk, place: Place, inPackage?: string): void {
    const capability = { kind, what, risk, where: [], ...(inPackage === undefined ? {} : { inPackage }) };
    const key = keyOf(capability);
    const entry = this.#found.get(key) ?? capability;
    this.#found.set(key, entry);
    if (compareRisks(risk, entry.risk) > 0) entry.risk = risk;
    const places: Place[] = entry.where;
    if (!places.some(({ file, line }) => file === place.file && line === place.line)) places.push(place);
  }

  /** Highest risk first, then by kind and text. */
  sorted(): Capability[] {
    const order = (kind: CapabilityKind): number => capabilityKinds.indexOf(kind);
    return [...this.#found.values()].sort(
      (a, b) =>
        compareRisks(b.risk, a.risk) ||
        order(a.kind) - order(b.kind) ||
        (capabilityText(a) < capabilityText(b) ? -1 : 1),
    );
  }
}

/** Identifies a capability. */
export function keyOf(capability: Capability): string {
  return `${capability.kind} ${capabilityText(capability)}`;
}
