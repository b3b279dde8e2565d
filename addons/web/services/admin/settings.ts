import { type Ctx, NotFound, z } from 'pergola';
import { type Setting, settings } from 'pergola/kernel';
import { ownText } from 'pergola/pages';

/** A setting, ready to render. */
export interface ShownSetting {
  readonly name: string;
  readonly addon: string;
  readonly label: string;
  readonly help: string | null;
  readonly section: string | null;
  /** JSON Schema of its values. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Labels of values, if the setting declares them. */
  readonly choices: Readonly<Record<string, string>>;
  readonly fallback: unknown;
  /** Omitted for secrets. */
  readonly value?: unknown;
  readonly secret: boolean;
  /** For secrets only: whether a value is set. */
  readonly isSet: boolean;
}

/** Returns the settings of enabled addons that the user may see and change, in the order of the addons. */
export async function enabledSettings(ctx: Ctx): Promise<readonly ShownSetting[]> {
  const visible: ShownSetting[] = [];
  for (const { addon, setting } of settingsFor(ctx)) {
    const { name, label, help, section, choices = {}, secret = false, fallback } = setting;
    const value = await ctx.settings.get(setting);
    visible.push({
      name,
      addon,
      label: ownText(ctx, addon, label),
      help: help ? ownText(ctx, addon, help) : null,
      section: section ? ownText(ctx, addon, section) : null,
      schema: schemaOf(setting),
      choices: Object.fromEntries(
        Object.entries(choices).map(([key, choice]) => [key, ownText(ctx, addon, choice.label)]),
      ),
      fallback: secret ? null : fallback,
      secret,
      isSet: JSON.stringify(value) !== JSON.stringify(fallback),
      ...(secret ? {} : { value }),
    });
  }
  return visible;
}

/**
 * Changes settings by name, all or nothing, in the context's transaction.
 *
 * @throws NotFound for settings hidden from the user; InvalidInput for invalid values
 */
export async function changeSettings(ctx: Ctx, values: Readonly<Record<string, unknown>>): Promise<void> {
  const settingsByName = new Map(settingsFor(ctx).map(({ setting }) => [setting.name, setting]));
  // Changing an address clears the secret that is sent to it, so addresses are written first.
  const isSecret = (name: string): boolean => settingsByName.get(name)?.secret === true;
  for (const [name, value] of Object.entries(values).toSorted(
    ([a], [b]) => Number(isSecret(a)) - Number(isSecret(b)),
  )) {
    const setting = settingsByName.get(name);
    if (!setting)
      throw new NotFound('Unknown setting “{name}”.', {
        code: 'core.no_setting',
        params: { name: name.slice(0, 80) },
      });
    await ctx.settings.set(setting, value);
  }
}

function settingsFor(ctx: Ctx): readonly { readonly addon: string; readonly setting: Setting<unknown> }[] {
  return ctx.get(settings).filter(({ setting }) => ctx.has(setting.groups ?? 'base.group_system'));
}

/** Returns the JSON Schema of a setting for its form; accepts anything if the schema can't be expressed as JSON Schema. */
function schemaOf({ schema }: Setting<unknown>): Readonly<Record<string, unknown>> {
  try {
    return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  } catch {
    return {};
  }
}
