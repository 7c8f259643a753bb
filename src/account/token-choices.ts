import { type Scope, scopes } from '../access/scopes.ts'

/** The choices the page offers for a new token. The API accepts any scopes and any expiry. */
export const tokenPowers: Record<string, { label: string; scopes: Scope[] | null }> = {
  all: { label: 'Everything I can do', scopes: null },
  read: { label: 'Read only', scopes: scopes.filter((scope) => /:(read|search)$/.test(scope)) },
}

export const tokenLives: Record<string, { label: string; days: number | null }> = {
  30: { label: '30 days', days: 30 },
  90: { label: '90 days', days: 90 },
  365: { label: 'A year', days: 365 },
  ever: { label: 'Until revoked', days: null },
}
