import { hash } from 'node:crypto'

/** How something is, in a few characters: a form says by them what somebody has seen when they change it. */
export const asSeen = (state: unknown): string => hash('sha256', JSON.stringify(state), 'base64url')
