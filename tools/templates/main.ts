import { runTemplates, type TemplateWork } from './run.ts';

// node tools/templates/main.ts types | check | format
const wrong = await runTemplates(process.argv[2] as TemplateWork);
for (const line of wrong) console.error(line);
if (wrong.length > 0) process.exitCode = 1;
