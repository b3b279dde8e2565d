import { liveNodes } from '@pergola/cluster';
import { type Command, UsageError } from '@pergola/core';
import { database } from '@pergola/db';
import { type AddonCost, type CostReport, costsOf, KEPT_MINUTES, readCosts, summed } from '@pergola/operations';
import { withApplication } from '../with-application.ts';

/** Default of `--minutes`. */
const MINUTES = 5;

export const command: Command = {
  summary: 'Shows what each addon costs on the running site: time, queries, bytes and errors',
  usage: '[--page <path>] [--minutes <n>] [--json]',
  details: [
    `--page     one page: its path (/shop), or that of its route (/shop/product/:product)`,
    `--minutes  the last minutes to count, at most ${KEPT_MINUTES}; ${MINUTES} if omitted`,
  ],
  options: { json: { type: 'boolean' }, page: { type: 'string' }, minutes: { type: 'string' } },
  async run({ options: { json, page, minutes: givenMinutes = String(MINUTES) }, io }) {
    const minutes = Number(givenMinutes);
    if (!Number.isInteger(minutes) || minutes < 1 || minutes > KEPT_MINUTES)
      throw new UsageError(`--minutes takes a number from 1 to ${KEPT_MINUTES}.`);
    return withApplication(async (application) => {
      const data = application.get(database);
      if ((await liveNodes(data)).length === 0) {
        io.err('No server runs this site. Start it with "pergola start".');
        return 1;
      }
      const reports = await readCosts(data, minutes);
      const report = typeof page === 'string' ? costsOf(reports, page) : summed('all pages', reports);
      if (!report || report.requests === 0) {
        io.err(nothingYet(page, minutes));
        return 1;
      }
      if (json) io.out(JSON.stringify({ minutes, ...report }, null, 2));
      else for (const line of linesOf(report, minutes)) io.out(line);
      return 0;
    });
  },
};

function nothingYet(page: unknown, minutes: number): string {
  const period = minutes === 1 ? 'in the last minute' : `in the last ${minutes} minutes`;
  const request = typeof page === 'string' ? `No request for ${page}` : 'No request';
  return `${request} ran code of addons ${period}. Cached pages don't count; figures arrive within 10 seconds.`;
}

function linesOf({ page, requests, ms, addons }: CostReport, minutes: number): string[] {
  const each = (figure: number): string => (figure / requests).toFixed(1);
  const line = (cells: readonly string[]): string =>
    cells.map((cell, index) => (index === 0 ? cell.padEnd(20) : cell.padStart(10))).join('');
  const figures = ({ addon, share, ms, queries, rows, bytes, errors }: AddonCost): string[] => [
    addon,
    `${(share * 100).toFixed(1)} %`,
    each(ms),
    each(queries),
    each(rows),
    (bytes / requests / 1000).toFixed(1),
    String(errors),
  ];
  return [
    `${page}: ${requests} ${requests === 1 ? 'request' : 'requests'} in ${minutes} min, ${each(ms)} ms each`,
    '',
    line(['per request', 'share', 'ms', 'queries', 'rows', 'KB', 'errors']),
    ...addons.map((addon) => line(figures(addon))),
    '',
    '“core” is the platform. Errors are the total. Pages from the cache cost nothing and don’t count.',
  ];
}
