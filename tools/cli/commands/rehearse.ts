import { delimiter, join, resolve } from 'node:path';
import { type Command, type CommandIo, inEnglish, isInside, PergolaError, repository, UsageError } from '@pergola/core';
import {
  DEFAULT_PAGES,
  type DifferenceGroup,
  type DifferenceKind,
  differenceGroups,
  type Rehearsal,
  type RehearsalMessage,
  type RehearsalProgress,
  type RehearsedAction,
  rehearseSwitch,
  serveSide,
  startSide,
} from '@pergola/rehearsal';
import { parts } from '../../parts.ts';
import { existingSite } from '../existing-site.ts';

const actions: readonly RehearsedAction[] = ['enable', 'disable', 'upgrade', 'uninstall'];

export const command: Command = {
  summary:
    'Enables, disables, upgrades or uninstalls addons on a copy of the site, and reports what would be different',
  usage: '<enable|disable|upgrade|uninstall> <addon>… [--pages <number>] [--before <folder>] [--consent] [--json]',
  options: {
    pages: { type: 'string' },
    before: { type: 'string' },
    consent: { type: 'boolean' },
    json: { type: 'boolean' },
    side: { type: 'boolean' },
    followed: { type: 'boolean' },
  },
  details: [
    'Copies the database, makes the change there, and compares pages as visitor, customer, editor and administrator. Nothing in the live',
    'site changes, no email is sent, and no other server is contacted. The site may be running.',
    '',
    `  --pages <n>        addresses to compare; default ${DEFAULT_PAGES}`,
    '  --before <folder>  previous version of the addon, if the site has not kept it: it keeps the code of addons in ADDONS_PATH',
    '  --consent          agrees to what the code can do, on the copy only',
    '  --json             prints the verdict and all differences',
    '',
    'Exit code 0: same or different. 1: something fails. 2: invalid arguments.',
  ],
  async run({ words: [action = '', ...names], options, io }) {
    if (options.side === true) {
      await serveSide(parts);
      return 0;
    }
    const rehearsed = actions.find((name) => name === action);
    if (!rehearsed) throw new UsageError(`Name what to rehearse: ${actions.join(', ')}.`);
    if (names.length === 0 && rehearsed !== 'upgrade') throw new UsageError('<addon> is missing.');
    const limit = options.pages === undefined ? DEFAULT_PAGES : Number(options.pages);
    if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--pages takes a whole number above 0.');
    const config = await existingSite();
    const stopped = new AbortController();
    const stop = (): void => stopped.abort();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
    // A server that started this process follows it, and stops it by closing the channel.
    const tell = options.followed === true ? sendToParent : undefined;
    if (tell) process.once('disconnect', stop);
    if (tell && !process.connected) stop();
    const env = { ...process.env, DATA_DIR: config.dataDir, DATABASE_URL: config.databaseUrl };
    try {
      const rehearsal = await rehearseSwitch({
        config,
        action: rehearsed,
        names,
        limit,
        consents: options.consent === true,
        previousCode: typeof options.before === 'string' ? [resolve(options.before)] : [],
        open: ({ roots, ...setup }) =>
          startSide({ ...setup, env: { ...env, ADDONS_PATH: addonsPath(roots) }, signal: stopped.signal }),
        onProgress: tell ? (progress) => void tell({ progress }) : options.json === true ? undefined : progressOf(io),
      });
      await tell?.({ rehearsal });
      if (options.json === true) io.out(JSON.stringify({ ...rehearsal, notes: rehearsal.notes.map(inEnglish) }));
      else for (const line of reportLines(rehearsal, `${action} ${names.join(', ')}`.trim())) io.out(line);
      return rehearsal.verdict === 'fails' ? 1 : 0;
    } catch (error) {
      if (error instanceof PergolaError)
        await tell?.({ trouble: inEnglish({ text: error.message, params: error.params }) });
      throw error;
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
      if (tell && process.connected) process.disconnect();
    }
  },
};

