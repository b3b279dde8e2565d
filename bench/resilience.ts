import { accountChecks } from './resilience/accounts.ts';
import { buyerChecks } from './resilience/buyers.ts';
import { crashChecks } from './resilience/crash.ts';
import { faultChecks } from './resilience/faults.ts';
import { inputChecks } from './resilience/inputs.ts';
import { loadChecks } from './resilience/load.ts';
import { nodeChecks } from './resilience/nodes.ts';
import { orderChecks } from './resilience/orders.ts';
import { pollutionChecks } from './resilience/pollution.ts';
import { readerChecks } from './resilience/readers.ts';
import { soakChecks } from './resilience/soak.ts';

/**
 * The checks of `docs/security-checks.md` that need separate server processes, load, kills or several nodes, and are too slow for `npm
 * test`. Runs all of them, or those named (`node bench/resilience.ts C13 C14`). Prints a line per figure; exits with 1 if one is out of
 * bounds.
 */
const checkIds = new Set(process.argv.slice(2));
const checks = [
  ...buyerChecks,
  ...crashChecks,
  ...orderChecks,
  ...loadChecks,
  ...readerChecks,
  ...nodeChecks,
  ...inputChecks,
  ...soakChecks,
  ...faultChecks,
  ...accountChecks,
  ...pollutionChecks,
];
console.log('| check | finding | value | limit | holds |\n| --- | --- | --- | --- | --- |');
for (const { id, title, run } of checks.filter((check) => checkIds.size === 0 || checkIds.has(check.id))) {
  console.log(`| **${id}** | **${title}** | | | |`);
  for (const { label, value, limit, holds } of await run()) {
    console.log(`| ${id} | ${label} | ${value} | ${limit} | ${holds ? 'yes' : 'NO'} |`);
    if (!holds) process.exitCode = 1;
  }
}
process.exit();
