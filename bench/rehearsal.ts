import { type RehearsedAction, rehearseSwitch, startSide } from '@pergola/rehearsal';
import { addonsWithNeeds } from '../tools/testing/addon-closure.ts';
import { createTestApp } from '../tools/testing/app.ts';

/** Rehearses disabling the forum on the demo site: 1,000 pages in at most a minute on two cores. */
const MAX_SECONDS = 60;
const PAGES = 1_000;
const VIEWERS = 4;

const action: RehearsedAction = 'disable';
const addons = [
  ...addonsWithNeeds(['dribblo', 'forum', 'website_event', 'website_sale', 'quote', 'mass_mailing']).keys(),
];
await using app = await createTestApp({ addons, demo: true });
const { config } = app;
const env = { ...process.env, DATA_DIR: config.dataDir, DATABASE_URL: config.databaseUrl, BASE_URL: config.baseUrl };
const rehearsal = await rehearseSwitch({
  config,
  action,
  names: ['forum'],
  limit: Math.ceil(PAGES / VIEWERS),
  open: ({ roots: _, ...setup }) => startSide({ ...setup, env }),
});
const { pages, seconds, verdict } = rehearsal;
const perThousand = (seconds / pages) * PAGES;
const isMet = perThousand <= MAX_SECONDS;
console.log(
  `${isMet ? 'ok  ' : 'FAIL'} ${pages} pages on both sides in ${seconds} s (${verdict}): ${perThousand.toFixed(0)} s per 1,000, at most ${MAX_SECONDS}`,
);
process.exitCode = isMet ? 0 : 1;
