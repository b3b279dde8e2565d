import { addressChecks } from './sweep/addresses.ts';
import { limitChecks } from './sweep/limits.ts';
import { modelChecks } from './sweep/models.ts';
import { originChecks } from './sweep/origins.ts';
import { otherChecks } from './sweep/others.ts';
import { scriptChecks } from './sweep/scripts.ts';
import { secretChecks } from './sweep/secrets.ts';
import { openSweep } from './sweep/site.ts';
import { slowTextChecks } from './sweep/slow-texts.ts';

/**
 * The checks of `docs/security-checks.md` that go through every route and field of all addons, with demo data, and are too slow for `npm
 * test`. Runs all of them, or those named (`node bench/sweep.ts C28 C31`), on SQLite or with `--postgres`. Prints a line per figure; exits
 * with 1 if one is out of bounds.
 */
const [postgres, checkIds] = [
  process.argv.includes('--postgres'),
  process.argv.slice(2).filter((word) => /^C/.test(word)),
];
const checks = [
  ...originChecks,
  ...otherChecks,
  ...addressChecks,
  ...slowTextChecks,
  ...scriptChecks,
  ...modelChecks,
  ...secretChecks,
  ...limitChecks,
];
const sweep = await openSweep(postgres ? 'postgres' : 'sqlite');
console.log('| check | finding | value | limit | holds |\n| --- | --- | --- | --- | --- |');
for (const { id, title, run } of checks.filter((check) => checkIds.length === 0 || checkIds.includes(check.id))) {
  console.log(`| **${id}** | **${title}** | | | |`);
  for (const { label, value, limit, holds } of await run(sweep)) {
    console.log(`| ${id} | ${label} | ${value} | ${limit} | ${holds ? 'yes' : 'NO'} |`);
    if (!holds) process.exitCode = 1;
  }
}
await sweep.close();
process.exit();
