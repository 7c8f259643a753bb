import type { Role } from '../src/access/roles.ts'
import { type Entry, type Row, gone, top } from '../src/content/merge/entry.ts'
import { keyBetween } from '../src/content/positions.ts'
import { sql } from '../src/db/sql.ts'
import { type Author, type Transaction, nobody, transaction } from '../src/db/transaction.ts'
import { newId } from '../src/ids.ts'
import { bodyHash } from '../src/revisions/bodies.ts'
import { listAll, listEntries } from '../src/revisions/entries.ts'
import { type Line, commit, findLine, lockLine, startMainLine } from '../src/revisions/lines.ts'
import type { TestApp } from './app.ts'
import { type TestOrganization, type TestPerson, anOrganization } from './factories.ts'

/**
 * A space without pages, in an organization of its own. Content is written below the API, directly to the lines of the
 * space.
 */
export interface TestSpace {
  id: string
  organization: TestOrganization
  admin: TestPerson
  path: string
  main: TestLine
  member(role: Role | null): Promise<TestPerson>
  /** The branch of a change request, by its id. */
  branch(changeRequestId: string): Promise<TestLine>
}

export interface NewPage {
  id?: string
  title?: string
  slug?: string
  parent?: string
  position?: string
  body?: string
  data?: Record<string, string | boolean>
}

/** One line of a space, with methods to write to it. Each write creates one revision. */
export class TestLine {
  readonly #test: TestApp
  readonly #organizationId: string
  readonly id: string
  readonly by: Author

  constructor(test: TestApp, organizationId: string, id: string, by: Author) {
    this.#test = test
    this.#organizationId = organizationId
    this.id = id
    this.by = by
  }

  async find(): Promise<Line> {
    return findLine(this.#test.db, this.#organizationId, this.id)
  }

  /** Adds pages and returns their ids. */
  async add(...pages: NewPage[]): Promise<string[]> {
    const made = pages.map(asPage)
    await this.write(
      made.map(({ entry }) => entry),
      bodiesOf(made.map(({ body }) => body)),
    )
    return made.map(({ entry }) => entry.entry)
  }

  /** Changes the current version of one entry of the line. */
  async edit(id: string, change: Omit<NewPage, 'id'>): Promise<void> {
    const [before] = await listEntries(this.#test.db, (await this.find()).head, [id])
    if (!before) throw new Error(`${id} is not there`)
    const { title, slug, parent, position, body, data } = change
    const entry: Entry = {
      ...before,
      ...(slug !== undefined && { slug }),
      ...(parent !== undefined && { parent }),
      ...(position !== undefined && { position }),
      ...(body !== undefined && { doc: bodyHash(body) }),
      data: { ...before.data, ...data, ...(title !== undefined && { title }) },
    }
    await this.write([entry], bodiesOf(body === undefined ? [] : [body]))
  }

  async remove(...ids: string[]): Promise<void> {
    await this.write(ids.map((id) => gone(id, 1, 1)))
  }

  async write(
    rows: Row[],
    bodies: ReadonlyMap<string, string> = new Map(),
    more?: (tx: Transaction, line: Line) => Promise<void>,
  ): Promise<Line> {
    return transaction(this.#test.db, this.by, async (tx) => {
      const line = await lockLine(tx, this.#organizationId, this.id)
      const written = await commit(tx, line, { type: 'edits', parents: [line.head.id], rows, bodies })
      await more?.(tx, written)
      return written
    })
  }

  /** All current pages of the line, by id. */
  async pages(): Promise<Map<string, Entry>> {
    const { head } = await this.find()
    return new Map((await listAll(this.#test.db, head, 1)).map((entry) => [entry.entry, entry]))
  }
}

export async function aSpace(test: TestApp, organization?: TestOrganization): Promise<TestSpace> {
  const home = organization ?? (await anOrganization(test))
  const id = newId()
  const by = { ...nobody, actorId: home.admin.id }
  const main = await transaction(test.db, nobody, async (tx) => {
    await tx.run(sql`
      insert into spaces (organization_id, id, title, position)
      values (${home.id}, ${id}, ${`Space ${home.canary}`}, 'a0')`)
    return startMainLine(tx, home.id, id, [], new Map())
  })
  return {
    id,
    organization: home,
    admin: home.admin,
    path: `/v1/spaces/${id}`,
    main: new TestLine(test, home.id, main.id, by),
    member: (role) => home.member(role),
    async branch(changeRequestId) {
      const { line_id } = await test.db.one(sql<{ line_id: string }>`
        select line_id from change_requests where organization_id = ${home.id} and id = ${changeRequestId}`)
      return new TestLine(test, home.id, line_id, by)
    },
  }
}

/** Creates a change request in a space. Returns it with its branch. */
export async function aChangeRequest(space: TestSpace, options: { by?: TestPerson; subject?: string } = {}) {
  const { by = space.admin, subject = 'A change' } = options
  const { body } = await by.client.post(`${space.path}/change-requests`, { subject })
  const path = `${space.path}/change-requests/${body.id}`
  return {
    id: body.id as string,
    number: body.number as number,
    path,
    branch: await space.branch(body.id),
    get: async () => (await by.client.get(path)).body,
  }
}

export function asPage(page: NewPage): { entry: Entry; body: string } {
  const { id = newId(), title = 'A page', parent = top, body = 'one\ntwo\nthree\n', data = {} } = page
  const { slug = id, position = keyBetween(id, null, null) } = page
  const dates = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' }
  return {
    body,
    entry: {
      entry: id,
      kind: 1,
      state: 0,
      parent,
      slug,
      position,
      doc: bodyHash(body),
      refs: null,
      data: { type: 'document', title, ...dates, ...data },
    },
  }
}

export function bodiesOf(bodies: string[]): Map<string, string> {
  return new Map(bodies.map((body) => [bodyHash(body), body]))
}
