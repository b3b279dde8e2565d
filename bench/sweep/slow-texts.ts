import { routes } from '@pergola/http';
import { expectNone, filled, type Sweep, type SweepCheck } from './site.ts';

/** Prefixes that regular expressions look for, repeated to 60 KB each. */
const SIZE = 60_000;
const texts =
  `? - / # ] a@ \\ []( * **a ~~a ![ [ 0 <a&#32;href=" {{ , \` a. + <img <p _ a <b> & http:// (( % 1. > ' ( ; := ..`
    .split(' ')
    .concat([' ', '\n', '\t', ' \n', '< ', '# '])
    .map((piece) => `${piece.repeat(Math.ceil(SIZE / piece.length))}x`);

/** Names of the values that a route accepts, as far as its schema shows. */
function keysOf(sweep: Sweep, path: string): string[] {
  const options =
    sweep.app.application.generation.get(routes).match('POST', filled(path, '1'))?.bound.route.options ?? {};
  const shapes = ['body', 'args', 'params', 'query'].map((part) => Reflect.get(options, part));
  const keys = shapes.flatMap((schema) => {
    const shape: unknown = typeof schema === 'object' && schema !== null ? Reflect.get(schema, 'shape') : undefined;
    return typeof shape === 'object' && shape !== null ? Object.keys(shape) : [];
  });
  return keys.length > 0 ? keys : ['q', 'name', 'email', 'title', 'content', 'body', 'message', 'redirect', 'tag'];
}

const slowTexts: SweepCheck = {
  id: 'C24',
  title: 'Texts crafted to be slow to parse',
  async run(sweep) {
    const slow: string[] = [];
    let tryCount = 0;
    const timed = async (label: string, work: () => Promise<unknown>): Promise<void> => {
      const startedAt = performance.now();
      await work();
      tryCount += 1;
      const ms = performance.now() - startedAt;
      if (ms > 1000) slow.push(`${label} ${Math.round(ms)} ms`);
    };
    for (const route of sweep.routes.filter(({ method, path }) => method === 'POST' && !/logout/.test(path))) {
      const keys = keysOf(sweep, route.path);
      for (const text of texts) {
        const value = (key: string): string =>
          /(^|_)ids?$/.test(key)
            ? '1'
            : /email|login/.test(key)
              ? 'a@example.com'
              : /password/.test(key)
                ? 'long enough'
                : text;
        const values = Object.fromEntries(keys.map((key) => [key, value(key)]));
        const label = `${route.path} ${JSON.stringify(text.slice(0, 6))}`;
        await timed(label, () => sweep.ask(sweep.admin, route, filled(route.path, '1'), values));
      }
    }
    return [expectNone('responses after more than a second', tryCount, slow)];
  },
};

export const slowTextChecks: readonly SweepCheck[] = [slowTexts];
