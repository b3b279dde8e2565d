import autocannon from 'autocannon';
import { cpuTime, loadOptions, median, startPostgres, startServer } from './harness.ts';

/**
 * Throughput of two processes of one site on PostgreSQL compared with one: uncached pages of the demo site under the same load, in turns.
 * The database and the load generator share the CPU cores, so their share is printed. Limit: 1.7 times.
 */
const paths = ['/', '/shop', '/event', '/matchs', '/forum/help-1'];

const { rounds = 5, seconds = 4, connections = 32 } = loadOptions();
const postgres = await startPostgres();
const env = { DEMO: 'true', DATABASE_URL: new URL(`/${postgres.template}`, postgres.url).href };
const first = await startServer({ env, timeout: 180_000 });
// Nodes of one site share its files and its secret.
const second = await startServer({ env: { ...env, DATA_DIR: first.dataDir }, timeout: 180_000 });
try {
  const singleRates: number[] = [];
  const two: number[] = [];
  const clientCpuShares: number[] = [];
  await serve([first.url, second.url]);
  for (let round = 0; round < rounds; round++) {
    singleRates.push(await serve([first.url]));
    const cpuStart = process.cpuUsage();
    const nodes = cpuTime(first.pid) + cpuTime(second.pid);
    two.push(await serve([first.url, second.url]));
    const cpuUsed = process.cpuUsage(cpuStart);
    clientCpuShares.push((cpuUsed.user + cpuUsed.system) / (cpuTime(first.pid) + cpuTime(second.pid) - nodes));
  }
  const ratio = median(two.map((rate, round) => rate / (singleRates[round] ?? Number.NaN)));
  console.log(`one process:   ${Math.round(median(singleRates))} pages a second`);
  console.log(`two processes: ${Math.round(median(two))}, ${ratio.toFixed(2)} times one. Limit: 1.7.`);
  console.log(
    `The load generator uses ${Math.round(median(clientCpuShares) * 100)} % of the CPU of the two processes.`,
  );
} finally {
  await second.remove();
  await first.remove();
  await postgres.stop();
}

/** Pages per second of all these processes together, for this many visitors in total. */
async function serve(urls: readonly string[]): Promise<number> {
  const requests = paths.map((path) => ({ path: `${path}?fresh=[<id>]` }));
  const load = { connections: connections / urls.length, duration: seconds, requests, idReplacement: true };
  const results = await Promise.all(urls.map((url) => autocannon({ url, ...load })));
  const failed = results.reduce((sum, { errors, non2xx }) => sum + errors + non2xx, 0);
  if (failed > 0) throw new Error(`${failed} pages failed.`);
  return results.reduce((sum, result) => sum + result['2xx'] / result.duration, 0);
}
