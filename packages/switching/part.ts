import { clusterPart, leases, nodes } from '@pergola/cluster';
import { addonStorage, contexts, definePart, discovery, generations } from '@pergola/core';
import { database, dbPart, sessionOn } from '@pergola/db';
import { jobsPart } from '@pergola/jobs';
import { ormPart } from '@pergola/orm';
import { settingsPart } from '@pergola/settings';
import type { InstallHost } from './host.ts';
import { addonTasks } from './jobs.ts';
import { installPoints } from './points.ts';
import { DatabaseAddonStorage } from './storage.ts';
import { tables } from './tables.ts';

/** Updates the database when addons are enabled, upgraded and uninstalled. */
export const switchingPart = definePart({
  name: 'switching',
  needs: [dbPart, clusterPart, ormPart, jobsPart, settingsPart],
  points: installPoints,
  tables,
  provide({ config, log, get, set }) {
    const host: InstallHost = {
      database: get(database),
      dataDir: config.dataDir,
      addonsPath: config.addonsPath,
      log,
      holder: get(generations),
      leases: get(leases),
      nodes: get(nodes),
      discovery: get(discovery),
      context: (generation, connection) =>
        get(contexts).systemContext(generation, sessionOn(get(database), connection)),
    };
    set(addonStorage, new DatabaseAddonStorage(host));
  },
  jobs: () => [addonTasks],
});
