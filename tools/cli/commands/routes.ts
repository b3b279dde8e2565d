import { routes } from '@pergola/http';
import { listing } from '../listing.ts';

export const command = listing({
  summary: 'Lists the routes of the enabled addons',
  rows: ({ generation }) => generation.get(routes).list(),
  lines: ({ method, path, kind, auth, addon }) => [
    `${method.padEnd(5)} ${path.padEnd(56)} ${kind.padEnd(5)} ${auth.padEnd(7)} ${addon}`,
  ],
});
