import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { InvalidInput } from './errors.ts';
import { ownFile, ownFolder } from './private-folder.ts';

const flag = z.enum(['true', 'false', '1', '0', 'yes', 'no']).transform((text) => ['true', '1', 'yes'].includes(text));
/** Parses a list in one variable and trims its entries. */
export const listVariable = (separator: string) =>
  z.string().transform((text) =>
    text
      .split(separator)
      .map((entry) => entry.trim())
      .filter(Boolean),
  );

/** Host names that refer to this machine. */
export const loopbackName = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Environment variables of the core; parts add their own (`PartConfig`). `pergola config` prints all of them with their effective values.
 */
const variables = {
  PORT: z.coerce.number().int().min(0).max(65535).default(8069).describe('Port to listen on; 0 takes a free one'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address visitors use; default http://localhost:$PORT'),
  DATA_DIR: z.string().default('var').describe('Folder of files, secrets and archives'),
  SESSION_SECRET: z.string().min(16).optional().describe('Signs cookies, links and forms; default a file in DATA_DIR'),
  ADMIN_PASSWORD: z.string().min(8).optional().describe("The administrator's first password, without demo data"),
  DEMO: flag.optional().describe('Demo data at first start; default true, false in production'),
  ADDONS_PATH: listVariable(path.delimiter)
    .default([])
    .describe(`Folders of addons, or addons, separated by ${path.delimiter}`),
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
  PATIENCE: z.coerce
    .number()
    .min(1)
    .max(100)
    .default(1)
    .describe('Factor of all waiting times after which requests and transactions are refused, for slow machines'),
} as const;

type CoreVariables = z.infer<z.ZodObject<typeof variables>>;

/** Environment variables of one part, and how they become configuration. */
export interface PartConfig {
  readonly variables: Readonly<Record<string, z.ZodType>>;
  readonly read: (values: Readonly<Record<string, unknown>>, config: CoreConfig) => Partial<Config>;
}

/** Declares the variables of a part; see {@link PartConfig}. The part adds its values to `Config` by declaration merging. */
export function partConfig<const V extends Readonly<Record<string, z.ZodType>>>(
  variables: V,
  read: (values: { readonly [Name in keyof V]: z.infer<V[Name]> }, config: CoreConfig) => Partial<Config>,
): PartConfig {
  return Object.freeze({ variables, read: read as PartConfig['read'] });
}

/** The effective configuration, from the environment and derived values. Parts add their own by declaration merging. */
export interface Config extends CoreConfig {}

/** Configuration from the core's own variables. */
export interface CoreConfig {
  readonly port: number;
  readonly host: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Absolute path. */
  readonly dataDir: string;
  readonly sessionSecret: string;
  readonly adminPassword: string | null;
  readonly demo: boolean;
  readonly addonsPath: readonly string[];
  readonly nodeId: string;
  readonly logLevel: string;
  readonly production: boolean;
  /** Multiplies the time limits for requests and transactions; at least 1. */
  readonly patience: number;
  /** `pergola dev`: rebuilds and reloads on save. */
  readonly dev: boolean;
  /** Development and tests: a call that isn't awaited fails its request instead of being logged. */
  readonly strict: boolean;
}

/**
 * Reads the configuration from environment variables.
 *
 * @param parts whose variables are read too
 * @throws InvalidInput naming every invalid variable in one message.
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  parts: readonly { readonly config?: PartConfig }[],
  { dev = false }: { dev?: boolean } = {},
): Config {
  const partConfigs = parts.flatMap(({ config }) => config ?? []);
  const all = variablesOf(parts);
  const environment = Object.fromEntries(
    Object.keys(all).map((name) => [name, env[name] === '' ? undefined : env[name]]),
  );
  const parsed = z.object(all).safeParse(environment);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new InvalidInput(`The configuration does not fit:\n${lines.join('\n')}`, { code: 'core.bad_configuration' });
  }
  const config = fromVariables(parsed.data as CoreVariables, dev);
  return Object.freeze(Object.assign(config, ...partConfigs.map(({ read }) => read(parsed.data, config))));
}

function fromVariables(read: CoreVariables, dev: boolean): CoreConfig {
  const dataDir = path.resolve(read.DATA_DIR);
  const baseUrl = (read.BASE_URL ?? `http://localhost:${read.PORT}`).replace(/\/+$/, '');
  // A site that others can reach runs in production mode unless NODE_ENV says otherwise.
  const isPublic = !dev && !loopbackName.test(new URL(baseUrl).hostname);
  const production = read.NODE_ENV === undefined ? isPublic : read.NODE_ENV === 'production';
  let secret = read.SESSION_SECRET;
  return {
    port: read.PORT,
    host: read.HOST,
    baseUrl,
    dataDir,
    // Created on first use: a command that doesn't need it leaves the folder unchanged.
    get sessionSecret() {
      secret ??= readSecret(dataDir);
      return secret;
    },
    adminPassword: read.ADMIN_PASSWORD ?? null,
    demo: production ? false : (read.DEMO ?? true),
    addonsPath: read.ADDONS_PATH.map((folder) => path.resolve(folder)),
    nodeId: read.NODE_ID ?? `node-${randomBytes(4).toString('hex')}`,
    logLevel: read.LOG_LEVEL,
    production,
    patience: read.PATIENCE,
    dev,
    strict: dev || read.NODE_ENV === 'test',
  };
}

/** Returns all variables of the core and of these parts, by name. */
export function variablesOf(parts: readonly { readonly config?: PartConfig }[]): Readonly<Record<string, z.ZodType>> {
  return Object.assign({}, variables, ...parts.map(({ config }) => config?.variables));
}

/** Reads the secret of this data folder, creating it if necessary; only its owner can read the file. */
function readSecret(dataDir: string): string {
  const file = path.join(dataDir, 'session-secret');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: ownFolder });
    try {
      writeFileSync(file, randomBytes(32).toString('hex'), { mode: ownFile, flag: 'wx' });
    } catch (error) {
      // If two processes start at once, the first one's secret wins.
      if (!(Error.isError(error) && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
  return readFileSync(file, 'utf8').trim();
}
