import type { Reviewed } from './load.ts'

export interface ReviewParts extends Reviewed {
  /** Where the page is: its forms lead below it. */
  path: string
  form: string
  done?: string
  error?: string
  /** What somebody wrote before their form was refused. */
  comment?: string
}

/** As a field counts them. */
export const longestComment = 8_000

export const isOpen = ({ access: { changeRequest } }: ReviewParts) => ['draft', 'open'].includes(changeRequest.status)
