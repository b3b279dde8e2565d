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
export type Risk = 'low' | 'medium' | 'high';

/** A place in the addon's folder. */
export interface Place {
  /** relative to the addon's folder, with `/` */
  readonly file: string;
  readonly line: number;
}

/** Something an addon's code can do. */
export interface Capability {
  readonly kind: CapabilityKind;
  /** In plain English: `contacts api.example.org` */
  readonly what: string;
  readonly risk: Risk;
  readonly where: readonly Place[];
}

const risks: readonly Risk[] = ['low', 'medium', 'high'];

/** Compares risks: positive if the first is higher. */
export function compareRisks(a: Risk, b: Risk): number {
  return risks.indexOf(a) - risks.indexOf(b);
}

/** Collects capabilities; the same one found in several places becomes a single entry with the highest risk. */
export class CapabilityList {
  readonly #found = new Map<string, { kind: CapabilityKind; what: string; risk: Risk; where: Place[] }>();

  add(kind: CapabilityKind, what: string, risk: Risk, place: Place): void {
    const key = `${kind} ${what}`;
    const entry = this.#found.get(key) ?? { kind, what, risk, where: [] };
    this.#found.set(key, entry);
    if (compareRisks(risk, entry.risk) > 0) entry.risk = risk;
    if (!entry.where.some(({ file, line }) => file === place.file && line === place.line)) entry.where.push(place);
  }

  /** Highest risk first, then by kind and text. */
  sorted(): Capability[] {
    const order = (kind: CapabilityKind): number => capabilityKinds.indexOf(kind);
    return [...this.#found.values()].sort(
      (a, b) => compareRisks(b.risk, a.risk) || order(a.kind) - order(b.kind) || (a.what < b.what ? -1 : 1),
    );
  }
}
