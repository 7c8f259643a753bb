/**
 * The scopes that a token can be narrowed to. Each operation names the one it needs; an operation without a scope needs
 * a token that is not narrowed.
 */
export const scopes = [
  'user:read',
  'organization:read',
  'organization:write',
  'organization:members:read',
  'organization:members:write',
  'organization:search',
  'space:read',
  'space:write',
  'space:permissions:read',
  'space:permissions:write',
  'change-request:merge',
  'site:read',
  'site:write',
  'site:publish',
  'site:permissions:read',
  'site:permissions:write',
  'site:auth:read',
  'site:auth:write',
  'site:insights:read',
  'site:search',
  'openapi:read',
  'openapi:write',
] as const

export type Scope = (typeof scopes)[number]
