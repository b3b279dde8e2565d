import { z } from 'zod';
import { adminPoints } from '../admin/points.ts';
import type { Problem } from '../base/errors.ts';
import type { Ctx } from '../context/context.ts';
import { facts } from '../context/facts.ts';
import { httpPoints } from '../http/index.ts';
import { siteLanguages, texts } from '../i18n/point.ts';
import { installPoints } from '../install/points.ts';
import { islandPoints } from '../island/points.ts';
import { jobs } from '../jobs/point.ts';
import { type ContributionPoint, listPoint } from '../kernel/point.ts';
import { callable } from '../kernel/shapes.ts';
import { mails } from '../mail/point.ts';
import { modelPoints } from '../model/points.ts';
import { publicMethods } from '../model/rpc/public-method.ts';
import { pagePoints } from '../page/points.ts';
import { settings } from '../settings/point.ts';
import { commands } from './commands.ts';

declare module '../kernel/point.ts' {
  interface Contributions {
    /**
     * Whether the site may be served as it is, asked before the server listens; with problems the start is refused (demo passwords in production).
     * Reads only.
     */
    startChecks: readonly ((ctx: Ctx) => Promise<readonly Problem[]>)[];
  }
}

export const startChecks = listPoint('startChecks', { shape: z.array(callable) });

/** The contribution points of the core; addons add their own. */
export const corePoints: readonly ContributionPoint[] = [
  texts,
  siteLanguages,
  ...modelPoints,
  publicMethods,
  facts,
  ...httpPoints,
  ...islandPoints,
  ...pagePoints,
  jobs,
  mails,
  ...adminPoints,
  settings,
  ...installPoints,
  startChecks,
  commands,
];
