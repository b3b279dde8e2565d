import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Inline source map of a development script, or null. */
export function sourceMapIn(script: string): SourceMap | null {
  const [, data] = /\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/.exec(script) ?? [];
  return data ? new SourceMap(JSON.parse(Buffer.from(data, 'base64').toString())) : null;
}

/**
 * Source position of a position in a built script, as `/…/vote.tsx:12:3`, or null if the map doesn't contain it.
 *
 * @param map the script's source map
 * @param folder folder of the script
 */
export function sourcePlace(
  map: SourceMap | null | undefined,
  folder: string,
  [line, column]: readonly [string, string],
): string | null {
  const entry = map?.findEntry(Number(line) - 1, Number(column) - 1);
  if (!entry || !('originalSource' in entry)) return null;
  return `${path.resolve(folder, entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

/** Replaces positions in the server's island builds with positions in the islands' sources. */
export function withIslandPlaces(stack: string): string {
  const built = /(file:\/\/[^\s)]+\/server\/[^\s/)]+\.mjs):(\d+):(\d+)/g;
  const files = new Set([...stack.matchAll(built)].map(([, url = '']) => fileURLToPath(url)));
  const maps = new Map([...files].map((file) => [file, sourceMapIn(readFileSync(file, 'utf8'))]));
  return stack.replace(built, (place, url: string, line: string, column: string) => {
    const file = fileURLToPath(url);
    return sourcePlace(maps.get(file), path.dirname(file), [line, column]) ?? place;
  });
}
