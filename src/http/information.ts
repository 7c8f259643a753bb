import { version } from '../version.ts'
import { type Routes, anyone } from './routes.ts'
import { refusals } from './schemas.ts'
import Type from './type.ts'

/** `GET /v1/`: which version answers. The one call of the API that needs no token and tells about nobody. */
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
