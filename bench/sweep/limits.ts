import type { RateLimit } from '@pergola/http';
import type { Client } from '../../tools/testing/index.ts';
import { expectNone, filled, type Listing, type Sweep, type SweepCheck } from './site.ts';

/** Higher limits take too long to reach; tests next to their declarations cover them. */
const MOST = 300;

interface Limited {
  readonly route: Listing;
  readonly rate: RateLimit;
}

/** Routes whose first limit counts by network or user, not by submitted values; for routes that share a limit, only the first. */
function limitedRoutes({ app, routes }: Sweep): readonly Limited[] {
  const defined = app.application.generation.addons
    .flatMap(({ definition }) => definition.routes ?? [])
    .flat()
    .flatMap((route) => (route.form ? [route, route.form] : [route]));
  const limited = defined.flatMap(({ name, options }): Limited[] => {
    const route = routes.find((candidate) => candidate.name === name);
    const rates = [options.rate ?? []].flat() as RateLimit[];
    const [first] = rates.toSorted((a, b) => a.calls - b.calls);
    const isPlain =
      rates.every(({ by: keys }) => typeof keys !== 'function') && first !== undefined && first.calls <= MOST;
    return route && isPlain ? [{ route, rate: first }] : [];
  });
  const names = limited.map(({ route, rate }) => rate.name ?? route.name);
  return limited.filter((_, place) => names.indexOf(names[place] ?? '') === place);
}

/** Counts the calls of one persistent client that were let through. */
async function letThrough(sweep: Sweep, client: Client, { route, rate }: Limited): Promise<number> {
  const guess = filled(route.path, '1');
  // Redirects to the address with the record's name are cheap and not counted.
  const { status: first, location } = await sweep.ask(sweep.stranger(), route, guess, {});
  const path = first === 301 && location ? location : guess;
  let count = 0;
  for (let time = 0; time < rate.calls * 1.2 + 2; time++) {
    const { status, text } = await sweep.ask(client, route, path, {});
    if (status !== 429 && !text.includes('core.too_many_calls')) count += 1;
  }
  return count;
}

const caps: SweepCheck = {
  id: 'C46',
  title: `A persistent caller, for every route limit of up to ${MOST} calls`,
  async run(sweep) {
    const violations: string[] = [];
    const limited = limitedRoutes(sweep);
    for (const limit of limited) {
      const client = limit.route.auth === 'user' ? await sweep.app.as('admin') : sweep.stranger();
      const count = await letThrough(sweep, client, limit);
      if (Math.abs(count - limit.rate.calls) > limit.rate.calls / 10)
        violations.push(`${limit.route.path}: ${count} of ${limit.rate.calls}`);
    }
    return [expectNone('limits that are off by more than a tenth', limited.length, violations)];
  },
};

export const limitChecks: readonly SweepCheck[] = [caps];
