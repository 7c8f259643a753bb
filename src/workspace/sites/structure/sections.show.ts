import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage } from '../../../account/answer.ts'
import { placeOf } from '../../../front/place.ts'
import { notFound } from '../../../http/errors.ts'
import type { App } from '../../../http/routes.ts'
import type { HeldSite } from '../../../sites/see.ts'
import type { ShownSection } from '../../../sites/structure/structure.ts'
import { type OpenedSite, answerNothing } from '../../open.ts'
import type { Said } from '../../said.ts'
import { type KeptOfSection, sectionPage } from './section.page.ts'
import { type KeptOfSections, sectionsPage } from './sections.page.ts'
import { type Form, changing, doneWithSpaces, findParts } from '../site.show.ts'

/** Messages about what was just done. */
export const done = {
  ...doneWithSpaces,
  made: 'Section created.',
  'made-draft': 'Section created as a draft. Show it to readers when it is ready.',
  gone: 'Section removed. Its spaces stay.',
  menu: 'Menu created.',
  renamed: 'Renamed.',
  icon: 'Icon saved.',
  'in-menu': 'Menu saved.',
  'no-menu': 'Menu removed. Its entries stay.',
  link: 'Link created.',
  'link-draft': 'Link created as a draft. Readers do not see it yet.',
  'link-saved': 'Link saved.',
  'no-link': 'Link removed.',
}

type SectionsForm<Kept> = Omit<Form, 'right' | 'kept' | 'refused'> & { kept?: Kept }

/** Makes the change that a form on the page of all sections asks for. */
export function changingSections(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { kept = {}, ...form }: SectionsForm<KeptOfSections>,
): Promise<FastifyReply> {
  return changing(app, request, reply, {
    right: 'edit',
    below: 'sections',
    refused: (opened, said, status) => showSections(app, reply, opened, { ...kept, ...said }, status),
    ...form,
  })
}

/** The same for a form on the page of one section. */
export function changingSection(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { kept = {}, ...form }: SectionsForm<KeptOfSection>,
): Promise<FastifyReply> {
  const { sectionId } = request.params as { sectionId: string }
  return changing(app, request, reply, {
    right: 'edit',
    below: `sections/${sectionId}`,
    refused: (opened, said, status) => showSection(app, reply, opened, sectionId, { ...kept, ...said }, status),
    ...form,
  })
}

export async function showSections(
  app: App,
  reply: FastifyReply,
  opened: OpenedSite,
  more: Said & KeptOfSections,
  status = 200,
): Promise<FastifyReply> {
  const parts = await findParts(app, opened)
  if (!parts) return answerNothing(app, reply)
  return answerPage(reply, sectionsPage(placeOf(app), { ...parts, ...more }), status)
}

/** Shows the section, or all sections if it no longer exists. */
export async function showSection(
  app: App,
  reply: FastifyReply,
  opened: OpenedSite,
  sectionId: string,
  more: Said & KeptOfSection,
  status = 200,
): Promise<FastifyReply> {
  const parts = await findParts(app, opened)
  if (!parts) return answerNothing(app, reply)
  const section = parts.seen.structure.sections.find(({ id }) => id === sectionId)
  if (section) return answerPage(reply, sectionPage(placeOf(app), { ...parts, ...more, section }), status)
  const { done, error } = more
  const isSaid = (done ?? error) !== undefined
  const said = isSaid ? { done, error } : { error: isGone().message }
  return answerPage(reply, sectionsPage(placeOf(app), { ...parts, ...said }), isSaid ? status : isGone().status)
}

/** Returns the section that a form is about. Throws if it no longer exists. */
export function sectionIn({ structure }: HeldSite, request: FastifyRequest): ShownSection {
  const { sectionId } = request.params as { sectionId: string }
  const section = structure.sections.find(({ id }) => id === sectionId)
  if (!section) throw isGone()
  return section
}

const isGone = () => notFound('section')
