import { hasLetter } from './names.ts';

/** Titles and forms of address before a name, without dots, in lower case. */
const titles = new Set(
  `dr prof professor pr me maître mag ing dipl-ing dipling dr-ing drs ir rev père sr sir dame lord lady
  mr mrs ms miss mx m mm mme mlle monsieur madame mademoiselle herr frau hr fr sig sigra dott don doña señor señora sra dhr mevr mw`.split(
    /\s+/,
  ),
);
/** Name suffixes after a comma that aren't first names. */
const suffixes =
  /^(?:jr|sr|junior|senior|ii|iii|iv|ph\.?\s?d|m\.?d|m\.?sc|b\.?sc|m\.?a|mba|esq|cpa|dds|ll\.?m|rn)\.?$/i;
/** Legal forms, without dots. The short ones count only in their usual spelling, because they are also names. */
const legalForms = new Set(
  `GmbH gGmbH mbH AG KG OHG GbR UG eV eG KGaA SE SA SAS SASU SARL Sàrl EURL SCI SNC SCOP SCIC SRL Srl SpA BV NV ASBL VZW CV
  Ltd LTD Limited LLC LLP LP PLC plc Inc INC Incorporated Corp Corporation Company Cie SL SLU AB AS ASA A/S ApS Oy Oyj Kft sro
  Pty Pvt GIE doo Co`.split(/\s+/),
);
const organisations =
  /^(?:association|asso|verein|sportverein|club|gesellschaft|stiftung|foundation|fondation|fédération|federation|school|schule|école|ecole|collège|college|lycée|university|universität|université|institut|institute|mairie|ville|commune|stadt|gemeinde|council|bank|banque|group|groupe|gruppe|holding|hotel|hôtel|restaurant|team|équipe|studio|agency|agence|shop|boutique|brothers|söhne|fils|sons|society|société|service|services|solutions|consulting)$/iu;
/** Scripts whose names begin with the family name, often without a space. */
const familyFirst = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * First name for a salutation: of “Jörg Müller”, “Müller, Jörg”, “MÜLLER Jörg” or “Dr. Jörg Müller”. Company names, names with a title but
 * no first name (“Frau Müller”), initials and names in scripts that put the family name first are returned whole. Email addresses and texts
 * without letters return an empty text.
 */
export function firstName(name: string): string {
  const fullName = name.replace(/\s+/gu, ' ').trim();
  if (!hasLetter(fullName) || fullName.includes('@')) return '';
  if (isOrganisation(fullName) || familyFirst.test(fullName)) return fullName;
  const [before = '', ...after] = fullName.split(',').map((part) => part.trim());
  const givenNames = after.find((part) => part !== '' && !suffixes.test(part));
  const words = wordsOf(givenNames ?? before);
  const inOrder = givenNames === undefined ? before : `${givenNames} ${before}`;
  const first = words.find((word) => !isTitle(word));
  if (first === undefined || isInitial(first) || isParticle(first)) return inOrder;
  if (givenNames !== undefined) return first;
  const remainingWords = words.slice(words.indexOf(first) + 1);
  // Only a title and a family name: “Frau Müller”.
  if (remainingWords.length === 0 && words.length > 1) return before;
  return afterCapitals([first, ...remainingWords]) ?? first;
}

function wordsOf(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

function isTitle(word: string): boolean {
  return titles.has(word.replaceAll('.', '').toLowerCase());
}

function isInitial(word: string): boolean {
  return /^(?:\p{L}\.?-?){1,3}$/u.test(word) && (word.includes('.') || [...word].length === 1);
}

/** The word after a family name in capitals, as in French forms and lists: “DUPONT Marie”. */
function afterCapitals(words: readonly string[]): string | undefined {
  const end = words.findIndex((word) => word !== word.toUpperCase() || word === word.toLowerCase());
  return words.slice(0, Math.max(end, 0)).some((word) => word.length > 2) ? words[end] : undefined;
}

/** Particles of family names: “van Gogh”. */
function isParticle(word: string): boolean {
  return /^(?:de|du|des|van|von|der|den|da|di|la|le|el|al|bin|ibn|zu)$/.test(word);
}

function isOrganisation(name: string): boolean {
  if (/[&+]|\d|\p{L}\/\p{L}/u.test(name)) return true;
  const words = wordsOf(name.replaceAll(',', ' '));
  const plain = words.map((word) => word.replaceAll('.', ''));
  const ends = [plain.at(-1) ?? '', plain.slice(-2).join('')];
  if (words.length > 1 && [...ends, plain[0] ?? ''].some((word) => legalForms.has(word))) return true;
  return plain.some((word) => organisations.test(word));
}
