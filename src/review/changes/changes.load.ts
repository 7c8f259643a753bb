/** So many changes are read on one page; the others are a part further. */
export const changesOnPage = 25

/** How many come before the part that an address asks for. */
export function fromIn({ query }: { query: unknown }): number {
  const { from } = query as { from?: unknown }
  return typeof from === 'string' && /^\d{1,6}$/.test(from) ? Number(from) : 0
}

/** The same part again, as an address asks for it; nothing for the first one. */
export const fromAgain = ({ from }: { from: number }): string | undefined => (from > 0 ? String(from) : undefined)
