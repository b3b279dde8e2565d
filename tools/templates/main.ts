import { runTemplates, type TemplateWork } from './run.ts';
import { checkSaved } from './saved.ts';

// node tools/templates/main.ts types | check | format | saved <file>…
const [work, ...files] = process.argv.slice(2);
if (work === 'saved') console.log(JSON.stringify(await checkSaved(files)));
else {
  const wrong = await runTemplates(work as TemplateWork);
  for (const line of wrong) console.error(line);
  if (wrong.length > 0) process.exitCode = 1;
}
