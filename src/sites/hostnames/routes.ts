import { requireMatch } from '../../http/conditional.ts'
import { type Routes, token } from '../../http/routes.ts'
import { Nothing, refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { write } from '../../http/write.ts'
import { changeSite } from '../actions.ts'
import { holdStructure } from '../see.ts'
import { accessHostname, accessHostnameToChange } from './access.ts'
import { presentHostname } from './present.ts'
import { CustomHostname } from './schema.ts'

const params = Type.Object({ hostname: Type.String() })
const tags = ['custom-hostnames']
const reading = { policy: token('site:read', 'the role create on the site that has the hostname') }
const writing = { policy: token('site:write', 'the role create on the site that has the hostname') }

/** Endpoints for the hostnames of sites: the setting of a site, looked up by hostname. */
export const hostnameRoutes: Routes = async (app) => {
  app.get(
    '/custom-hostnames/:hostname',
    {
      config: reading,
      schema: {
        operationId: 'getCustomHostname',
        summary: 'Get the site of a custom hostname',
        tags,
        params,
        response: { 200: CustomHostname, ...refusals },
      },
    },
    async (request) => {
      const hostname = hostIn(request.params)
      const { site } = await accessHostname(app.db, request.caller, hostname)
      return presentHostname(site, hostname, app.hosts)
    },
  )

  app.delete(
    '/custom-hostnames/:hostname',
    {
      config: writing,
      schema: {
        operationId: 'removeCustomHostname',
        summary: 'Remove the custom hostname of a site',
        description: 'The same as `"hostname": null` in updateSiteById. The site keeps its other URLs.',
        tags,
        params,
        response: { 205: Nothing('The custom hostname was removed'), ...refusals },
      },
    },
    async (request) => {
      const hostname = hostIn(request.params)

      await write(request, async (tx) => {
        const access = await accessHostnameToChange(tx, request.caller, hostname)
        requireMatch(request, presentHostname(access.site, hostname, app.hosts))
        await changeSite(tx, app.hosts, await holdStructure(tx, access), { hostname: null })
      })
    },
  )
}

/** Hostnames are case-insensitive. */
const hostIn = ({ hostname }: { hostname: string }) => hostname.toLowerCase()
