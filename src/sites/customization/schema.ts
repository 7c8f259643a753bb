import type { Static, TSchema } from 'typebox'
import { Nullable, OneOf, Time } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { FontDefinition } from '../fonts/schema.ts'
import { SiteTitle } from '../schema.ts'

/** The look of a site. Custom HTML and scripts are not possible, because sites share an origin. */

const Address = Type.String({ format: 'http-url', maxLength: 2048 })
const ThemedAddress = Type.Object({ light: Address, dark: Address })

const Colour = Type.String({ pattern: '^#(?:[0-9a-fA-F]{3}){1,2}$', examples: ['#1a2b3c'] })
const ThemedColour = Type.Object({ light: Colour, dark: Colour })

const Switch = Type.Object({ enabled: Type.Boolean() })

/** A font of the organization. Clients send the whole definition they received, but only the id is used. */
const OwnFont = Type.Object(
  { id: Type.String({ maxLength: 100 }) },
  { description: 'As returned by `GET /v1/orgs/{organizationId}/fonts`. The id is enough.' },
)

export const fonts = [
  ...(['ABCFavorit', 'Inter', 'Roboto', 'RobotoSlab', 'OpenSans', 'SourceSansPro', 'Lato', 'Ubuntu'] as const),
  ...(['Raleway', 'Merriweather', 'Overpass', 'NotoSans', 'IBMPlexSerif', 'Poppins', 'FiraSans'] as const),
] as const

const Font = Type.Union([OneOf(fonts), OwnFont])

export const monospaceFonts = [
  ...(['FiraCode', 'IBMPlexMono', 'JetBrainsMono', 'SourceCodePro'] as const),
  ...(['RobotoMono', 'SpaceMono', 'DMMono', 'Inconsolata'] as const),
] as const

const MonospaceFont = Type.Union([OneOf(monospaceFonts), OwnFont])

const CodeTheme = Type.String({ maxLength: 64, pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', examples: ['github-dark'] })
const ThemedCode = Type.Object({ light: CodeTheme, dark: CodeTheme })

/** The target of a link. The fields depend on the kind, and their values are checked when they are written. */
const ContentReference = Type.Object({
  kind: OneOf(['url', 'page', 'anchor', 'file', 'space'] as const),
  url: Type.Optional(
    Type.String({ maxLength: 2048, description: 'http, https, mailto, tel, or a path that starts with one slash.' }),
  ),
  page: Type.Optional(Type.String()),
  anchor: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  file: Type.Optional(Type.String()),
  space: Type.Optional(
    Type.String({
      description: 'The space of the page or file. Default: the first space of the site that contains it.',
    }),
  ),
})

export type ContentReference = Static<typeof ContentReference>

const ContentLink = Type.Object({ title: Type.String({ maxLength: 64 }), to: ContentReference })

const HeaderItem = Type.Object({
  title: Type.String({ maxLength: 128 }),
  style: Type.Optional(OneOf(['link', 'button-primary', 'button-secondary'] as const)),
  to: Nullable(ContentReference),
  links: Type.Array(ContentLink, { maxItems: 50 }),
  condition: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'Shown only to visitors for whom this condition is true.',
    }),
  ),
})

const Favicon = Type.Object(
  {
    icon: Type.Optional(ThemedAddress),
    emoji: Type.Optional(Type.String({ format: 'emoji', maxLength: 50 })),
  },
  { description: 'Either one, or neither. If both are sent, the icon is used.' },
)

const pageActions = ['assistant', 'external-ai', 'markdown', 'mcp', 'git', 'pdf'] as const

const platforms = [
  ...(['twitter', 'instagram', 'facebook', 'linkedin', 'github', 'discord', 'slack', 'youtube'] as const),
  ...(['tiktok', 'reddit', 'bluesky', 'mastodon', 'threads', 'medium'] as const),
] as const

