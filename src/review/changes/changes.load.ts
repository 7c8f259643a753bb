/** Number of changes on one page. The others are on further parts. */
export const changesOnPage = 25

/** Returns how many changes come before the part that an address asks for. */
export function fromIn({ query }: { query: unknown }): number {
  const { from } = query as { from?: unknown }
  return typeof from === 'string' && /^\d{1,6}$/.test(from) ? Number(from) : 0
}

/** The parameter that asks for the same part again. Undefined for the first one. */
export const fromAgain = ({ from }: { from: number }): string | undefined => (from > 0 ? String(from) : undefined)
