/** More of the kernel and of what everything stands on, for addons that work with other addons’ definitions. */

export { BrokenAddons, type Config, type Now, Semaphore, WrongCode } from './base/index.ts';
export type { AddonDefinition, Sentence, ServiceClass } from './kernel/index.ts';
