import { delimiter } from 'node:path';
import { addonRoots } from './core/base/addon-folders.ts';

// jest-light-runner doesn't know it; tools/testing/jest/node.ts shuffles. RANDOM_SEED=reverse runs the tests of each block from last to first, which
// shows in one run whether any depends on an earlier one.
if (process.argv.includes('--randomize')) {
  process.env.RANDOM_SEED ||= String(Math.floor(Math.random() * 1e6));
  console.log(`RANDOM_SEED=${process.env.RANDOM_SEED}`);
}
// As in the start script: SQLite waits for locks in these threads. The workers inherit it.
process.env.UV_THREADPOOL_SIZE ||= '16';
// React and the page cache behave as a developer sees them; `production` would refuse demo passwords.
process.env.NODE_ENV = 'test';

const swc = (syntax) => [
  '@swc/jest',
  {
    swcrc: false,
    sourceMaps: 'inline',
    module: { type: 'es6' },
    jsc: {
      target: 'es2024',
      parser: { syntax: 'typescript', ...syntax },
      transform: { react: { runtime: 'automatic' }, verbatimModuleSyntax: true },
    },
  },
];

// Addons outside of the repository bring their tests along. `pergola test` names the addons that it runs, so that no other folder is looked through.
const tested = process.env.TESTED_FOLDERS?.split(delimiter);
const outside = tested ?? addonRoots(process.env.ADDONS_PATH).slice(1);

const common = {
  // Only the folders that hold sources: a walk through node_modules costs more than many a test.
  roots: tested ?? [
    ...['core', 'packages', 'tools', 'addons', 'bench', 'bin'].map((folder) => `<rootDir>/${folder}`),
    ...outside,
  ],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'cjs', 'json', 'node'],
  resolver: '<rootDir>/tools/testing/jest/resolver.ts',
  moduleNameMapper: {
    '\\.css$': '<rootDir>/tools/testing/jest/empty.js',
    '\\.svg$': '<rootDir>/tools/testing/jest/icon.js',
  },
  transform: { '\\.ts$': swc({}), '\\.tsx$': swc({ tsx: true }) },
};

/** @type {import('jest').Config} */
export default {
  maxWorkers: 2,
  // Modules of files that have run stay in a worker's memory: it begins anew before that is full.
  workerIdleMemoryLimit: '2GB',
  // Ends a test that hangs; no test waits for it, even on a machine with ten times its load.
  testTimeout: 240_000,
  globalSetup: '<rootDir>/tools/testing/jest/setup.ts',
  globalTeardown: '<rootDir>/tools/testing/jest/teardown.ts',
  projects: [
    {
      ...common,
      displayName: 'node',
      runner: '<rootDir>/tools/testing/jest/runner.ts',
      setupFiles: ['<rootDir>/tools/testing/jest/node.ts'],
      testMatch: [
        '<rootDir>/{core,packages,tools,addons,bench,bin}/**/*.test.ts',
        ...outside.map((root) => `${root}/**/*.test.ts`),
      ],
    },
    {
      ...common,
      displayName: 'jsdom',
      testEnvironment: 'jsdom',
      setupFilesAfterEnv: ['<rootDir>/tools/testing/jest/patience.ts'],
      testMatch: [
        '<rootDir>/{core,packages,tools,addons}/**/*.test.tsx',
        ...outside.map((root) => `${root}/**/*.test.tsx`),
      ],
    },
  ],
};
