import { spawn } from 'node:child_process';
import { join, sep } from 'node:path';
import { type DevelopmentOptions, startServer } from '../../core/app/serve.ts';
import { repository } from '../../core/base/addon-folders.ts';
import type { Config } from '../../core/base/config.ts';
import { Development } from './development.ts';
import { FRESH_CORE, FRESH_PROCESS } from './exit-code.ts';
import { prettyLines } from './pretty-log.ts';
import { sourceFolders } from './watch-sources.ts';

/** Where the code lies that a process in waiting has loaded. */
const coreFolder = join(repository, 'core') + sep;

/** Editors know of templates by a file that is written anew, beside the server. */
function writeTypes(): void {
  const script = join(repository, 'tools/templates/main.ts');
  spawn(process.execPath, [script, 'types'], { stdio: 'ignore' }).unref();
}

/**
 * Serves the site as `startServer` does, rebuilding on every save and telling open pages. Answers the exit code. `since`: from when on what is saved is
 * not what this process has loaded, in ms.
 */
export function startDevelopmentServer(config: Config, since: number): Promise<number> {
  const develop: DevelopmentOptions['develop'] = (application, log, end) =>
    new Development({
      application,
      log,
      folders: sourceFolders(application.roots),
      since,
      onTemplates: writeTypes,
      onServerCode: (files) => end(files.some((file) => file.startsWith(coreFolder)) ? FRESH_CORE : FRESH_PROCESS),
    });
  // Whoever develops at a terminal reads the log; elsewhere programs do.
  const writeLine = process.stderr.isTTY ? prettyLines((text) => void process.stderr.write(text)) : undefined;
  return startServer(config, { develop, writeLine });
}
