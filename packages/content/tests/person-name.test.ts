import { firstName } from '../person-name.ts';

describe('A letter addresses', () => {
  it.each([
    ['Jörg Müller', 'Jörg'],
    ['Müller, Jörg', 'Jörg'],
    ['  Müller ,  Jörg Peter ', 'Jörg'],
    ['Dr. Jörg Müller', 'Jörg'],
    ['Prof. Dr. Jörg Müller', 'Jörg'],
    ['Müller, Dr. Jörg', 'Jörg'],
    ['Herr Jörg Müller', 'Jörg'],
    ['Mme Marie Dupont', 'Marie'],
    ['DUPONT Marie', 'Marie'],
    ['DE LA FONTAINE Jean', 'Jean'],
    ['MARIE DUPONT', 'MARIE'],
    ['Jean-Pierre Martin', 'Jean-Pierre'],
    ['Vincent van Gogh', 'Vincent'],
    ['van den Berg, Anna', 'Anna'],
    ['John Smith, Jr.', 'John'],
    ['Smith, John, PhD', 'John'],
    ['Ada', 'Ada'],
    ['علی\u200cرضا محمدی', 'علی\u200cرضا'],
    ['Nguyễn', 'Nguyễn'],
    // No first name to be told apart.
    ['Frau Müller', 'Frau Müller'],
    ['M. Dupont', 'M. Dupont'],
    ['van Gogh', 'van Gogh'],
    ['J. R. R. Tolkien', 'J. R. R. Tolkien'],
    ['Tolkien, J. R. R.', 'J. R. R. Tolkien'],
    ['山田 太郎', '山田 太郎'],
    ['Müller & Söhne', 'Müller & Söhne'],
    ['Marie et Paul & Co', 'Marie et Paul & Co'],
    ['Acme GmbH', 'Acme GmbH'],
    ['Delft and Co.', 'Delft and Co.'],
    ['Acme, Inc.', 'Acme, Inc.'],
    ['SARL Martin', 'SARL Martin'],
    ['Durand S.A.', 'Durand S.A.'],
    ['Sportverein Musterstadt e.V.', 'Sportverein Musterstadt e.V.'],
    ['Studio 54', 'Studio 54'],
    ['École Jules Ferry', 'École Jules Ferry'],
    // Nothing to say.
    ['', ''],
    ['ada@example.com', ''],
    ['👋', ''],
  ])('%j as %j', (name, first) => {
    expect(firstName(name)).toBe(first);
  });
});
