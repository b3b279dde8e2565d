/** The server: reads the configuration, opens the application, listens. */

import { startServer } from './core/app/serve.ts';
import { loadConfig } from './core/base/config.ts';

process.exitCode = await startServer(loadConfig(process.env));
