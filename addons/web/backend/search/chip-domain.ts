import type { Domain, ModelInfo } from '../types.ts';
import { type Chip, type Clock, groupDomain, joinDomains } from './conditions.ts';

/** Converts a chip to a server domain; empty if the model no longer has its field or filter. */
export function chipDomain(chip: Chip, { search, fields, fullText, nameField }: ModelInfo, clock: Clock): Domain {
  switch (chip.kind) {
    case 'text': {
      const searchFields = chip.field ? [chip.field] : search.fields;
      const names = searchFields.filter((name) => Object.hasOwn(fields, name));
      if (names.length > 0)
        return joinDomains(
          names.map((name) => [[name, 'ilike', chip.text]]),
          true,
        );
      if (fullText) return [['id', 'matches', chip.text]];
      return nameField ? [[nameField, 'ilike', chip.text]] : [['id', '=', Number(chip.text) || 0]];
    }
    case 'preset':
      return search.filters.find(({ id }) => id === chip.id)?.domain ?? [];
    case 'rules':
      return groupDomain(chip.group, fields, clock);
    case 'domain':
      return chip.domain;
  }
}

/** Combines the menu's domain and all chips. Presets of the same list are alternatives. */
export function listDomain(base: Domain, chips: readonly Chip[], info: ModelInfo, clock: Clock): Domain {
  const presets = chips.filter(({ kind }) => kind === 'preset').map((chip) => chipDomain(chip, info, clock));
  const otherDomains = chips.filter(({ kind }) => kind !== 'preset').map((chip) => chipDomain(chip, info, clock));
  return joinDomains([base, joinDomains(presets, true), ...otherDomains]);
}
