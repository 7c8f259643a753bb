import type { FastifyReply } from 'fastify'
import { siteRights } from '../../../access/rights.ts'
import { answerPage, leadTo } from '../../../account/answer.ts'
import { fieldsOf, takeForms } from '../../../account/forms.ts'
import { requireSession } from '../../../account/who.ts'
import { placeOf } from '../../../front/place.ts'
import { conflict } from '../../../http/errors.ts'
import type { App, Routes } from '../../../http/routes.ts'
import { asBody } from '../../../http/validation.ts'
import { siteAddress } from '../../../sites/addresses.ts'
import { changeCustomization } from '../../../sites/customization/actions.ts'
import { lookAsShown, patched } from '../../../sites/customization/customization.ts'
import { CustomizationOverride } from '../../../sites/customization/schema.ts'
import { type FontRow, listAllFonts } from '../../../sites/fonts/queries.ts'
import { seeSite } from '../../../sites/see.ts'
import { seeBelowSite } from '../below-site.ts'
import { type OpenedSite, answerNothing, openSite, sitePath } from '../../open.ts'
import { naming } from '../../refusal.ts'
import { type Said, doneIn } from '../../said.ts'
import { fontName } from './fonts.ts'
import {
  type LookForm,
  type Name,
  type SentLook,
  formOf,
  modes,
  mostLinks,
  names,
  overtakenIn,
  patchOf,
  readLook,
  withSent,
} from './look.form.ts'
import { lookPage } from './look.page.ts'
import { changing } from '../site.show.ts'

/** Addresses can be long, and there are several. */
const mostBytes = 256 * 1024

const done = { look: 'Look saved. Readers see it now.' }

/** The look of a site, for those who may change it. */
export const workspaceSiteLook: Routes = async (app) => {
  takeForms(app, mostBytes)

  app.get(`${sitePath}/look`, async (request, reply) => {
    const opened = await openSite(app, request, reply, requireSession)
    if (!opened) return reply
    if (!siteRights(opened.access.role).edit) return leadTo(app, reply, opened.path)
    return show(app, reply, opened, doneIn(request, done))
  })

  app.post(`${sitePath}/look`, async (request, reply) => {
    const fields = fieldsOf(request)
    const sent = { form: readLook(fields), seen: fields.seen ?? '' }
    return changing(app, request, reply, {
      right: 'edit',
      done: 'look',
      below: 'look',
      say: naming((path) => nameAt(path, sent.form)),
      refused: (opened, said, status) => show(app, reply, opened, { ...said, sent }, status),
      work: async (tx, { site }, caller) => {
        const look = lookAsShown(site.customization)
        const now = formOf(look)
        const overtaken = overtakenIn(now, sent)
        if (overtaken.length > 0) throw isAnothers(overtaken, now, await listAllFonts(tx, site.organization_id))
        const patch = asBody(CustomizationOverride, patchOf(look, withSent(now, sent)))
        await changeCustomization({ app, tx, caller, site }, patched(site.customization, patch, look) ?? {})
      },
    })
  })
}

function isAnothers(overtaken: Name[], now: LookForm, fonts: readonly FontRow[]): Error {
  const told = overtaken.map((name) => `${names[name]} (now ${toldOf(name, now, fonts)})`).join(', ')
  return conflict(`Somebody has changed this since you opened this page: ${told}. Save again to overwrite it.`)
}

function toldOf(name: Name, now: LookForm, fonts: readonly FontRow[]): string {
  if (name === 'font' || name === 'headingFont' || name === 'codeFont') return `“${fontName(fonts, name, now)}”`
  if (name === 'links') return now.links.map(({ title }) => `“${title}”`).join(', ') || 'none'
  if (name === 'pdf' || name === 'markdown' || name === 'feedback') return now[name] === 'on' ? 'yes' : 'no'
  return now[name] === '' ? 'none' : `“${name === 'mode' ? modes[now.mode] : now[name]}”`
}

const fieldAt: Record<string, Name> = {
  'body.styling.theme': 'theme',
  'body.styling.primaryColor.light': 'light',
  'body.styling.primaryColor.dark': 'dark',
  'body.styling.corners': 'corners',
  'body.styling.font': 'font',
  'body.styling.font.id': 'font',
  'body.styling.headingFont': 'headingFont',
  'body.styling.headingFont.id': 'headingFont',
  'body.styling.monospaceFont': 'codeFont',
  'body.styling.monospaceFont.id': 'codeFont',
  'body.themes.default': 'mode',
  'body.header.logo.light': 'logo',
  'body.header.logo.dark': 'logoDark',
  'body.favicon.icon.light': 'icon',
  'body.favicon.icon.dark': 'iconDark',
  'body.header.links': 'links',
  'body.footer.copyright': 'copyright',
}

function nameAt(path: string, { links }: LookForm): string | undefined {
  const [, at, part] = /^body\.header\.links\.(\d+)\.(title|to)/.exec(path) ?? []
  if (at !== undefined) return `The ${part === 'to' ? 'address' : 'title'} of “${links[Number(at)]?.title ?? ''}”`
  const name = fieldAt[path]
  if (name === 'icon') return 'The icon, unless it is one emoji,'
  return name && names[name].replace(/^the/, 'The').replace(/^what/, 'What')
}

/** Shows the page, with the form as it was sent if it was refused. */
async function show(
  app: App,
  reply: FastifyReply,
  opened: OpenedSite,
  { sent, ...said }: Said & { sent?: SentLook },
  status = 200,
): Promise<FastifyReply> {
  const below = await seeBelowSite(app, opened)
  if (!below) return answerNothing(app, reply)
  const { access, organization } = below
  const { site } = access
  const look = lookAsShown(site.customization)
  const now = formOf(look)
  const parts = {
    ...below,
    ...said,
    now,
    look: sent ? withSent(now, sent) : now,
    fonts: await listAllFonts(app.db, site.organization_id),
    moreLinks: Math.max(0, look.header.links.length - mostLinks),
    address: siteAddress(app.hosts, { ...site, organization_hostname: organization.hostname }),
    isCounting: app.config.insights,
    hasSpaces: (await seeSite(app.db, access)).site_spaces > 0,
  }
  return answerPage(reply, lookPage(placeOf(app), parts), status)
}
