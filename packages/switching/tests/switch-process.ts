/**
 * A process that switches an addon on, off, on, and takes it out, over and over, until it is killed: `switch-process.ts <url> <data folder>`.
 * Says `ready` before it begins.
 */
import { join } from 'node:path';
import { registerResolve } from '../../../core/base/module-resolution.ts';

const fixtures = join(import.meta.dirname, '../../../tools/testing/fixtures');
registerResolve([fixtures]);
const { openNode } = await import('./harness.ts');

const [url = '', dataDir = ''] = process.argv.slice(2);
const name = 'fx_shared_columns';
const node = await openNode(url, { dataDir, name: `process-${process.pid}` });
await node.lifecycle.start({ install: ['fx_host'] });
console.log('ready');
for (;;) {
  await node.lifecycle.enable([name], { demo: true });
  await node.finish();
  await node.lifecycle.disable([name]);
  await node.lifecycle.enable([name]);
  await node.lifecycle.uninstall(name, { confirm: name });
}
