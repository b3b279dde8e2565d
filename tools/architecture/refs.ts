import { didYouMean } from '@pergola/core';
import type { Violation } from './problem.ts';
import type { Source, Sources } from './sources.ts';

/** Templates with fewer fixed characters match too many names to be useful. */
const MIN_FIXED = 3;
/**
 * If an addon calculates record names, unknown names are only reported from this length on and if they resemble a known one: shorter names
 * are often codes.
 */
const MIN_TYPED = 4;

/** Record names that an addon's code can ship. */
interface ShippedNames {
  readonly names: ReadonlySet<string>;
  /** Patterns from template literals: `state_us_*`. */
  readonly patterns: readonly RegExp[];
  /** Whether data files also derive names from values, such as country codes. */
  readonly isCalculated: boolean;
}

/**
 * Checks that each `ref('addon.name')` refers to a record that the addon's code can ship. Searches all its code for the name, since data
 * may be calculated.
 */
export function checkRefs(sources: Sources): Violation[] {
  const isWritten = ({ isTest, addon }: Source): boolean => !isTest && addon !== null;
  const byAddon = Map.groupBy([...sources.files.values()].filter(isWritten), ({ addon }) => addon?.name ?? '');
  const shipped = new Map<string, ShippedNames>();
  const shippedBy = (addon: string): ShippedNames => {
    const names = shipped.get(addon) ?? namesIn(addon, byAddon.get(addon) ?? []);
    shipped.set(addon, names);
    return names;
  };
  return sources.checked.filter(isWritten).flatMap((source) =>
    source.facts.refs.flatMap(({ text, line }): Violation[] => {
      const [owner, name] = text.includes('.') ? split(text) : [source.addon?.name ?? '', text];
      const violation = { rule: 'unknown-ref', file: source.file, line } as const;
      if (!byAddon.has(owner)) {
        const depends = byAddon.get(source.addon?.name ?? '')?.flatMap(({ facts }) => facts.manifest?.depends ?? []);
        if (depends?.includes(owner)) return [];
        const remedy = didYouMean(owner, byAddon.keys()) || 'Use the name of the addon that ships the record.';
        return [
          {
            ...violation,
            message: `“${text}” refers to a record of “${owner}”, which is not an installed addon.`,
            remedy,
          },
        ];
      }
      const { names, patterns, isCalculated } = shippedBy(owner);
      // Codes such as FR become fr.
      if (names.has(name.toLowerCase()) || patterns.some((pattern) => pattern.test(name))) return [];
      const similar = didYouMean(name, names);
      if (isCalculated && (name.length < MIN_TYPED || !similar)) return [];
      const remedy = similar || 'Correct the name, or ship the record.';
      return [{ ...violation, message: `“${owner}” doesn’t ship a record “${name}”.`, remedy }];
    }),
  );
}

function split(text: string): readonly [string, string] {
  const dot = text.indexOf('.');
  return [text.slice(0, dot), text.slice(dot + 1)];
}

function namesIn(addon: string, files: readonly Source[]): ShippedNames {
  const words = new Set(
    files
      .flatMap(({ facts }) => [...facts.words])
      .map((word) => (word.startsWith(`${addon}.`) ? word.slice(addon.length + 1) : word)),
  );
  const templates = [...words].filter(
    (word) => /^[\w.*-]+$/.test(word) && word.includes('*') && word.replaceAll('*', '').length >= MIN_FIXED,
  );
  const isCalculated = files.some(
    ({ facts, inside }) => facts.words.has('fromEntries') && /(^|\/)(data|demo)\/[^/]+$/.test(inside),
  );
  return {
    isCalculated,
    names: new Set([...words].filter((word) => /^[\w.-]+$/.test(word)).map((word) => word.toLowerCase())),
    patterns: templates.map((word) => new RegExp(`^${word.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)),
  };
}
