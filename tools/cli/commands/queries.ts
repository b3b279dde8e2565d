import type { Command } from '@pergola/core';
import { loadConfig } from '@pergola/core';
import { parts } from '../../parts.ts';

export const command: Command = {
  summary: 'Shows the queries of the latest requests in `pergola dev`, and which of them repeat',
  usage: '',
  async run({ io }) {
    const { port } = loadConfig(process.env, parts);
    const address = `http://localhost:${port}/_dev/queries`;
    const response = await fetch(address).catch(() => null);
    if (response?.ok) {
      io.out((await response.text()).trimEnd());
      return 0;
    }
    io.err(`No server responds at ${address}. Start the site with "npm run dev" on the same PORT.`);
    return 1;
  },
};