/** Not a TypeBox record, which would accept any value under a name that is not a language. */
const LocalizedTitle = Type.Unsafe<Record<string, string>>({
  type: 'object',
  description: 'Translated titles, by the language of the space (`pt-BR`).',
  propertyNames: Type.String({ pattern: '^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$', examples: ['pt-BR'] }),
  additionalProperties: Type.String({ maxLength: 128 }),
  maxProperties: 100,
})

const SocialAccount = Type.Object({
  platform: OneOf(platforms),
  handle: Type.String({ minLength: 1, maxLength: 128 }),
  display: Type.Optional(
    Type.Object(
      { footer: Type.Optional(Type.Boolean()), header: Type.Optional(Type.Boolean()) },
      { description: 'Where it is shown. Default: in the footer, not in the header.' },
    ),
  ),
})

/** The complete look. Fields that are not optional always have a value. */
export const Customization = Type.Object({
  title: Type.Optional(SiteTitle),
  localizedTitle: Type.Optional(LocalizedTitle),
  styling: Type.Object({
    theme: OneOf(['clean', 'muted', 'bold', 'gradient'] as const),
    primaryColor: ThemedColour,
    infoColor: ThemedColour,
    successColor: ThemedColour,
    warningColor: ThemedColour,
    dangerColor: ThemedColour,
    tint: Type.Optional(Type.Object({ color: ThemedColour })),
    corners: OneOf(['straight', 'rounded', 'circular'] as const),
    depth: OneOf(['subtle', 'flat'] as const),
    links: OneOf(['default', 'accent'] as const),
    icons: OneOf(['regular', 'solid', 'duotone', 'light', 'thin'] as const),
    font: Font,
    headingFont: Type.Optional(Font),
    monospaceFont: MonospaceFont,
    background: OneOf(['plain', 'match'] as const, { description: 'Deprecated.' }),
    codeTheme: Type.Object({ default: ThemedCode, openapi: ThemedCode }),
    sidebar: Type.Object({
      background: OneOf(['default', 'filled'] as const),
      list: OneOf(['default', 'pill', 'line'] as const),
    }),
    search: OneOf(['prominent', 'subtle'] as const),
  }),
  internationalization: Type.Object({
    locale: OneOf(['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru'] as const, {
      description: 'Deprecated: the language of the space is used, and this one only if it has none.',
    }),
  }),
  favicon: Favicon,
  header: Type.Object({
    preset: OneOf(['default', 'bold', 'contrast', 'custom', 'none'] as const),
    logo: Type.Optional(ThemedAddress),
    primaryLink: Type.Optional(ContentLink),
    backgroundColor: Type.Optional(ThemedColour),
    linkColor: Type.Optional(ThemedColour),
    links: Type.Array(HeaderItem, { maxItems: 50 }),
  }),
  footer: Type.Object({
    logo: Type.Optional(ThemedAddress),
    groups: Type.Array(
      Type.Object({ title: Type.String({ maxLength: 128 }), links: Type.Array(ContentLink, { maxItems: 50 }) }),
      { maxItems: 50 },
    ),
    copyright: Type.Optional(Type.String({ maxLength: 512 })),
  }),
  announcement: Type.Optional(
    Type.Object({
      enabled: Type.Boolean(),
      message: Type.String({ minLength: 2, maxLength: 128 }),
      link: Type.Optional(ContentLink),
      style: OneOf(['info', 'warning', 'danger', 'success'] as const),
    }),
  ),
  themes: Type.Object({
    default: OneOf(['light', 'dark', 'system'] as const, {
      description:
        'What readers see first; `system`: the setting of their device. If never set, `light` is returned, but readers get `system`.',
    }),
    toggeable: Type.Boolean({
      description: 'Whether readers can switch. Spelled as in the API that this one is compatible with.',
    }),
  }),
  pdf: Switch,
  feedback: Switch,
  pagination: Switch,
  trademark: Switch,
  advancedCustomization: Switch,
  git: Type.Object({ showEditLink: Type.Boolean() }),
  pageActions: Type.Object({
    items: Type.Array(OneOf(pageActions), { maxItems: pageActions.length }),
    externalAI: Type.Boolean({
      description: 'Whether `items` contains external-ai. If both are sent, `items` is used.',
    }),
    markdown: Type.Boolean({ description: 'Whether `items` contains markdown. If both are sent, `items` is used.' }),
  }),
  externalLinks: Type.Object({ target: OneOf(['self', 'blank'] as const) }),
  privacyPolicy: Type.Object({ url: Type.Optional(Address) }),
  socialPreview: Type.Object({ url: Type.Optional(Address) }),
  socialAccounts: Type.Array(SocialAccount, { maxItems: 10 }),
  insights: Type.Object({ trackingCookie: Type.Boolean() }),
  ai: Type.Object({
    mode: OneOf(['none', 'search', 'assistant', 'integration'] as const, {
      description: 'Always `none`: there is no AI, and other values have no effect.',
    }),
  }),
})

