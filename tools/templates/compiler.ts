import { repository } from '@pergola/core';
import { API, type Project, type Snapshot } from 'typescript/unstable/sync';

/** Opens projects in the compiler. Everything obtained from it is valid until it is disposed. */
export class Compiler {
  readonly #api = new API({ cwd: repository });
  readonly #snapshot: Snapshot;

  /** @param configs paths of the projects' `tsconfig.json` */
  constructor(configs: readonly string[]) {
    this.#snapshot = this.#api.updateSnapshot({ openProjects: [...configs] });
  }

  get projects(): readonly Project[] {
    return this.#snapshot.getProjects();
  }

  /**
   * The project of a `tsconfig.json`.
   *
   * @throws Error if it wasn't opened
   */
  project(config: string): Project {
    const project = this.projects.find(({ configFileName }) => configFileName === config.replaceAll('\\', '/'));
    if (project === undefined) throw new Error(`The project ${config} could not be opened.`);
    return project;
  }

  [Symbol.dispose](): void {
    this.#snapshot.dispose();
    this.#api.close();
  }
}
