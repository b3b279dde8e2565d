/** Server entry point: loads the configuration, opens the application with its parts, listens. */

import { loadConfig, startServer } from '@pergola/core';
import { parts } from './parts.ts';

process.exitCode = await startServer(loadConfig(process.env, parts), parts);
