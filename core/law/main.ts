// node core/law/main.ts: the law of the design and the rules for packages, as a check. Ends with 1 when one of them is broken.
import { addonFolders, addonRoots, repository } from '../start/alias.ts';
import { checkLaw } from './check.ts';
import { describeLawProblem } from './problem.ts';
import { checkSupplyChain } from './supply-chain.ts';
import { checkTexts } from './texts.ts';

const roots = addonRoots(process.env.ADDONS_PATH);
const problems = [
  ...checkLaw(repository, roots.slice(1)),
  ...(await checkSupplyChain(repository)),
  ...(await checkTexts(repository, addonFolders(roots))),
];
for (const problem of problems) process.stderr.write(`${describeLawProblem(problem)}\n`);
const sum =
  problems.length === 0 ? 'The law is kept, and the packages are in order.' : `${problems.length} problem(s).`;
process.stdout.write(`${sum}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
