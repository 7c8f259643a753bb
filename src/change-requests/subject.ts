/** In characters. */
export const longestSubject = 100

/** The title of a change request for display: the subject is optional. */
export const subjectOf = ({ subject, number }: { subject: string | null; number: number }): string =>
  subject || `Change request #${number}`
