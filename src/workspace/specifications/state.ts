import type { OpenAPISpecRow } from '../../db/tables.ts'

export const isUnderWay = ({ state }: OpenAPISpecRow) => state !== 'complete'

/** The state of a specification, in words for people. */
export function stateOf({ state, last_error }: OpenAPISpecRow): { tone: string; word: string } {
  if (state === 'pending') return { tone: 'info', word: 'waiting to be read' }
  if (state === 'progress') return { tone: 'info', word: 'is being read' }
  return last_error === null ? { tone: 'success', word: 'ready' } : { tone: 'danger', word: 'could not be read' }
}

/** Returns what went wrong the last time, and what to do about it. Undefined if nothing did. */
export function troubleOf(spec: OpenAPISpecRow): string | undefined {
  if (spec.last_error === null || isUnderWay(spec)) return undefined
  const kept = spec.last_version === null ? '' : ' Pages show the previous version.'
  return `${spec.last_error_message ?? 'It cannot be read.'} ${remedyFor(spec)}${kept}`
}

function remedyFor({ last_error, source_url }: OpenAPISpecRow): string {
  const isElsewhere = source_url !== null
  if (last_error !== 'PARSE_ERROR')
    return `It is tried again automatically. Check that this server can reach ${isElsewhere ? 'the address' : 'what it refers to'} without signing in.`
  return isElsewhere
    ? 'Correct it at its address. It is fetched again every six hours, or whenever you ask for it.'
    : 'Correct it and upload it again.'
}
