import type { Ctx } from '@pergola/core';
import { definePart, partConfig, value } from '@pergola/core';
import { database, dbPart } from '@pergola/db';
import { job } from '@pergola/jobs';
import { z } from 'zod';
import { type BlobStore, openBlobStore } from './blob-store.ts';
import { HashedFileStore } from './file-store.ts';
import { sweepFiles } from './sweep.ts';
import { files, type UploadLimits } from './types.ts';

/** Upload limits of the site. */
export const uploadLimits = value<(ctx: Ctx) => Promise<UploadLimits>>('upload limits');

/** Storage for file contents. */
export const blobs = value<BlobStore>('blobs');

/** Uploaded files and images, stored by content. */
export const filesPart = definePart({
  name: 'files',
  config: partConfig(
    {
      S3_URL: z.url().optional().describe('Bucket for files, https://<endpoint>/<bucket>; default DATA_DIR'),
      S3_REGION: z.string().default('us-east-1').describe("The bucket's region"),
      S3_ACCESS_KEY: z.string().optional().describe("The bucket's access key"),
      S3_SECRET_KEY: z.string().optional().describe("The bucket's secret key"),
    },
    ({ S3_URL: url, S3_REGION: region, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey }) => ({
      s3: url && accessKey && secretKey ? { url, region, accessKey, secretKey } : null,
    }),
  ),
  needs: [dbPart],
  provide({ config, set }) {
    const store = openBlobStore(config);
    set(blobs, store);
    set(files, new HashedFileStore(store));
  },
  context: {
    files: (ctx) => ctx.get(files).of(ctx.user.id ?? ctx.network, () => ctx.get(uploadLimits)(ctx)),
  },
  jobs: ({ get }) => [
    job('core.sweep_files', {
      input: z.object({}),
      cron: '40 3 * * *',
      lease: 15 * 60_000,
      run: async () => {
        await sweepFiles(get(database), get(blobs), new Date());
      },
    }),
  ],
});

declare module '@pergola/core/config' {
  interface Config {
    /** Bucket that stores files instead of the data folder. */
    readonly s3: { url: string; region: string; accessKey: string; secretKey: string } | null;
    /** Configuration of the site whose files are read, but never changed: only for copies of a site. */
    readonly filesBelow?: Config;
  }
}
