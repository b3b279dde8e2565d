import { SourceMap } from 'node:module';
import path from 'node:path';
import { repository } from '../../core/base/addon-folders.ts';

const place = /(?:https?:\/\/[^/\s)]+)?(\/_assets\/[\w./-]+\.js):(\d+):(\d+)/g;

/**
 * A browser's stack with the places of the sources instead of those of what was built from them: `addons/forum/islands/vote.tsx:12:3`.
 *
 * @param load a built script by its path, with its source map in it
 */
export async function withSourcePlaces(stack: string, load: (address: string) => Promise<string>): Promise<string> {
  const maps = new Map<string, SourceMap | null>();
  for (const [, address = ''] of stack.matchAll(place))
    if (!maps.has(address)) maps.set(address, mapOf(await load(address).catch(() => '')));
  return stack.replace(place, (whole, address: string, line: string, column: string) => {
    const found = maps.get(address)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!found || !('originalSource' in found)) return whole;
    // As deep as builds lie.
    const source = path.resolve(repository, '.build/dev/addon/browser', found.originalSource);
    return `${path.relative(repository, source)}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  });
}

function mapOf(script: string): SourceMap | null {
  const [, data] = /\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/.exec(script) ?? [];
  return data ? new SourceMap(JSON.parse(Buffer.from(data, 'base64').toString())) : null;
}
