import { capabilityText } from '@pergola/capabilities';
import type { CodePower } from '@pergola/core';

/** Places shown for a capability; `--json` has all. */
const MOST_PLACES = 3;

const titles = [
  ['high', 'Read this first'],
  ['medium', 'Worth knowing'],
  ['low', 'As usual'],
] as const;

/** What code can do, grouped by risk. */
export function sheetLines(powers: readonly CodePower[]): string[] {
  return titles.flatMap(([level, title]) =>
    powerLines(
      title,
      powers.filter(({ risk }) => risk === level),
    ),
  );
}

/** A list of what code can do; nothing for an empty one. */
export function powerLines(title: string, powers: readonly CodePower[]): string[] {
  if (powers.length === 0) return [];
  return [
    `\n${title}`,
    ...powers.map((power) => {
      const places = power.where.slice(0, MOST_PLACES).map(({ file, line }) => `${file}:${line}`);
      const rest = power.where.length - places.length;
      return `  ${power.kind.padEnd(8)} ${capabilityText(power)}  (${places.join(', ')}${rest > 0 ? ` and ${rest} more` : ''})`;
    }),
  ];
}
