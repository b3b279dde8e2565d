import { defineAddon } from 'pergola';
import { keepTrail } from './audit.ts';
import { userCommand } from './cli/user.ts';
import { refuseDemoPasswords } from './demo-passwords.ts';
import { identity } from './identity.ts';
import { sweepAudit } from './jobs/sweep-audit.ts';
import { siteLanguages } from './languages.ts';
import { AddonConsent } from './models/addon-consent.ts';
import { Attachment } from './models/attachment.ts';
import { AuditEntry } from './models/audit.ts';
import { Company } from './models/company.ts';
import { Country, CountryState } from './models/country.ts';
import { Currency } from './models/currency.ts';
import { ExternalIdentifier } from './models/external-id.ts';
import { Group } from './models/group.ts';
import { Language } from './models/language.ts';
import { Partner } from './models/partner.ts';
import { Sequence } from './models/sequence.ts';
import { User } from './models/user.ts';
import { Passwords } from './passwords.ts';
import { reflectGroups } from './reflect.ts';
import { currencyFormats } from './rendering.ts';
import { groups, lists, rules } from './security.ts';
import { auditDays, undoDays, uploads } from './settings.ts';

export default defineAddon({
  name: 'base',
  title: 'Base',
  summary: 'Companies, contacts, countries, currencies, languages, users and groups',
  version: '1.4.0',
  category: 'System',
  icon: 'box',
  permanent: true,
  models: [
    Country,
    CountryState,
    Currency,
    Language,
    Partner,
    Company,
    Group,
    User,
    Attachment,
    Sequence,
    AuditEntry,
    AddonConsent,
    ExternalIdentifier,
  ],
  services: [Passwords],
  groups,
  access: lists,
  rules,
  identity,
  siteLanguages,
  audit: keepTrail,
  settings: [auditDays, undoDays, ...uploads],
  jobs: [sweepAudit],
  reflect: reflectGroups,
  startChecks: [refuseDemoPasswords],
  rendering: currencyFormats,
  commands: [userCommand],
});
