// node tools/architecture/main.ts: the rules of docs/architecture.md and those for packages, as a check. Ends with 1 when one of them is broken.
import { addonFolders, addonRoots, repository } from '../../core/base/addon-folders.ts';
import { checkArchitecture } from './check.ts';
import { modelWarnings } from './models.ts';
import { describeViolation } from './problem.ts';
import { checkSupplyChain } from './supply-chain.ts';
import { checkTexts } from './texts.ts';

const roots = addonRoots(process.env.ADDONS_PATH);
const problems = [
  ...checkArchitecture(repository, roots.slice(1)),
  ...(await checkSupplyChain(repository)),
  ...(await checkTexts(repository, addonFolders(roots))),
];
for (const warning of await modelWarnings(roots)) process.stderr.write(`warning: ${warning}\n`);
for (const problem of problems) process.stderr.write(`${describeViolation(problem)}\n`);
const sum =
  problems.length === 0 ? 'The architecture holds, and the packages are in order.' : `${problems.length} problem(s).`;
process.stdout.write(`${sum}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
