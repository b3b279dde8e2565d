import { value } from '@pergola/core';
import type { Guards } from './security/guards.ts';
import type { SessionStore } from './sessions/session.ts';

export const sessions = value<SessionStore>('sessions');
export const guards = value<Guards>('guards');
