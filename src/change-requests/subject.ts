/** What people call a change request: nobody has to give it a subject. */
export const subjectOf = ({ subject, number }: { subject: string | null; number: number }): string =>
  subject || `Change request #${number}`
