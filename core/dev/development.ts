import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { watch } from 'chokidar';
import type { Kernel } from '../kernel.ts';
import type { Log } from '../log.ts';

/** What is served without a restart when it is saved; TypeScript of the server needs a fresh process. */
const light = /(\/(templates|islands|elements|styles|i18n|static)\/|\/browser\.[jt]s$)/;

export interface Development {
  /** Answers `/_dev/events` of a server; every other request goes on to it. */
  sitBefore(server: Server): void;
  close(): Promise<void>;
}

/**
 * Rebuilds on save and tells open pages to load again. Templates, islands, styles and texts make a new generation in this process; server code
 * makes `pergola dev` start a fresh one (exit code 75).
 */
export function createDevelopment(kernel: Kernel, log: Log): Development {
  const pages = new Set<ServerResponse>();
  const folders = kernel.discovery.addons.map(({ folder }) => folder);
  const watcher = watch([...folders, 'core'], {
    ignoreInitial: true,
    ignored: /(^|\/)(node_modules|tests|\.git)(\/|$)|\.part$/,
  });
  let waiting: NodeJS.Timeout | null = null;
  const changed = new Set<string>();

  const tell = (event: string, data: string): void => {
    for (const page of pages) page.write(`event: ${event}\ndata: ${data}\n\n`);
  };
  const act = async (): Promise<void> => {
    waiting = null;
    const files = [...changed];
    changed.clear();
    if (!files.every((file) => light.test(file))) {
      log.info({ files }, 'Server code changed: starting anew');
      process.exitCode = 75;
      process.kill(process.pid, 'SIGTERM');
      return;
    }
    const problems = await kernel.refresh();
    if (problems.length > 0) {
      log.error({ problems }, 'The change cannot be served; the site stays as it was');
      tell('problems', JSON.stringify(problems));
    } else tell('generation', `${kernel.generation.number}.${Date.now()}`);
  };
  watcher.on('all', (_event, file) => {
    changed.add(file);
    if (!waiting) {
      waiting = setTimeout(
        () => void act().catch((error: unknown) => log.error({ err: error }, 'A rebuild failed')),
        60,
      );
    }
  });

  const answer = (req: IncomingMessage, res: ServerResponse): boolean => {
    if (req.url !== '/_dev/events') return false;
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    res.write(`event: generation\ndata: ${kernel.generation.number}\n\n`);
    pages.add(res);
    res.on('close', () => pages.delete(res));
    return true;
  };

  return {
    sitBefore(server) {
      const listeners = server.listeners('request') as ((req: IncomingMessage, res: ServerResponse) => void)[];
      server.removeAllListeners('request');
      server.on('request', (req, res) => {
        if (!answer(req, res)) for (const listener of listeners) listener(req, res);
      });
    },
    async close() {
      for (const page of pages) page.end();
      await watcher.close();
    },
  };
}
