import { access, group, rule } from 'pergola';
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

export const groups = [
  group('base.group_public', { label: 'Public', category: 'User types' }),
  group('base.group_portal', { label: 'Portal', category: 'User types' }),
  group('base.group_user', { label: 'Employee', category: 'User types' }),
  group('base.group_partner_manager', { label: 'Contact manager', implies: ['base.group_user'], category: 'Contacts' }),
  group('base.group_erp_manager', { label: 'Access rights', implies: ['base.group_user'], category: 'Administration' }),
  group('base.group_system', {
    label: 'Settings',
    implies: ['base.group_erp_manager', 'base.group_partner_manager'],
    category: 'Administration',
  }),
];

export const lists = [
  access(Country, { '*': 'r', 'base.group_system': 'rwcd' }),
  access(CountryState, { '*': 'r', 'base.group_system': 'rwcd' }),
  access(Currency, { '*': 'r', 'base.group_system': 'rwcd' }),
  access(Language, { '*': 'r', 'base.group_system': 'rwcd' }),
  access(Company, { '*': 'r', 'base.group_system': 'rwcd' }),
  access(Partner, {
    'base.group_public': 'r',
    'base.group_portal': 'r',
    'base.group_user': 'r',
    'base.group_partner_manager': 'rwcd',
  }),
  access(User, { 'base.group_portal': 'r', 'base.group_user': 'r', 'base.group_erp_manager': 'rwcd' }),
  access(Group, { 'base.group_user': 'r', 'base.group_erp_manager': 'rw' }),
  access(Attachment, { '*': 'r', 'base.group_user': 'rwcd' }),
  access(Sequence, { 'base.group_system': 'rwcd' }),
  // Employees see entries next to a record, limited to the fields they can read.
  access(AuditEntry, { 'base.group_system': 'r' }),
  access(AddonConsent, { 'base.group_system': 'r' }),
  access(ExternalIdentifier, { 'base.group_user': 'r' }),
];

export const rules = [
  rule('base.own_contacts', Partner, {
    groups: ['base.group_portal'],
    // A signed-in customer's own contact and its subordinate addresses.
    domain: (ctx) => [['id', 'child_of', ctx.user.partnerId ?? 0]],
  }),
  rule('base.no_contacts', Partner, { groups: ['base.group_public'], domain: () => [['id', '=', 0]] }),
  rule('base.all_contacts', Partner, { groups: ['base.group_user'], domain: () => [] }),
  rule('base.own_user', User, { groups: ['base.group_portal'], domain: (ctx) => [['id', '=', ctx.user.id ?? 0]] }),
  rule('base.all_users', User, { groups: ['base.group_user'], domain: () => [] }),
  rule('base.free_attachments', Attachment, {
    groups: ['base.group_public', 'base.group_portal'],
    domain: (ctx) => [
      '|',
      ['public', '=', true],
      '&',
      ['create_uid', '!=', null],
      ['create_uid', '=', ctx.user.id ?? 0],
    ],
  }),
  rule('base.all_attachments', Attachment, { groups: ['base.group_user'], domain: () => [] }),
];
