import { withNames } from '../comments/mentions.ts'
import { type Letter, excerptOf } from './letter.ts'
import type { SaidNotice } from './notices.queries.ts'

/** Why the reader is notified: somebody replied, commented or mentioned them. */
export type SaidKind = 'reply' | 'comment' | 'mention'

const mostQuoted = 20

/** The mail that reports what was written in one place. */
export function saidLetter(
  kind: SaidKind,
  where: string,
  said: SaidNotice[],
): Pick<Letter, 'subject' | 'lead' | 'quotes'> {
  const [first, ...others] = said as [SaidNotice, ...SaidNotice[]]
  if (others.length === 0) {
    const { markdown } = first
    const subject = `${kind === 'comment' ? titles[first.verdict ?? kind] : titles[kind]}: ${where}`
    return { subject, lead: leadOf(kind, where, first), ...(markdown && { quotes: [{ text: quoteOf(markdown) }] }) }
  }
  const left = said.length - mostQuoted
  return {
    subject: `${titles[kind]}: ${where}`,
    lead: leadOfMany(kind, where, said),
    quotes: [
      ...said.slice(0, mostQuoted).map(({ author, verdict, markdown }) => ({
        head: headOf(author, verdict, markdown !== ''),
        text: quoteOf(markdown),
      })),
      ...(left > 0 ? [{ head: `And ${left} more.`, text: '' }] : []),
    ],
  }
}

const quoteOf = (markdown: string) => excerptOf(withNames(markdown))

const titles = {
  reply: 'Re',
  comment: 'Comment',
  mention: 'Mention',
  approved: 'Approved',
  'changes-requested': 'Changes requested',
}

function leadOf(kind: SaidKind, where: string, { author, verdict }: SaidNotice): string {
  // A mention in a review is reported only once, together with the verdict.
  const also = kind === 'mention' ? ' and mentioned you' : ''
  if (verdict === 'approved') return `${author} approved ${where}${also}.`
  if (verdict === 'changes-requested') return `${author} requested changes in ${where}${also}.`
  if (kind === 'mention') return `${author} mentioned you in ${where}.`
  return kind === 'reply' ? `${author} replied in ${where}.` : `${author} commented on ${where}.`
}

function leadOfMany(kind: SaidKind, where: string, said: SaidNotice[]): string {
  if (kind === 'mention') return `You are mentioned ${said.length} times in ${where}.`
  if (kind === 'reply') return `There are ${said.length} replies in ${where}.`
  const reviews = said.filter(({ verdict }) => verdict !== null).length
  if (reviews === 0) return `There are ${said.length} comments on ${where}.`
  return `There are ${said.length} ${reviews === said.length ? 'reviews' : 'comments and reviews'} of ${where}.`
}

function headOf(author: string, verdict: SaidNotice['verdict'], hasWords: boolean): string {
  const end = hasWords ? ':' : '.'
  if (verdict === 'approved') return `${author} approved it${end}`
  return verdict === 'changes-requested' ? `${author} asks for changes${end}` : `${author} wrote${end}`
}
