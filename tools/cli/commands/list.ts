import { describeProblem } from '@pergola/core';
import { listing } from '../listing.ts';

export const command = listing({
  summary: 'Lists the addons and their status',
  rows: ({ lifecycle }) => lifecycle.list(),
  lines({ name, state, version, versionOnDisk, summary, problems, leftOut }) {
    const newer = version !== null && versionOnDisk !== null && version !== versionOnDisk ? ` → ${versionOnDisk}` : '';
    const cells = [name.padEnd(18), (leftOut ? 'broken' : state).padEnd(12), `${version ?? '-'}${newer}`.padEnd(16)];
    return [[...cells, summary].join(' '), ...problems.map((problem) => `    ${describeProblem(problem)}`)];
  },
});
