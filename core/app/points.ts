import { addonPoints } from '../addon/points.ts';
import { facts } from '../context/facts.ts';
import { httpPoints } from '../http/index.ts';
import { texts } from '../i18n/point.ts';
import { islandPoints } from '../island/points.ts';
import { jobs } from '../jobs/point.ts';
import type { ContributionPoint } from '../kernel/point.ts';
import { mails } from '../mail/point.ts';
import { modelPoints } from '../model/points.ts';
import { pagePoints } from '../page/points.ts';
import { commands } from './commands.ts';

/** The contribution points of the core; addons add their own. */
export const corePoints: readonly ContributionPoint[] = [
  texts,
  ...modelPoints,
  facts,
  ...httpPoints,
  ...islandPoints,
  ...pagePoints,
  jobs,
  mails,
  ...addonPoints,
  commands,
];
