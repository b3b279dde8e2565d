import { capabilityText } from '@pergola/capabilities';
import type { Capability } from '@pergola/core';

/** Places shown for a capability; `--json` has all. */
const MOST_PLACES = 3;

const titles = [
  ['high', 'Read this first'],
  ['medium', 'Worth knowing'],
  ['low', 'As usual'],
] as const;

/** Lists capabilities by risk. */
export function sheetLines(capabilities: readonly Capability[]): string[] {
  return titles.flatMap(([level, title]) =>
    capabilityLines(
      title,
      capabilities.filter(({ risk }) => risk === level),
    ),
  );
}

/** A titled list of capabilities; nothing if it is empty. */
export function capabilityLines(title: string, capabilities: readonly Capability[]): string[] {
  if (capabilities.length === 0) return [];
  return [
    `\n${title}`,
    ...capabilities.map((capability) => {
      const places = capability.where.slice(0, MOST_PLACES).map(({ file, line }) => `${file}:${line}`);
      const rest = capability.where.length - places.length;
      return `  ${capability.kind.padEnd(8)} ${capabilityText(capability)}  (${places.join(', ')}${rest > 0 ? ` and ${rest} more` : ''})`;
    }),
  ];
}
