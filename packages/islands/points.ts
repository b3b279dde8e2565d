import { breakers } from '@pergola/cluster';
import { buildInputs, contributionPoint, values } from '@pergola/core';
import { catalogs } from '@pergola/texts';
import { z } from 'zod';
import { buildAssets } from './assets.ts';

declare module '@pergola/core/contributions' {
  interface Contributions {
    /** Browser modules in `behaviours/` by CSS selector. Each is loaded when a matching element is on the page. */
    behaviours: Readonly<Record<string, string>>;
  }
}

const behaviours = contributionPoint('behaviours', {
  shape: z.record(z.string(), z.string()),
  folders: ['behaviours'],
  build: ({ contributions }) => new Map(contributions.map(({ addon, value }) => [addon.name, value])),
});

/** Browser assets: islands, behaviours, style sheets, icons. */
export const assets = contributionPoint('assets', {
  folders: ['islands', 'styles'],
  needs: {
    breakers,
    behaviours,
    catalogs,
    inputs: buildInputs,
    languages: values.languages,
    config: values.config,
    log: values.log,
  },
  async build({ addons, needs, pause, report }) {
    const { inputs, config, log } = needs;
    const built = await buildAssets(addons, {
      dev: config.dev,
      log,
      breakers: needs.breakers,
      behaviours: needs.behaviours,
      catalogs: needs.catalogs,
      languages: needs.languages,
      roots: inputs.roots,
      pause,
    });
    built.problems.forEach(report);
    return built.assets;
  },
});

export const islandPoints = [behaviours, assets];
