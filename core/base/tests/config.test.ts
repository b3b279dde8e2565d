import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../config.ts';

const production = (env: Readonly<Record<string, string>>, more?: { dev?: boolean }): boolean =>
  loadConfig({ SESSION_SECRET: 'a secret of the tests', ...env }, [], more).production;

describe('A site counts as production', () => {
  test.each(['https://club.example', 'http://192.168.1.4:8069', 'http://localhost.example', 'http://[2001:db8::1]/'])(
    'when others reach it at %s, unless somebody says that it does not',
    (BASE_URL) => {
      expect(production({ BASE_URL })).toBe(true);
      expect(loadConfig({ BASE_URL, DEMO: 'true', SESSION_SECRET: 'a secret of the tests' }, []).demo).toBe(false);
      expect(production({ BASE_URL, NODE_ENV: 'development' })).toBe(false);
      expect(production({ BASE_URL }, { dev: true })).toBe(false);
    },
  );

  test.each(['', 'http://localhost:8069', 'http://shop.localhost', 'http://127.0.0.1:80', 'http://[::1]:8069'])(
    'at %s of this machine only when somebody says so',
    (BASE_URL) => {
      expect(production({ BASE_URL })).toBe(false);
      expect(production({ BASE_URL, NODE_ENV: 'production' })).toBe(true);
    },
  );
});

test('the secret of a data folder is made once, when it is needed', () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'config-'));
  const config = loadConfig({ DATA_DIR }, []);
  expect(readdirSync(DATA_DIR)).toEqual([]);
  expect(config.sessionSecret).toHaveLength(64);
  expect(loadConfig({ DATA_DIR }, []).sessionSecret).toBe(config.sessionSecret);
  rmSync(DATA_DIR, { recursive: true });
});
