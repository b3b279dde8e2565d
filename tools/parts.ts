import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Part, repository } from '@pergola/core';

/** The parts of the site that the tools work on: from its `parts.ts`, as `server.ts` reads them. */
export const { parts }: { readonly parts: readonly Part[] } = await import(
  pathToFileURL(join(repository, 'parts.ts')).href
);
