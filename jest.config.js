import { addonRoots } from './core/base/addon-folders.ts';

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

// Addons outside of the repository bring their tests along.
const outside = addonRoots(process.env.ADDONS_PATH).slice(1);

const common = {
  // Only the folders that hold sources: a walk through node_modules costs more than many a test.
  roots: [...['core', 'tools', 'addons', 'bench', 'bin'].map((folder) => `<rootDir>/${folder}`), ...outside],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'cjs', 'json', 'node'],
  resolver: '<rootDir>/tools/testing/jest/resolver.ts',
  moduleNameMapper: {
    '\\.css$': '<rootDir>/tools/testing/jest/empty.js',
    '\\.svg$': '<rootDir>/tools/testing/jest/icon.js',
  },
  transform: { '\\.ts$': swc({}), '\\.tsx$': swc({ tsx: true }) },
  setupFilesAfterEnv: ['<rootDir>/tools/testing/jest/retry.ts'],
};

/** @type {import('jest').Config} */
export default {
  maxWorkers: 2,
  // Modules of files that have run stay in a worker's memory: it begins anew before that is full.
  workerIdleMemoryLimit: '2GB',
  testTimeout: process.env.CI ? 90_000 : 30_000,
  globalSetup: '<rootDir>/tools/testing/jest/setup.ts',
  globalTeardown: '<rootDir>/tools/testing/jest/teardown.ts',
  projects: [
    {
      ...common,
      displayName: 'node',
      testEnvironment: 'node',
      testMatch: [
        '<rootDir>/{core,tools,addons,bench,bin}/**/*.test.ts',
        ...outside.map((root) => `${root}/**/*.test.ts`),
      ],
    },
    {
      ...common,
      displayName: 'jsdom',
      testEnvironment: 'jsdom',
      setupFilesAfterEnv: [...common.setupFilesAfterEnv, '<rootDir>/tools/testing/jest/patience.ts'],
      testMatch: ['<rootDir>/{core,tools,addons}/**/*.test.tsx', ...outside.map((root) => `${root}/**/*.test.tsx`)],
    },
  ],
};
