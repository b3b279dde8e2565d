/** Server entry point: loads the configuration, opens the application with its parts, listens. */

import { loadConfig } from '@pergola/core';
import { startServer } from '@pergola/server';
import { parts } from './parts.ts';

process.exitCode = await startServer(loadConfig(process.env, parts), parts);
