import { looksLikeName } from '../names.ts';

describe('what looks like a name', () => {
  it.each(['Marie du Pré', 'SC Freiburg', 'GmbH', 'L’Équipe 2', 'Jean-Paul'])('is “%s”', (text) =>
    expect(looksLikeName(text)).toBe(true),
  );

  it.each(['Contact', 'Opening hours', 'Come Along!', 'Monday:', '', 'Our Great New Shop In Town'])(
    'is not “%s”',
    (text) => expect(looksLikeName(text)).toBe(false),
  );
});
