import { migration } from 'pergola';

export default migration({
  version: '1.1.0',
  summary: 'Accounts with sign-in providers are told apart by issuer and subject',
  up: ({ dropIndex }) => dropIndex('auth_identity', 'auth_identity__provider_id__subject__uniq'),
});
