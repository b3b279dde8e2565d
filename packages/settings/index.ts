// Public API of the package; see README.md for its purpose.

export { type Setting, setting } from './define.ts';
export { settingsPart } from './part.ts';
export { settings } from './point.ts';
export { sealSettings, settingsDigest } from './store.ts';
