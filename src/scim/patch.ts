import type { Static } from 'typebox'
import { invalid } from '../http/errors.ts'
import { withoutSchema } from './filter.ts'
import type { PatchOperations } from './schema.ts'

/** One change of one attribute, however it was written. Names are in small letters: the standard makes no difference. */
export interface Step {
  kind: 'add' | 'replace' | 'remove'
  attribute: string
  /** What stands between brackets, to choose among several values. */
  filter: string | undefined
  /** A part of the attribute; empty where it is the whole. */
  part: string
  value: unknown
  /** Where it stands in the request. */
  at: string
}

const kinds = ['add', 'replace', 'remove'] as const
const form = /^([a-z$][\w$-]*)(?:\[((?:[^\]"]|"(?:[^"\\]|\\.)*")*)\])?(?:\.([\w$-]+))?$/i

/** Some providers name the attribute beside the value, some within it, some write `Replace`: it means the same. */
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

/** None for attributes that others have added to the standard: whatever they are called, none of them is kept here. */
function stepsAt(step: Pick<Step, 'kind' | 'value' | 'at'>, path: string): Step[] {
  const name = withoutSchema(path)
  if (/^[^[]*:/.test(name)) return []
  const found = form.exec(name)
  if (!found) throw invalid(`${step.at}.path`, 'path', 'must name an attribute, such as members[value eq "id"]')
  const [, attribute, filter, part = ''] = found
  return [{ ...step, attribute: attribute!.toLowerCase(), filter, part: part.toLowerCase() }]
}
