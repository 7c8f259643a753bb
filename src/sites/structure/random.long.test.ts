// A seeded random walk through all operations that build a site. After every step, each level has exactly one default,
// no two items on a level share a path, every place is taken once, and readers see what was requested.
//
// TEST_SEED=<number> repeats a walk; TEST_RUNS=<number> makes it longer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aSpace } from '../../../test/content.ts'
import { anOrganization } from '../../../test/factories.ts'
import { assertSound } from '../../doctor/testing/sound.ts'
import { sql } from '../../db/sql.ts'

const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
const steps = Number(process.env.TEST_RUNS ?? 120)

const app = await startApp()

test(`after any changes to a site, each level has one default and unique paths (seed ${seed})`, async () => {
  const org = await anOrganization(app)
  const who = org.admin.client
  const spaceIds: string[] = []
  for (const title of ['A', 'B', 'Guide', 'Guide', 'API', 'Notes']) {
    spaceIds.push((await aSpace(who, org.id, { title })).id)
  }
  const { body } = await who.post(`/v1/orgs/${org.id}/sites`, { title: 'Walk', spaces: spaceIds.slice(0, 2) })
  const path = `/v1/orgs/${org.id}/sites/${body.id}`
  const random = mulberry(seed)
  const pick = <Item>(items: Item[]): Item | undefined => items[Math.floor(random() * items.length)]
  const item = (each: any) => ({ type: each.object, id: each.id })
  const history: string[] = []

  for (let step = 0; step < steps; step++) {
    const { type, structure }: { type: string; structure: any[] } = (await who.get(`${path}/structure`)).body
    const groups = structure.filter((each) => each.sections)
    const members: any[] = type === 'sections' ? structure.flatMap((each) => each.children ?? [each]) : []
    const sections: any[] = members.filter((each) => !each.url)
    const link = pick<any>(members.filter((each) => each.url))
    const siteSpaces: any[] = type === 'sections' ? sections.flatMap((each) => each.siteSpaces) : structure
    const [section, group, siteSpace] = [pick<any>(sections), pick<any>(groups), pick<any>(siteSpaces)]
    const [spaceId, side] = [pick(spaceIds)!, pick(['before', 'after'])!]
    const levels: any[][] = [
      structure,
      ...sections.map((each) => each.siteSpaces),
      ...groups.map((each) => each.children),
    ]
    const level = pick(levels.filter((each) => each.length > 0)) ?? []
    const [moved, beside] = [pick(level), pick(level)]

    const moves: Record<string, () => Promise<{ status: number; text: string }> | undefined> = {
      addSpace: () => who.post(`${path}/site-spaces`, { spaceId, ...(section && { sectionId: section.id }) }),
      addSomewhere: () => who.post(`${path}/site-spaces`, { spaceId }),
      addSection: () => (sections.length < 8 ? who.post(`${path}/sections`, { spaceId }) : undefined),
      addGroup: () => who.post(`${path}/section-groups`, { title: 'G', ...(section && { sections: [section.id] }) }),
      intoGroup: () =>
        group && section && who.post(`${path}/section-groups/${group.id}/sections`, { sectionId: section.id }),
      outOfGroup: () =>
        section?.sectionGroup && who.delete(`${path}/section-groups/${section.sectionGroup}/sections/${section.id}`),
      addLink: () =>
        members.length < 12
          ? who.post(`${path}/external-links`, {
              title: 'Out',
              url: 'https://example.com',
              ...(group && side === 'before' && { parent: group.id }),
            })
          : undefined,
      moveLink: () =>
        link &&
        who.patch(`${path}/external-links/${link.id}`, { parent: side === 'before' && group ? group.id : null }),
      removeLink: () => link && who.delete(`${path}/external-links/${link.id}`),
      draft: () =>
        siteSpace && who.patch(`${path}/site-spaces/${siteSpace.id}`, { draft: !siteSpace.draft && side === 'after' }),
      toSection: () =>
        siteSpace && section && who.patch(`${path}/site-spaces/${siteSpace.id}`, { sectionId: section.id }),
      toSectionNamed: () =>
        siteSpace &&
        section &&
        who.patch(`${path}/site-spaces/${siteSpace.id}`, { sectionId: section.id, path: `p${step}` }),
      ownSection: () =>
        siteSpace && sections.length < 8
          ? who.post(`${path}/sections`, {
              spaceId: siteSpace.space.id,
              siteSpaceId: siteSpace.id,
              draft: side === 'before',
            })
          : undefined,
      outOfSections: () => siteSpace && who.patch(`${path}/site-spaces/${siteSpace.id}`, { sectionId: null }),
      draftSection: () =>
        section && who.patch(`${path}/sections/${section.id}`, { draft: !section.draft && side === 'after' }),
      duplicate: () =>
        siteSpaces.length < 12
          ? siteSpace && who.post(`${path}/site-spaces/${siteSpace.id}/duplicate`, { draft: side === 'before' })
          : undefined,
      removeGroup: () => group && who.delete(`${path}/section-groups/${group.id}`),
      removeSection: () => section && who.delete(`${path}/sections/${section.id}`),
      removeSpace: () => siteSpace && who.delete(`${path}/site-spaces/${siteSpace.id}`),
      removeAnother: () => siteSpace && who.delete(`${path}/site-spaces/${siteSpace.id}`),
      defaultSection: () => section && who.patch(path, { defaultSiteSection: section.id }),
      defaultSpace: () =>
        siteSpace?.section && who.patch(`${path}/sections/${siteSpace.section}`, { defaultSiteSpace: siteSpace.id }),
      defaultAtRoot: () =>
        siteSpace && (siteSpace.section ? undefined : who.patch(path, { defaultSiteSpace: siteSpace.id })),
      rename: () => siteSpace && who.patch(`${path}/site-spaces/${siteSpace.id}`, { path: pick(['a', 'b', 'guide']) }),
      sort: () =>
        moved &&
        who.patch(`${path}/structure/sort`, {
          item: item(moved),
          position: moved === beside ? {} : { [side]: item(beside) },
        }),
      trash: () => who.delete(`/v1/spaces/${spaceId}`),
      restore: () => who.post(`/v1/spaces/${spaceId}/restore`),
      publish: () => who.post(`${path}/publish`),
      unpublish: () => who.post(`${path}/unpublish`),
    }
    const name = pick(Object.keys(moves))!
    const answer = await moves[name]!()
    history.push(`${name} ${answer?.status}`)
    // The walk may run into refusals: a path is taken, the item is the last published content, or it is in the trash.
    assert.ok(!answer || answer.status < 300 || [400, 404, 409].includes(answer.status), `${name}: ${answer?.text}`)
    await checkRows(body.id, history)
    await checkView(history)
  }
  await assertSound(app.db)

  async function checkView(history: string[]) {
    const told = history.slice(-12).join(', ')
    const { type, structure } = (await who.get(`${path}/structure`)).body
    const inOrder = structure.flatMap((each: any) => each.sections ?? (each.url ? [] : [each]))
    const levels: any[][] =
      type === 'sections' ? [inOrder, ...inOrder.map((each: any) => each.siteSpaces)] : [structure]
    for (const level of levels.filter((each) => each.length > 0)) {
      assert.equal(level.filter((each) => each.default).length, 1, told)
      assert.equal(new Set(level.map((each) => each.path)).size, level.length, told)
    }
    const spaces = type === 'sections' ? inOrder.flatMap((each: any) => each.siteSpaces) : structure
    assert.deepEqual((await who.get(`${path}/site-spaces?limit=1000`)).body.items, spaces, told)
    assert.equal((await who.get(path)).body.siteSpaces, spaces.length, told)
  }
})