/** Settles once the process that started this one has the message, or is gone. */
function sendToParent(message: RehearsalMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, () => resolve());
    else resolve();
  });
}

/** Roots without the shipped addons, which are always among them. */
function addonsPath(roots: readonly string[]): string {
  return roots.filter((root) => !isInside(join(repository, 'addons'), root)).join(delimiter);
}

/** Prints a line for each step and each quarter of the pages. */
function progressOf(io: CommandIo): (progress: RehearsalProgress) => void {
  let lastShare = -1;
  return ({ step, done, total }) => {
    if (step === 'switch') io.err('… Changing a copy of the site');
    const share = total === 0 ? -1 : Math.floor((done / total) * 4);
    if (share > lastShare) io.err(`… ${done} of ${total} pages`);
    lastShare = Math.max(share, lastShare);
  };
}

const headings: Readonly<Record<DifferenceKind, string>> = {
  problem: 'The change fails',
  error: 'Errors',
  loop: 'Redirects that never end',
  mail: 'Emails that fail',
  data: 'Data that is lost or overwritten',
  rights: 'Opened or closed',
  status: 'New, missing or failing pages',
  redirect: 'Redirects elsewhere',
  route: 'New or missing routes',
  job: 'Jobs',
  translation: 'Missing translations',
  text: 'Texts',
  structure: 'Structure',
  accessibility: 'Accessibility',
  queries: 'Queries',
  time: 'Slower pages',
  bytes: 'Size of pages',
  network: 'Other servers',
};
const verdicts: Readonly<Record<Rehearsal['verdict'], string>> = {
  same: 'Nothing would be different',
  differs: 'Something would be different',
  fails: 'Something would fail',
};
/** Maximum number of lines per kind, and of characters per value. */
const MAX_LINES = 15;
const MAX_VALUE = 160;

function reportLines(rehearsal: Rehearsal, title: string): string[] {
  const { verdict, pages, seconds, omitted, notes, differences, fingerprint } = rehearsal;
  const groups = differenceGroups(rehearsal);
  const byKind = Map.groupBy(groups, ({ kind }) => kind);
  const sections = [...byKind].flatMap(([kind, kindGroups]) => {
    const count = kindGroups.reduce((sum, group) => sum + group.count, 0);
    const more = kindGroups.length - MAX_LINES;
    return [
      '',
      `${headings[kind]}: ${count}`,
      ...kindGroups.slice(0, MAX_LINES).flatMap(groupLines),
      ...(more > 0 ? [`  … and ${more} more (--json lists them)`] : []),
    ];
  });
  return [
    `${title}: ${verdicts[verdict]}.`,
    `${differences.length + omitted} differences on ${pages} pages, in ${seconds} s.`,
    ...notes.map(inEnglish),
    ...(fingerprint === null
      ? []
      : [`To make exactly this change, unless something has changed since, add --rehearsed ${fingerprint}`]),
    ...sections,
    ...(omitted > 0 ? ['', `${omitted} more differences are not listed.`] : []),
  ];
}

function groupLines({ count, example, paths, viewers }: DifferenceGroup): string[] {
  const { path, before, after } = example;
  const place = viewers.length === 0 ? path : `${path} as ${viewers.join(', ')}`;
  const unit = viewers.length === 0 ? 'of these' : paths === 1 ? 'page' : 'pages';
  const repeated = count > 1 ? `${paths} ${unit}, such as ` : '';
  const change = [before === null ? '' : `- ${short(before)}`, after === null ? '' : `+ ${short(after)}`];
  return [`  ${repeated}${place}`, ...change.filter((line) => line !== '').map((line) => `    ${line}`)];
}

function short(value: string): string {
  const line = value.replace(/\s+/g, ' ');
  return line.length > MAX_VALUE ? `${line.slice(0, MAX_VALUE)}…` : line;
}
