/** Public API of base for other addons. */
export { countryCodesByName } from './country-names.ts';
export { demoPassword } from './demo-passwords.ts';
export { AddonConsent } from './models/addon-consent.ts';
export { Attachment } from './models/attachment.ts';
export { AuditEntry, type AuditNote } from './models/audit.ts';
export { Company } from './models/company.ts';
export { Country, CountryState } from './models/country.ts';
export { Currency } from './models/currency.ts';
export { ExternalIdentifier } from './models/external-id.ts';
export { FollowsRecord } from './models/follows-record.ts';
export { Group } from './models/group.ts';
export { Language } from './models/language.ts';
export { isTimezone, Partner, sameEmail } from './models/partner.ts';
export { Sequence } from './models/sequence.ts';
export { confirmedEmail, plainLogin, User, type UserToken } from './models/user.ts';
export { checkPassword, Passwords, siteNames } from './passwords.ts';
