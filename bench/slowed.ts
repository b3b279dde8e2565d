/** Score of a machine slowed 4 times to match a mid-range phone, according to Lighthouse's calculator. */
const PHONE = 1533 / 4;

/**
 * Returns the factor by which to slow this machine's CPU so that a page feels as on a mid-range phone: 4 on a fast desktop, less on a slow
 * or busy machine, at least 1. Measured in the browser, with the same work as Lighthouse's BenchmarkIndex.
 *
 * @param run runs a function in a page that isn't slowed
 */
export async function timesSlowed(run: (work: () => number) => Promise<number>): Promise<number> {
  const scores: number[] = [];
  for (let round = 0; round < 3; round++) scores.push(((await run(joined)) + (await run(copied))) / 2);
  const score = scores.sort((a, b) => a - b)[1] ?? 0;
  const times = Math.max(1, score / PHONE);
  console.log(`This machine scores ${Math.round(score)} (Lighthouse); its CPU is slowed ${times.toFixed(1)} times.\n`);
  return times;
}

/** Runs in the page: how often ten thousand letters can be concatenated in a tenth of a second. */
function joined(): number {
  const startedAt = performance.now();
  let count = 0;
  for (; performance.now() - startedAt < 500; count++) {
    let text = '';
    for (let letter = 0; letter < 10_000; letter++) text += 'a';
    if (text.length === 1) throw new Error('Unreachable, but the compiler can’t know.');
  }
  return (count * 100) / (performance.now() - startedAt);
}

/** Runs in the page: how often a hundred thousand numbers can be copied in a tenth of a second. */
function copied(): number {
  const lists = [0, 1].map(() => Array.from({ length: 100_000 }, (_, index) => index)) as [number[], number[]];
  const startedAt = performance.now();
  let count = 0;
  for (; performance.now() - startedAt < 500; count++) {
    const [from, to] = count % 2 === 0 ? lists : [lists[1], lists[0]];
    for (let index = 0; index < from.length; index++) to[index] = from[index] ?? 0;
  }
  return (count * 100) / (performance.now() - startedAt);
}
