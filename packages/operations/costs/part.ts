import { clusterPart, nodes } from '@pergola/cluster';
import { codeMeter, definePart, value } from '@pergola/core';
import { database, dbPart } from '@pergola/db';
import { CostLedger, tables } from './ledger.ts';
import { withOwnedFunctions, withOwnedMethods } from './owned-code.ts';

/** The costs of this process. */
export const costLedger = value<CostLedger>('cost ledger');

/** Measures what the code of each addon costs, and stores it by page and minute. */
export const costsPart = definePart({
  name: 'costs',
  needs: [dbPart, clusterPart],
  tables,
  provide({ log, get, set }) {
    const ledger = new CostLedger({ database: get(database), log, node: get(nodes).instance });
    set(costLedger, ledger);
    set(codeMeter, { open: (work) => ledger.open(work), functions: withOwnedFunctions, methods: withOwnedMethods });
  },
  phases: {
    ready: ({ get }) => get(costLedger).start(),
    stop: ({ get }) => get(costLedger).stop(),
  },
});
