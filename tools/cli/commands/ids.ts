import type { Command } from '@pergola/core';
import { database, rowsOf } from '@pergola/db';
import { withApplication } from '../with-application.ts';

export const command: Command = {
  summary: 'Lists the external ids for `ref` with their records, of one addon or model, or all',
  usage: '[<addon>|<model>] [--json]',
  options: { json: { type: 'boolean' } },
  run: ({ words: [filterName], options, io }) =>
    withApplication(async (application) => {
      const { knex, reader } = application.get(database);
      const query = knex('core_external_id').select('addon', 'name', 'model', 'record_id');
      const rows = await rowsOf(reader, query.orderBy(['addon', 'model', 'name']));
      const ids = rows
        .filter(({ addon, model }) => filterName === undefined || addon === filterName || model === filterName)
        .map(({ addon, name, model, record_id }) => ({
          id: `${addon}.${name}`,
          model: String(model),
          record: record_id === null ? null : Number(record_id),
        }));
      if (options.json) io.out(JSON.stringify(ids, null, 2));
      else for (const { id, model, record } of ids) io.out(`${id.padEnd(48)} ${model} ${record ?? 'deleted'}`);
      if (ids.length > 0 || options.json) return 0;
      io.err(
        filterName === undefined
          ? 'No external ids found.'
          : `No external ids found for an addon or model “${filterName}”.`,
      );
      return filterName === undefined ? 0 : 1;
    }),
};
