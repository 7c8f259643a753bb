import type { SiteRow } from '../../db/tables.ts'

export type Visibility = SiteRow['visibility']

/** Who reads a site once it is published, in words that stand behind “for”. */
export const audiences: Record<Visibility, string> = {
  public: 'everybody',
  unlisted: 'everybody who has the address',
  'share-link': 'whoever has a secret link',
  'visitor-auth': 'readers whom your own service signs in',
}

export const isVisibility = (word: string): word is Visibility => Object.hasOwn(audiences, word)

/** Whether whoever has the plain address can read it. */
export const isOpen = ({ published, visibility }: Pick<SiteRow, 'published' | 'visibility'>) =>
  published && (visibility === 'public' || visibility === 'unlisted')
