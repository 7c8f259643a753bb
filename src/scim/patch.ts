import type { Static } from 'typebox'
import { invalid } from '../http/errors.ts'
import { withoutSchema } from './filter.ts'
import type { PatchOperations } from './schema.ts'

/** One change of one attribute, however it was written. Names are in lower case, since the standard ignores case. */
export interface Step {
  kind: 'add' | 'replace' | 'remove'
  attribute: string
  /** The condition in brackets, which chooses among several values. */
  filter: string | undefined
  /** A part of the attribute; empty for the whole of it. */
  part: string
  value: unknown
  /** Where it is in the request. */
  at: string
}

const kinds = ['add', 'replace', 'remove'] as const
const form = /^([a-z$][\w$-]*)(?:\[((?:[^\]"]|"(?:[^"\\]|\\.)*")*)\])?(?:\.([\w$-]+))?$/i

/** Some providers name the attribute beside the value, some within it, and some write `Replace`. All mean the same. */
export function stepsOf({ Operations }: Static<typeof PatchOperations>): Step[] {
  return Operations.flatMap(({ op, path, value }, i) => {
    const at = `body.Operations.${i}`
    const kind = kinds.find((each) => each === op.toLowerCase())
    if (!kind) throw invalid(`${at}.op`, 'enum', 'must be add, replace or remove')
    if (path) return stepsAt({ kind, value, at }, path)
    if (kind === 'remove') throw invalid(`${at}.path`, 'path', 'is needed to remove something')
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw invalid(`${at}.value`, 'type', 'must be an object if there is no path')
    }
    return Object.entries(value).flatMap(([name, each]) => stepsAt({ kind, value: each, at: `${at}.value` }, name))
  })
}

/** Returns none for attributes of extensions to the standard: whatever their names, none of them is stored here. */
function stepsAt(step: Pick<Step, 'kind' | 'value' | 'at'>, path: string): Step[] {
  const name = withoutSchema(path)
  if (/^[^[]*:/.test(name)) return []
  const found = form.exec(name)
  if (!found) throw invalid(`${step.at}.path`, 'path', 'must name an attribute, such as members[value eq "id"]')
  const [, attribute, filter, part = ''] = found
  return [{ ...step, attribute: attribute!.toLowerCase(), filter, part: part.toLowerCase() }]
}