async function checkRows(siteId: string, history: string[]): Promise<void> {
  const counts = await app.db.one(sql<Record<string, number>>`
    select
      (select count(*) from (select from site_spaces where site_id = ${siteId} group by section_id
        having count(*) filter (where is_default) <> 1) x) as defaults,
      (select count(*) from (select from site_sections where site_id = ${siteId}
        having count(*) > 0 and count(*) filter (where is_default) <> 1) x) as default_sections,
      (select count(*) from (select from site_spaces where site_id = ${siteId} group by section_id, position
        having count(*) > 1) x) as places,
      (select count(*) from (select from (
        select position, group_id from site_sections where site_id = ${siteId}
        union all select position, group_id from site_external_links where site_id = ${siteId}
        union all select position, null from site_section_groups where site_id = ${siteId}) y
        group by group_id, position having count(*) > 1) x) as section_places,
      (select count(*) from site_sections c where site_id = ${siteId}
        and not exists (select from site_spaces x where x.site_id = c.site_id and x.section_id = c.id)) as empty_sections,
      (select count(*) from site_spaces where site_id = ${siteId} and section_id is null
        and exists (select from site_sections c where c.site_id = ${siteId})) as beside_sections,
      (select count(*) from site_spaces where site_id = ${siteId} and section_id is null
        and exists (select from site_external_links c where c.site_id = ${siteId})) as beside_links`)
  for (const [what, count] of Object.entries(counts))
    assert.equal(count, 0, `${what}: ${history.slice(-12).join(', ')}`)
}

/** Pseudo-random numbers determined by the seed. */
function mulberry(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
