/** The server: reads the configuration, opens the application, listens. */
import { loadConfig } from './core/config.ts';
import { startServer } from './core/serve.ts';

process.exitCode = await startServer(loadConfig(process.env));
