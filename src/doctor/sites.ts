import { sql } from '../db/sql.ts'
import { invariant } from './invariant.ts'

/** Invariants about how sites are built. */
export const siteInvariants = [
  invariant(
    'Every level of a site with spaces has exactly one default',
    sql`
      select count(*) from (select from site_spaces group by organization_id, site_id, section_id
        having count(*) filter (where is_default) <> 1) x`,
  ),
  invariant(
    'Every site with sections has exactly one default section',
    sql`
      select count(*) from (select from site_sections group by organization_id, site_id
        having count(*) filter (where is_default) <> 1) x`,
  ),
  invariant(
    'Every section of a site has spaces, and no space is beside sections or links',
    sql`
      select (select count(*) from site_sections c where not exists (select from site_spaces x
          where x.organization_id = c.organization_id and x.site_id = c.site_id and x.section_id = c.id))
        + (select count(*) from site_spaces x where x.section_id is null and (exists (select from site_sections c
          where c.organization_id = x.organization_id and c.site_id = x.site_id)
        or exists (select from site_external_links c
          where c.organization_id = x.organization_id and c.site_id = x.site_id))) as count`,
  ),
  invariant(
    'Every font has its regular weight',
    sql`
      select count(*) from fonts f where not exists (select from font_faces c
        where c.organization_id = f.organization_id and c.font_id = f.id and c.weight = 400)`,
  ),
  // A look from before fonts existed may have a complete definition of something else in their place. It is not shown
  // to anyone.
  invariant(
    'No customization uses a missing font',
    sql`
      select count(*) from (
          select organization_id, customization -> 'styling' as styling from sites
          union all select organization_id, customization -> 'styling' from site_spaces) x
        cross join lateral (values (styling -> 'font'), (styling -> 'headingFont'), (styling -> 'monospaceFont')) y (font)
      where jsonb_typeof(font) = 'object' and not font ? 'fontFaces' and not exists (select from fonts f
        where f.organization_id = x.organization_id and f.id::text = font ->> 'id')`,
  ),
]
