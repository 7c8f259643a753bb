import type { SiteRow } from '../../db/tables.ts'

export type Visibility = SiteRow['visibility']

/** Who can read a site once it is published, in words that follow “for”. */
export const audiences: Record<Visibility, string> = {
  public: 'everyone',
  unlisted: 'anyone with the address',
  'share-link': 'anyone with a secret link',
  'visitor-auth': 'readers signed in by your own service',
}

export const isVisibility = (word: string): word is Visibility => Object.hasOwn(audiences, word)

/** Whether anyone who has the plain address can read it. */
export const isOpen = ({ published, visibility }: Pick<SiteRow, 'published' | 'visibility'>) =>
  published && (visibility === 'public' || visibility === 'unlisted')
