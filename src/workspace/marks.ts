import { hash } from 'node:crypto'

/** A form that was sent, with the marks of the values it showed at first. */
export interface Sent<Form> {
  form: Form
  seen: string
}

export const markOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 12)

/**
 * For a form with many settings, which have these names: finds what the user changed in it, and what others have
 * changed in the meantime.
 */
export function marking<Form, Name extends string>(names: readonly Name[], textOf: (form: Form, name: Name) => string) {
  const mark = (form: Form, name: Name) => markOf(textOf(form, name))

  /** What the user saw when opening the form: a mark for each setting. */
  const marksOf = (form: Form): string => names.map((name) => mark(form, name)).join('.')

  /** The settings that the user changed in the form. */
  function changedIn({ form, seen }: Sent<Form>): Name[] {
    const marks = seen.split('.')
    return names.filter((name, at) => mark(form, name) !== marks[at])
  }

  /** Of those settings, the ones that another user has changed to something else in the meantime. */
  function overtakenIn(now: Form, sent: Sent<Form>): Name[] {
    const marks = sent.seen.split('.')
    const isAnothers = (name: Name) =>
      textOf(now, name) !== textOf(sent.form, name) && mark(now, name) !== marks[names.indexOf(name)]
    return changedIn(sent).filter(isAnothers)
  }

  return { marksOf, changedIn, overtakenIn }
}
