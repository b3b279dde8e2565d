import type { LifecycleHost } from './lifecycle-host.ts';
import type { Plan, SwitchAction } from './plan.ts';
import { type AddonStatus, listAddons } from './status.ts';
import { Switch, type SwitchOptions } from './switch.ts';
import type { LeftOut } from './world.ts';

/**
 * Switches addons on and off, brings them up to date and takes them out, while requests are served. One switch at a time over all processes; a
 * switch that fails changes nothing.
 *
 * All throw BrokenAddons with every problem, Conflict when another switch is running, InvalidInput when `yes` or `confirm` is missing.
 */
export interface Lifecycle {
  list(): Promise<AddonStatus[]>;
  /** What the action would do. Problems are in the plan. */
  plan(action: SwitchAction, names: readonly string[], options?: Pick<SwitchOptions, 'demo'>): Promise<Plan>;
  /** Plans the action and does it; answers the plan. */
  run(action: SwitchAction, names: readonly string[], options?: SwitchOptions): Promise<Plan>;
  enable(names: readonly string[], options?: SwitchOptions): Promise<Plan>;
  disable(names: readonly string[], options?: SwitchOptions): Promise<Plan>;
  /** All whose code is newer when no names are given. Only in a process that loaded the newest code. */
  upgrade(names: readonly string[], options?: SwitchOptions): Promise<Plan>;
  uninstall(name: string, options?: SwitchOptions): Promise<Plan>;
}

/** Makes the lifecycle of an application. `leftOut`: enabled addons this process runs without. */
export function createLifecycle(host: LifecycleHost, leftOut: () => LeftOut): Lifecycle {
  const run: Lifecycle['run'] = (action, names, options = {}) =>
    new Switch(host, leftOut(), action, names, options).run();
  return {
    list: () => listAddons(host, leftOut()),
    plan: (action, names, options = {}) => run(action, names, { ...options, dryRun: true }),
    run,
    enable: (names, options) => run('enable', names, options),
    disable: (names, options) => run('disable', names, options),
    upgrade: (names, options) => run('upgrade', names, options),
    uninstall: (name, options) => run('uninstall', [name], options),
  };
}
