/** The core as used by parts of the platform. Addons import `pergola`. */

export * from './app/index.ts';
export * from './base/index.ts';
export * from './context/index.ts';
export * from './kernel/index.ts';
export * from './part/index.ts';

// For tools.

export { type Application, type ApplicationOptions, type CodeFollower, openApplication } from './app/application.ts';
export { type Command, type CommandIo, commands } from './app/commands.ts';
export { allPoints } from './app/points.ts';
export { addonFolderAt, platformFaces, platformFolders } from './base/addon-folders.ts';
export { variablesOf } from './base/config.ts';
export { fullMessage } from './base/errors.ts';
export { findPackage, importerOf, registerResolve } from './base/module-resolution.ts';
export { innermostCall } from './base/stack-places.ts';
export { buildContainer } from './kernel/container.ts';
export { discover } from './kernel/discover.ts';
export { absentDependency } from './kernel/order.ts';
export type { SwitchProgress } from './kernel/plan.ts';
export { fitsPlatform, platformVersion } from './kernel/platform.ts';
export { contributionsTo } from './kernel/point.ts';
export { inEnglish } from './kernel/sentence.ts';
export type { SwitchOptions } from './kernel/switch.ts';
