/** The server: reads the configuration, boots the kernel, listens. */
import { loadConfig } from './core/config.ts';
import { startServer } from './core/serve.ts';

process.exitCode = await startServer(loadConfig(process.env, { dev: process.env.PERGOLA_DEV === '1' }));
