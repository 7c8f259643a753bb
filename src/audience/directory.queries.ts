import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'

type Found = Promise<string | undefined>

/** Finds the id of the site with this own host. */
export async function findSiteByHost(db: Db, hostname: string): Found {
  return idOf(db.find(sql<{ id: string }>`select id from sites where hostname = ${hostname}`))
}

/** Finds the id of a site by its basename, below the host of its organization. */
export async function findSiteByName(db: Db, organizationHost: string, basename: string): Found {
  return idOf(
    db.find(sql<{ id: string }>`
    select s.id from organizations o join sites s on s.organization_id = o.id
    where o.hostname = ${organizationHost} and s.basename = ${basename}`),
  )
}

/** Finds the site at one of these proxy addresses, the longest first: `company.com/docs/v2`, `company.com/docs`. */
export async function findSiteByProxy(db: Db, proxies: string[]): Promise<{ id: string; proxy: string } | undefined> {
  return db.find(sql<{ id: string; proxy: string }>`
    select id, proxy from sites where proxy = any (${proxies}::text[])
    order by length(proxy) desc, created_at, id limit 1`)
}

/** Finds the basename of the organization's default site, for addresses that name no site. */
export async function findDefaultBasename(db: Db, organizationHost: string): Found {
  const found = await db.find(sql<{ basename: string }>`
    select s.basename from organizations o join sites s on s.organization_id = o.id and s.id = o.default_site_id
    where o.hostname = ${organizationHost} and s.published`)
  return found?.basename
}

const idOf = async (found: Promise<{ id: string } | undefined>) => (await found)?.id
