import { sameSecret } from '../secrets.ts'
import { ApiError } from '../http/errors.ts'
import { type App, type Routes, anyone } from '../http/routes.ts'
import { version } from '../version.ts'
import { type Figure, counter, gauge, writeFigures } from './figures.ts'
import { ProcessFigures } from './process.ts'
import { countWaiting } from './queries.ts'
import type { RequestFigures } from './requests.ts'

/** `GET /metrics`, which Prometheus reads every few seconds. Only exists if a token for it is configured. */
export const metricsRoutes =
  (requests: RequestFigures, token: string): Routes =>
  async (app) => {
    const ofProcess = new ProcessFigures()
    app.addHook('onClose', async () => ofProcess.close())

    app.get('/metrics', { config: { policy: anyone, hidden: true, quiet: true } }, async (request, reply) => {
      if (!sameSecret(request.headers.authorization, `Bearer ${token}`)) {
        throw new ApiError('unauthenticated', 'Send the value of LECTERN_METRICS_TOKEN in the Authorization header.', {
          headers: { 'www-authenticate': 'Bearer' },
        })
      }
      const figures = [
        gauge('lectern_info', 'The running version.', [{ labels: { version }, value: 1 }]),
        ...requests.figures(),
        counter('lectern_kept_pages_total', 'Pages of sites served from the cache.', [
          { labels: { status: '200' }, value: app.hot.answers.whole },
          { labels: { status: '304' }, value: app.hot.answers.unchanged },
        ]),
        ...connections(app),
        ...(await waiting(app)),
        ...ofProcess.figures(),
      ]
      return reply
        .type('text/plain; version=0.0.4; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(writeFigures(figures))
    })
  }

function connections({ db }: App): Figure[] {
  const { busy, idle, wanted } = db.connections
  return [
    gauge('lectern_database_connections', 'Database connections for transactions.', [
      { labels: { state: 'busy' }, value: busy },
      { labels: { state: 'idle' }, value: idle },
    ]),
    gauge('lectern_database_connections_wanted', 'Transactions waiting for a connection.', wanted),
  ]
}

/** If the database does not respond, returns fewer metrics, and reports the node as not ready. */
async function waiting({ db, health }: App): Promise<Figure[]> {
  const found = health.ready ? await countWaiting(db).catch(() => undefined) : undefined
  const isUp = gauge('lectern_up', 'Whether the node is ready to serve requests.', found ? 1 : 0)
  if (!found) return [isUp]
  return [
    isUp,
    gauge('lectern_jobs_waiting', 'Jobs that are due but not running, on all nodes.', found.jobs),
    gauge('lectern_jobs_failed', 'Jobs that failed permanently, on all nodes.', found.failed_jobs),
    gauge('lectern_mails_waiting', 'Mails that are due but not sent, or will be retried, on all nodes.', found.mails),
    gauge(
      'lectern_webhook_deliveries_waiting',
      'Webhook deliveries that are still pending, on all nodes.',
      found.deliveries,
    ),
  ]
}
