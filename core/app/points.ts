import { z } from 'zod';
import type { Problem } from '../base/index.ts';
import { type Ctx, requestAttributes } from '../context/index.ts';
import { httpPoints } from '../http/index.ts';
import { siteLanguages, siteTimezone, texts } from '../i18n/index.ts';
import { installPoints } from '../install/index.ts';
import { islandPoints } from '../island/index.ts';
import { jobs } from '../jobs/index.ts';
import { type ContributionPoint, callable, listPoint } from '../kernel/index.ts';
import { mails, outboxGuards, outboxListeners } from '../mail/index.ts';
import { modelPoints } from '../model/index.ts';
import { pagePoints } from '../page/index.ts';
import { settings } from '../settings/index.ts';
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
  siteTimezone,
  ...modelPoints,
  requestAttributes,
  ...httpPoints,
  ...islandPoints,
  ...pagePoints,
  jobs,
  mails,
  outboxListeners,
  outboxGuards,
  settings,
  ...installPoints,
  startChecks,
  commands,
];
