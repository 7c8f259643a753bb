import type { Fields } from '../account/forms.ts'

/** What was chosen of a list, in the order in which it stands on the page; `nameOf` says how a form names each. */
export const chosenIn = (fields: Fields, nameOf: (id: string) => string): string[] =>
  Object.keys(fields).flatMap((name) => (name.startsWith(nameOf('')) ? [name.slice(nameOf('').length)] : []))
