import type { Command } from '@pergola/core';
import { type Config, loadConfig, variablesOf } from '@pergola/core';
import { parts } from '../../parts.ts';

const hidden = new Set(['SESSION_SECRET', 'ADMIN_PASSWORD', 'S3_SECRET_KEY', 'DATABASE_URL', 'SMTP_URL']);

export const command: Command = {
  summary: 'Lists the environment variables with their current values',
  usage: '[--json]',
  options: { json: { type: 'boolean' } },
  async run({ options, io }) {
    const config = loadConfig(process.env, parts);
    const rows = Object.entries(variablesOf(parts)).map(([name, schema]) => {
      const envValue = process.env[name] || undefined;
      const value = envValue === undefined ? defaultOf(name, config) : hidden.has(name) ? masked(envValue) : envValue;
      return { name, about: schema.description ?? '', value, given: envValue !== undefined };
    });
    if (options.json) io.out(JSON.stringify(rows, null, 2));
    else
      for (const { name, about: description, value, given: isSet } of rows)
        io.out(
          `${name.padEnd(18)} ${description}${value === null ? '' : `\n${' '.repeat(19)}now: ${value}${isSet ? '' : ' (default)'}`}`,
        );
    return 0;
  },
};

/** Default value of a setting; null if there is no default or it is secret. */
function defaultOf(name: string, config: Config): string | null {
  switch (name) {
    case 'PORT':
      return String(config.port);
    case 'HOST':
      return config.host;
    case 'BASE_URL':
      return config.baseUrl;
    case 'DATABASE_URL':
      return config.databaseUrl;
    case 'DATA_DIR':
      return config.dataDir;
    case 'MAIL_FROM':
      return config.mailFrom;
    case 'DEMO':
      return String(config.demo);
    case 'LOG_LEVEL':
      return config.logLevel;
    case 'NODE_ENV':
      return config.production ? 'production' : 'development';
    default:
      return null;
  }
}

/** A URL without its password; for other secrets only that they are set. */
function masked(secret: string): string {
  if (secret.startsWith('sqlite:')) return secret;
  return secret.replace(/:\/\/[^@/]*@/, '://…@').replace(/^(?!.*:\/\/).*$/s, '(set)');
}
