import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { InvalidInput } from './errors.ts';
import { ownFile, ownFolder } from './private-folder.ts';

const flag = z.enum(['true', 'false', '1', '0', 'yes', 'no']).transform((text) => ['true', '1', 'yes'].includes(text));
const list = (separator: string) =>
  z.string().transform((text) =>
    text
      .split(separator)
      .map((part) => part.trim())
      .filter(Boolean),
  );

/** Host names by which a machine calls itself. */
export const loopbackName = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Every environment variable Pergola reads; `pergola config` prints this with the values in force. */
export const variables = {
  PORT: z.coerce.number().int().min(0).max(65535).default(8069).describe('Port to listen on; 0 takes a free one'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address visitors use; default http://localhost:$PORT'),
  DATABASE_URL: z
    .string()
    .regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, 'must be sqlite:<path of the file> or postgres://…')
    .optional()
    .describe('sqlite:<path of the file> or postgres://…; default a file in DATA_DIR'),
  DATA_DIR: z.string().default('var').describe('Folder of files, secrets and archives'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must be smtp://… or smtps://…')
    .optional()
    .describe('Mail server; without one mails are kept'),
  MAIL_FROM: z.string().optional().describe('Sender of mails; default noreply@ the host of BASE_URL'),
  SESSION_SECRET: z.string().min(16).optional().describe('Signs cookies, links and forms; default a file in DATA_DIR'),
  ADMIN_PASSWORD: z.string().min(8).optional().describe("The administrator's first password, without demo data"),
  DEMO: flag.optional().describe('Demo data at first start; default true, false in production'),
  ADDONS_PATH: list(path.delimiter).default([]).describe(`Folders with more addons, separated by ${path.delimiter}`),
  TRUSTED_PROXIES: list(',').default([]).describe('Addresses or networks whose X-Forwarded-* headers count'),
  ALLOWED_HOSTS: list(',').default([]).describe('Host names served beside that of BASE_URL'),
  NODE_ID: z
    .string()
    .regex(/^[\w.-]{1,60}$/)
    .optional()
    .describe('Name of this process among several; default made'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('What is logged'),
  NODE_ENV: z
    .enum(['production', 'development', 'test'])
    .optional()
    .describe('production refuses demo passwords; default production unless BASE_URL is of this machine'),
  READ_SECONDS: z.coerce
    .number()
    .positive()
    .max(30)
    .default(10)
    .describe('How long one statement that reads may take for a page or call, in seconds; 30 at most'),
  S3_URL: z.url().optional().describe('Bucket for files, https://<endpoint>/<bucket>; default DATA_DIR'),
  S3_REGION: z.string().default('us-east-1').describe("The bucket's region"),
  S3_ACCESS_KEY: z.string().optional().describe("The bucket's access key"),
  S3_SECRET_KEY: z.string().optional().describe("The bucket's secret key"),
} as const;

type Read = z.infer<z.ZodObject<typeof variables>>;

/** The configuration in force: what the environment said, with what follows from it. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly databaseUrl: string;
  /** Absolute. */
  readonly dataDir: string;
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  readonly sessionSecret: string;
  readonly adminPassword: string | null;
  readonly demo: boolean;
  readonly addonsPath: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly allowedHosts: readonly string[];
  readonly nodeId: string;
  readonly logLevel: string;
  readonly production: boolean;
  /** How long one statement that reads may take for a request, in milliseconds. */
  readonly readMs: number;
  /** `pergola dev`: rebuilds and reloads on save. */
  readonly dev: boolean;
  /** Development and tests: a call that nothing awaits fails its request instead of being logged. */
  readonly strict: boolean;
  readonly s3: { url: string; region: string; accessKey: string; secretKey: string } | null;
}

/**
 * Reads the configuration from environment variables.
 *
 * @throws InvalidInput naming every variable that does not fit, in one message.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, more: { dev?: boolean } = {}): Config {
  const given = Object.fromEntries(
    Object.keys(variables).map((name) => [name, env[name] === '' ? undefined : env[name]]),
  );
  const parsed = z.object(variables).safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new InvalidInput(`The configuration does not fit:\n${lines.join('\n')}`, { code: 'core.bad_configuration' });
  }
  return fromVariables(parsed.data, more.dev ?? false);
}

function fromVariables(read: Read, dev: boolean): Config {
  const dataDir = path.resolve(read.DATA_DIR);
  const baseUrl = (read.BASE_URL ?? `http://localhost:${read.PORT}`).replace(/\/+$/, '');
  // A site that others reach is one that counts, unless somebody said that it is not.
  const isForOthers = !dev && !loopbackName.test(new URL(baseUrl).hostname);
  const production = read.NODE_ENV === undefined ? isForOthers : read.NODE_ENV === 'production';
  let secret = read.SESSION_SECRET;
  const { S3_URL: url, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = read;
  return Object.freeze({
    port: read.PORT,
    host: read.HOST,
    baseUrl,
    databaseUrl: read.DATABASE_URL ?? `sqlite:${path.join(dataDir, 'pergola.db')}`,
    dataDir,
    smtpUrl: read.SMTP_URL ?? null,
    mailFrom: read.MAIL_FROM ?? `noreply@${new URL(baseUrl).hostname}`,
    // Made when it is first needed: a command that needs none leaves the folder as it is.
    get sessionSecret() {
      secret ??= keptSecret(dataDir);
      return secret;
    },
    adminPassword: read.ADMIN_PASSWORD ?? null,
    demo: production ? false : (read.DEMO ?? true),
    addonsPath: read.ADDONS_PATH.map((folder) => path.resolve(folder)),
    trustedProxies: read.TRUSTED_PROXIES,
    allowedHosts: read.ALLOWED_HOSTS,
    nodeId: read.NODE_ID ?? `node-${randomBytes(4).toString('hex')}`,
    logLevel: read.LOG_LEVEL,
    production,
    readMs: read.READ_SECONDS * 1_000,
    dev,
    strict: dev || read.NODE_ENV === 'test',
    s3: url && accessKey && secretKey ? { url, region: read.S3_REGION, accessKey, secretKey } : null,
  });
}

/** The secret of this data folder, made once; only its owner may read the file. */
function keptSecret(dataDir: string): string {
  const file = path.join(dataDir, 'session-secret');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: ownFolder });
    try {
      writeFileSync(file, randomBytes(32).toString('hex'), { mode: ownFile, flag: 'wx' });
    } catch (error) {
      // Two processes starting at once: the first one's secret holds.
      if (!(Error.isError(error) && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
  return readFileSync(file, 'utf8').trim();
}
