import { trusted } from '../content/html/template.ts'

/** The logo of Lectern. The style sheet defines its size and colours. */
export const mark = trusted(
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/>' +
    '<path d="M7.5 14.5 24 9.5M16.5 12.5V24M12 24h9"/></svg>',
)
