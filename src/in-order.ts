let names: Intl.Collator | undefined

/** Compares names in natural order: 2 comes before 10. */
export const inOrder = (one: string, other: string): number =>
  (names ??= new Intl.Collator('en', { numeric: true })).compare(one, other)
