/** More of the kernel and of what everything stands on, for addons that work with other addons’ definitions. */

export type { Config } from './base/config.ts';
export { BrokenAddons, WrongCode } from './base/errors.ts';
export type { Now } from './base/now.ts';
export { Semaphore } from './base/semaphore.ts';
export type { AddonDefinition } from './kernel/addon.ts';
export type { Sentence } from './kernel/sentence.ts';
export type { ServiceClass } from './kernel/service.ts';
