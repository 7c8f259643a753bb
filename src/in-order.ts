let names: Intl.Collator | undefined

/** As people sort what has a name: 2 stands before 10. */
export const inOrder = (one: string, other: string): number =>
  (names ??= new Intl.Collator('en', { numeric: true })).compare(one, other)
