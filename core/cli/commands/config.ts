import { loadConfig, variables } from '../../config.ts';
import type { Command } from '../command.ts';

const hidden = new Set(['SESSION_SECRET', 'ADMIN_PASSWORD', 'S3_SECRET_KEY', 'DATABASE_URL', 'SMTP_URL']);

export const command: Command = {
  summary: 'Lists the environment variables with the values in force',
  usage: '[--json]',
  options: { json: { type: 'boolean' } },
  async run({ options, io }) {
    loadConfig(process.env);
    const rows = Object.entries(variables).map(([name, schema]) => {
      const given = process.env[name];
      const value =
        given === undefined
          ? null
          : hidden.has(name)
            ? given.replace(/:\/\/[^@/]*@/, '://…@').replace(/^(?!.*:\/\/).*$/s, '(set)')
            : given;
      return { name, about: schema.description ?? '', value };
    });
    if (options.json) io.out(JSON.stringify(rows, null, 2));
    else
      for (const { name, about, value } of rows)
        io.out(`${name.padEnd(18)} ${about}${value === null ? '' : `\n${' '.repeat(19)}now: ${value}`}`);
    return 0;
  },
};
