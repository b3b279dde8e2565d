import { repository } from '../../core/base/addon-folders.ts';
import config from '../../jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...config,
  rootDir: repository,
  projects: config.projects
    .filter(({ displayName }) => displayName === 'node')
    .map((project) => ({ ...project, rootDir: repository, runner: '<rootDir>/bench/mutants/runner.ts' })),
};
