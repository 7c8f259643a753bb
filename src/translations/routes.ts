import { accessOrganization } from '../access/caller.ts'
import { requireMatch } from '../http/conditional.ts'
import { forbidden } from '../http/errors.ts'
import { byAge, listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { accessTranslation, accessTranslationToChange, translationRights } from './access.ts'
import { changeTranslation, createTranslation, removeTranslation } from './actions.ts'
import { presentPageStatus, presentTranslation, visibleVariants } from './present.ts'
import { listTranslations, listVisibleSpaces } from './queries.ts'
import {
  NewTranslation,
  TranslationChanges,
  TranslationPageStatus,
  TranslationSettings,
  TranslationStatusQuery,
} from './schema.ts'
import { findSourceHead, listPageStatus } from './status.queries.ts'

const inOrganization = Type.Object({ organizationId: Type.String() })
const ofTranslation = Type.Object({ organizationId: Type.String(), translationSettingsId: Type.String() })
const tags = ['translations']

export const translationRoutes: Routes = async (app) => {
  app.get(
    '/orgs/:organizationId/translations',
    {
      config: { policy: token(null, 'to be a member; guests get an empty list') },
      schema: {
        operationId: 'listTranslations',
        summary: 'List the translations of an organization',
        tags,
        params: inOrganization,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(TranslationSettings), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'view')
      const { organization, userId, role } = membership
      const page = pageOf(request)
      const { view } = translationRights(role)
      const list = view ? await listTranslations(app.db, organization.id, page) : { rows: [], count: 0 }
      const visible = await listVisibleSpaces(app.db, organization.id, userId, list.rows)
      return presentPage(request, page, list, byAge, (translation) =>
        presentTranslation({ translation, membership, visible }, app.url),
      )
    },
  )

  app.post(
    '/orgs/:organizationId/translations',
    {
      config: { policy: token(null, 'the role create, on the spaces that it names as well') },
      schema: {
        operationId: 'createTranslation',
        summary: 'Create a translation: a space and its variants in other languages',
        tags,
        params: inOrganization,
        body: NewTranslation,
        response: { 201: TranslationSettings, ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'view')
      if (!translationRights(membership.role).edit) throw forbidden('manage translations here')
      const { organization, userId } = membership
      const { title, source, variants } = request.body

      return write(request, async (tx) => {
        const draft = { title, source, variants }
        const translation = await createTranslation(tx, request.caller, organization.id, draft)
        const visible = await listVisibleSpaces(tx, organization.id, userId, [translation])
        return presentTranslation({ translation, membership, visible }, app.url)
      })
    },
  )

  app.get(
    '/orgs/:organizationId/translations/:translationSettingsId',
    {
      config: { policy: token(null, 'the role read') },
      schema: {
        operationId: 'getTranslation',
        summary: 'Get a translation',
        tags,
        params: ofTranslation,
        response: { 200: TranslationSettings, ...refusals },
      },
    },
    async (request) => {
      return presentTranslation(
        await accessTranslation(app.db, request.caller, request.params.translationSettingsId),
        app.url,
      )
    },
  )

  app.put(
    '/orgs/:organizationId/translations/:translationSettingsId',
    {
      config: { policy: token(null, 'the role create, on the spaces that it names as well') },
      schema: {
        operationId: 'updateTranslation',
        summary: 'Update a translation',
        description: '`source` and `variants` stay as they are if omitted.',
        tags,
        params: ofTranslation,
        body: TranslationChanges,
        response: { 200: TranslationSettings, ...refusals },
      },
    },
    async (request) => {
      const { title, source, variants } = request.body

      return write(request, async (tx) => {
        const seen = await accessTranslationToChange(tx, request.caller, request.params.translationSettingsId)
        requireMatch(request, presentTranslation(seen, app.url))
        const draft = { title, source, variants }
        const translation = await changeTranslation(tx, request.caller, seen.translation, seen.visible, draft)
        const { organization, userId } = seen.membership
        const visible = await listVisibleSpaces(tx, organization.id, userId, [translation])
        return presentTranslation({ ...seen, translation, visible }, app.url)
      })
    },
  )

  app.delete(
    '/orgs/:organizationId/translations/:translationSettingsId',
    {
      config: { policy: token(null, 'the role create') },
      schema: {
        operationId: 'deleteTranslation',
        summary: 'Delete a translation',
        tags,
        params: ofTranslation,
        response: { 205: Nothing('The translation was deleted; its spaces stay as they are'), ...refusals },
      },
    },
    async (request) => {
      await write(request, async (tx) => {
        const seen = await accessTranslationToChange(tx, request.caller, request.params.translationSettingsId)
        requireMatch(request, presentTranslation(seen, app.url))
        await removeTranslation(tx, seen.translation)
      })
    },
  )

  app.get(
    '/orgs/:organizationId/translations/:translationSettingsId/status',
    {
      config: { policy: token(null, 'the role read') },
      schema: {
        operationId: 'getTranslationStatus',
        summary: 'List the status of the pages of a translation',
        description: 'For each page of the source and each variant. Spaces that you cannot see are omitted.',
        tags,
        params: ofTranslation,
        querystring: TranslationStatusQuery,
        response: { 200: listOf(TranslationPageStatus), ...refusals },
      },
    },
    async (request) => {
      const { params, query } = request
      const { translation, visible } = await accessTranslation(app.db, request.caller, params.translationSettingsId)
      const page = pageOf(request)
      const isAsked = ({ language }: { language: string }) => [undefined, language].includes(query.language)
      const variants = visibleVariants(translation, visible).filter(isAsked)
      const isSourceSeen = translation.source_id !== null && visible.shown.has(translation.source_id)
      const source = isSourceSeen ? await findSourceHead(app.db, translation) : undefined
      if (!source || variants.length === 0) return { count: 0, items: [] }
      const [list, tree] = await Promise.all([
        listPageStatus(app.db, source, variants, { status: query.status }, page),
        app.content.tree(source),
      ])
      const pathOf = (id: string) => {
        const entry = tree.byId.get(id)
        return entry && tree.pathOf(entry)
      }
      return presentPage(
        request,
        page,
        list,
        (row) => [row.entry, row.language],
        (row) => presentPageStatus(row, pathOf(row.entry)),
      )
    },
  )
}
