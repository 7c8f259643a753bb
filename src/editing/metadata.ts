import type { Static } from 'typebox'
import { compile } from '../expressions/compile.ts'
import { ExpressionError } from '../expressions/error.ts'
import { unreachable } from '../expressions/values.ts'
import { type PageCover, type PageData, type PageLayout, layoutDefaults } from '../pages/entry-data.ts'
import { file } from '../revisions/entries.ts'
import { type Step, named } from './batch.ts'
import type { WrittenDocument } from './documents.ts'
import type { ChangeOf, Metadata as Schema } from './schema.ts'
import { originOf } from './translated-from.ts'

export type Metadata = Static<typeof Schema>

export type ChangeOfPage = ChangeOf<'insert_page' | 'update_page'>

/** What a change says about its page, beside the document or in `metadata`. `metadata` takes precedence. */
export function metadataOf({ metadata, ...change }: ChangeOfPage): Metadata {
  const { title, slug, emoji, icon, description, hidden, noIndex, noRobotsIndex, condition } = change
  const beside = { title, slug, emoji, icon, description, hidden, noIndex, noRobotsIndex, condition }
  return Object.fromEntries(Object.entries({ ...beside, ...metadata }).filter(([, value]) => value !== undefined))
}

/** The field in which the change says it, to be named in an error. */
export const fieldIn = ({ metadata }: ChangeOfPage, name: keyof Metadata) =>
  metadata?.[name] === undefined ? name : `metadata.${name}`

/**
 * The data of a page after a change: the previous data, overridden by the metadata, overridden by what its own text
 * says.
 */
export async function changeData<Data extends PageData>(step: Step, before: Data, change: ChangeOfPage): Promise<Data> {
  const metadata = metadataOf(change)
  checkCondition(step, metadata.condition, fieldIn(change, 'condition'))
  const said = step.document?.fields.condition
  // A condition that is already stored is not checked again: it must not get in the way of editing the text around it.
  if (said !== before.condition) checkCondition(step, said, 'document.markdown', '`if` of its front matter: ')
  checkVariables(step, metadata.variables)
  const { title, emoji, icon, description, hidden, noIndex, noRobotsIndex, condition, variables } = metadata
  return {
    ...before,
    ...(title !== undefined && { title }),
    ...(emoji !== undefined && { emoji: emoji || undefined }),
    ...(icon !== undefined && { icon: icon || undefined }),
    ...(description !== undefined && { description: description || undefined }),
    ...(hidden !== undefined && { hidden: hidden || undefined }),
    ...(noIndex !== undefined && { noIndex: noIndex || undefined }),
    ...(noRobotsIndex !== undefined && { noRobotsIndex: noRobotsIndex || undefined }),
    ...(condition !== undefined && { condition: condition || undefined }),
    ...(variables !== undefined && { variables: Object.keys(variables).length > 0 ? variables : undefined }),
    ...(metadata.layout && { layout: changeLayout(before.layout, metadata.layout) }),
    ...(metadata.cover !== undefined && { cover: await coverOf(step, metadata.cover) }),
    ...(metadata.translatedFrom !== undefined && { translatedFrom: await originOf(step, metadata.translatedFrom) }),
    ...step.document?.fields,
    ...(step.document?.source !== undefined && { source: step.document.source || undefined }),
  }
}

/** The fields that a change names, whether their values are new or not: naming a field settles conflicts about it. */
export function namedFields(change: ChangeOfPage, document?: WrittenDocument): string[] {
  const { slug, layout, ...others } = metadataOf(change)
  const inLayout = Object.keys(layout ?? {}).map((key) => `layout.${key}`)
  const inText = document?.source === undefined ? [] : ['source', ...Object.keys(document.fields)]
  return [...Object.keys(others), ...(slug === undefined ? [] : ['slug']), ...inLayout, ...inText]
}

/** Only values that differ from the default are stored. */
function changeLayout(before: Partial<PageLayout> = {}, changes: Partial<PageLayout>): Partial<PageLayout> | undefined {
  const layout = Object.entries({ ...before, ...changes }).filter(
    ([key, value]) => layoutDefaults[key as keyof PageLayout] !== value,
  )
  return layout.length > 0 ? Object.fromEntries(layout) : undefined
}

async function coverOf(step: Step, cover: NonNullable<Metadata['cover']> | null): Promise<PageCover | undefined> {
  if (cover === null) return undefined
  const { ref, refDark, yPos } = cover
  return {
    ref: await coverReference(step, ref, 'metadata.cover.ref.file'),
    ...(refDark && { refDark: await coverReference(step, refDark, 'metadata.cover.refDark.file') }),
    ...(yPos !== undefined && yPos !== 0 && { yPos }),
  }
}

async function coverReference(step: Step, ref: PageCover['ref'], field: string): Promise<PageCover['ref']> {
  if (ref.kind === 'url') return { kind: 'url', url: ref.url }
  return { kind: 'file', file: (await named(step, ref.file, file, field)).entry }
}

function checkCondition({ path }: Step, condition: string | undefined, field: string, where = ''): void {
  if (!condition) return
  try {
    compile(condition)
  } catch (error) {
    if (error instanceof ExpressionError) throw path.invalid(field, 'expression', where + error.message)
    throw error
  }
}

function checkVariables({ path }: Step, variables: Metadata['variables']): void {
  for (const name of Object.keys(variables ?? {})) checkVariableName(name, `metadata.variables.${name}`, path)
}

/** Returns what is wrong with the name of a variable: expressions use it, so it must be an identifier. */
export function flawOfVariableName(name: string): string | undefined {
  if (unreachable.has(name)) return 'is reserved: choose another one'
  if (/^[A-Za-z_$][\w$]{0,63}$/.test(name)) return undefined
  return 'must consist of unaccented letters, digits and _, not begin with a digit, and have at most 64 characters'
}

export function checkVariableName(name: string, field: string, path: Step['path']): void {
  const flaw = flawOfVariableName(name)
  if (flaw !== undefined) throw path.invalid(field.slice(0, 120), 'name', flaw)
}
