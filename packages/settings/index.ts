// What other parts may import; README.md says what the part is for.

export { type Setting, setting } from './define.ts';
export { settingsPart } from './part.ts';
export { settings } from './point.ts';
export { sealSettings } from './store.ts';
