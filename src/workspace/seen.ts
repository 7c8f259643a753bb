import { hash } from 'node:crypto'

/**
 * Returns a short hash of a state. A form contains it, to show which state the user had seen when they made a change.
 */
export const asSeen = (state: unknown): string => hash('sha256', JSON.stringify(state), 'base64url')
