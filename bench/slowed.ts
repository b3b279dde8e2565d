/** The score of a machine that is slowed 4 times, as Lighthouse's calculator has it: a phone of the middle. */
const PHONE = 1533 / 4;

/**
 * How many times the CPU of this machine is to be slowed, so that a page feels as on a phone of the middle: 4 times on a quick desktop, less on a machine that
 * is slow or busy, at least once. Measured in the browser, by the pieces of work that Lighthouse's BenchmarkIndex counts.
 *
 * @param run runs a function in a page, which is not slowed
 */
export async function timesSlowed(run: (work: () => number) => Promise<number>): Promise<number> {
  const scores: number[] = [];
  for (let round = 0; round < 3; round++) scores.push(((await run(joined)) + (await run(copied))) / 2);
  const score = scores.sort((a, b) => a - b)[1] ?? 0;
  const times = Math.max(1, score / PHONE);
  console.log(`This machine scores ${Math.round(score)} (Lighthouse); its CPU is slowed ${times.toFixed(1)} times.\n`);
  return times;
}

/** Runs in the page: how often in a tenth of a second ten thousand letters are put together, to a tenth. */
function joined(): number {
  const begun = performance.now();
  let count = 0;
  for (; performance.now() - begun < 500; count++) {
    let text = '';
    for (let letter = 0; letter < 10_000; letter++) text += 'a';
    if (text.length === 1) throw new Error('Never, which the compiler does not know.');
  }
  return (count * 100) / (performance.now() - begun);
}

/** Runs in the page: how often in a tenth of a second a hundred thousand numbers are copied. */
function copied(): number {
  const lists = [0, 1].map(() => Array.from({ length: 100_000 }, (_, at) => at)) as [number[], number[]];
  const begun = performance.now();
  let count = 0;
  for (; performance.now() - begun < 500; count++) {
    const [from, to] = count % 2 === 0 ? lists : [lists[1], lists[0]];
    for (let at = 0; at < from.length; at++) to[at] = from[at] ?? 0;
  }
  return (count * 100) / (performance.now() - begun);
}
