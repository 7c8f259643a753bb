import type { Static } from 'typebox'
import { hostOf } from './address.ts'
import type { Embed } from './schema.ts'

type Words = { [Name in 'title' | 'site' | 'icon']?: string | null | undefined }

export function presentEmbed(url: string, { title, site, icon }: Words): Static<typeof Embed> {
  return { type: 'link', title: title ?? url, site: site ?? hostOf(url), ...(icon && { icon }) }
}
