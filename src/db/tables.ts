/** Rows as queries select them. The tables themselves, with their constraints, are in migrations/. */
export type * from './tables/content.ts'
export type * from './tables/events.ts'
export type * from './tables/exchange.ts'
export type * from './tables/people.ts'
export type * from './tables/sites.ts'
