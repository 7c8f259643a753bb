import { version } from '../version.ts'
import { type Routes, anyone } from './routes.ts'
import { refusals } from './schemas.ts'
import Type from './type.ts'

/**
 * `GET /v1/`: the version that answers. The one call of the API that needs no token and reveals nothing about anybody.
 */
export const informationRoutes: Routes = async (app) => {
  app.get(
    '/',
    {
      prefixTrailingSlash: 'slash',
      config: { policy: anyone },
      schema: {
        operationId: 'getApiInformation',
        summary: 'Get the version of this server',
        tags: ['system'],
        response: { 200: Type.Object({ version: Type.String(), build: Type.String() }), ...refusals },
      },
    },
    async () => ({ version, build: process.version }),
  )
}