export type Customization = Static<typeof Customization>

/**
 * The objects whose settings are set one by one, so that a single one can differ from the default or from the site. All
 * other objects are a single setting each and are set as a whole.
 */
export const groups = {
  styling: { codeTheme: {}, sidebar: {} },
  internationalization: {},
  header: {},
  footer: {},
  themes: {},
  pdf: {},
  feedback: {},
  pagination: {},
  trademark: {},
  advancedCustomization: {},
  git: {},
  pageActions: {},
  externalLinks: {},
  privacyPolicy: {},
  socialPreview: {},
  insights: {},
  ai: {},
} as const

export interface Groups {
  readonly [name: string]: Groups
}

type Loose<Value, In> = {
  [Key in keyof Value]?: (Key extends keyof In ? Loose<Value[Key], In[Key]> : Value[Key]) | undefined
}

type Clearing<Value, In> = {
  [Key in keyof Value]?: (Key extends keyof In ? Clearing<Value[Key], In[Key]> : Value[Key]) | null | undefined
}

/** A part of the settings. */
export type SomeCustomization = Loose<Customization, typeof groups>

/** A part of the settings, where null resets what was set. */
export type CustomizationPatch = Clearing<Customization, typeof groups>

const ShownFont = Type.Union([OneOf(fonts), FontDefinition])

const ShownAccount = Type.Object({
  ...SocialAccount.properties,
  display: Type.Object({ footer: Type.Boolean(), header: Type.Boolean() }),
})

/** A look in which all omitted values have been filled in. */
export type Look = Omit<Customization, 'socialAccounts'> & { socialAccounts: Static<typeof ShownAccount>[] }

/** The same with the full definitions of its fonts, and with the places where accounts are shown. */
export const CustomizationAnswer = Type.Object(
  {
    ...Customization.properties,
    styling: Type.Object({
      ...Customization.properties.styling.properties,
      font: ShownFont,
      headingFont: Type.Optional(ShownFont),
      monospaceFont: Type.Union([OneOf(monospaceFonts), FontDefinition]),
    }),
    socialAccounts: Type.Array(ShownAccount),
    updatedAt: Type.Optional(Time),
  },
  { $id: 'SiteCustomization' },
)

export const NewCustomization = Type.Unsafe<SomeCustomization>({
  ...loosened(Customization, groups, (field) => field),
  $id: 'SiteCustomizationChanges',
  description: 'The complete customization of a site. Omitted fields get their default.',
})

export const CustomizationOverride = Type.Unsafe<CustomizationPatch>({
  ...loosened(Customization, groups, Nullable),
  $id: 'SiteSpaceCustomizationChanges',
  description: 'The differences from the customization of the site. Omitted fields stay as they are; null resets them.',
})

interface ObjectSchema {
  properties: Record<string, TSchema>
}

/** Returns the same schema with no field required. */
function loosened(schema: object, within: Groups, each: (field: TSchema) => TSchema): TSchema {
  const { properties } = schema as ObjectSchema
  const fields = Object.entries(properties).map(([name, field]) => {
    const own = Object.hasOwn(within, name) ? loosened(field, within[name]!, each) : field
    return [name, Type.Optional(each(own))]
  })
  return Type.Object(Object.fromEntries(fields))
}
