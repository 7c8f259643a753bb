import { hash } from 'node:crypto'

/** A form that was sent, and the marks of what it showed before. */
export interface Sent<Form> {
  form: Form
  seen: string
}

export const markOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 12)

/** For a form with many settings, whose names these are: what somebody changed in it, and what others have meanwhile. */
export function marking<Form, Name extends string>(names: readonly Name[], textOf: (form: Form, name: Name) => string) {
  const mark = (form: Form, name: Name) => markOf(textOf(form, name))

  /** What somebody had before them who opened the form: a mark for each setting. */
  const marksOf = (form: Form): string => names.map((name) => mark(form, name)).join('.')

  /** Which settings somebody changed in it. */
  function changedIn({ form, seen }: Sent<Form>): Name[] {
    const marks = seen.split('.')
    return names.filter((name, at) => mark(form, name) !== marks[at])
  }

  /** The settings that are another's by now, of those that were to be changed. */
  function overtakenIn(now: Form, sent: Sent<Form>): Name[] {
    const marks = sent.seen.split('.')
    const isAnothers = (name: Name) =>
      textOf(now, name) !== textOf(sent.form, name) && mark(now, name) !== marks[names.indexOf(name)]
    return changedIn(sent).filter(isAnothers)
  }

  return { marksOf, changedIn, overtakenIn }
}
